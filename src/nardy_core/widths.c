/* One module, two widths.
 *
 * The C file that Cython writes is compiled twice into the one extension: as it is (plain x86-64,
 * aarch64, ...: PyInit_nardy_core_baseline) and once more here, with the instructions of x86-64-v3.
 * PyInit_nardy_core hands out the widest form that the processor can run, or the one that
 * NARDY_WIDTH names. So Python sees one module, one stub and one name in pickles.
 *
 * Tests load both forms in one process: PyInit_nardy_core_baseline and PyInit_nardy_core_v3 can be
 * reached through importlib's ExtensionFileLoader under those names.
 *
 * Holds the choice of the width and nothing of the kernel.
 */

/* Before the target below, so that no header's function is compiled for it. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdlib.h>
#include <string.h>

/* setup.py gives the plain form this name; here it would rename the wrong function. */
#undef PyInit_nardy_core

#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32) /* clang says __GNUC__ too */
#define HAS_V3 1
#else
#define HAS_V3 0
#endif

PyMODINIT_FUNC PyInit_nardy_core(void);
PyMODINIT_FUNC PyInit_nardy_core_baseline(void);

#if HAS_V3

/* The instructions named here and those asked for in runs_v3() must be the same ones. */
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif

/* The only two names that the generated file shows to the linker. */
#define PyInit_nardy_core generated_init_v3
#define __pyx_module_is_main_nardy__nardy_core module_is_main_v3
/* Tells row.h what it may use: clang does not define __AVX2__ under its pragma. */
#define NARDY_V3 1
#include "nardy_core.c"
#undef PyInit_nardy_core

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

/* From here on plain code again: it runs on every processor. */

static int runs_v3(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
        && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

PyMODINIT_FUNC PyInit_nardy_core_v3(void)
{
    if (!runs_v3()) {
        PyErr_SetString(PyExc_ImportError,
            "width 'v3' needs a processor with AVX2, BMI, BMI2 and POPCNT; this one has not all "
            "of them");
        return NULL;
    }
    return generated_init_v3();
}

#else /* one width only */

static int runs_v3(void)
{
    return 0;
}

static PyObject *PyInit_nardy_core_v3(void)
{
    PyErr_SetString(PyExc_ImportError,
        "width 'v3' is not in this build: it is made for x86-64 by gcc or clang, not on Windows");
    return NULL;
}

#endif

PyMODINIT_FUNC PyInit_nardy_core(void)
{
    const char *wanted = getenv("NARDY_WIDTH");

    if (wanted == NULL || *wanted == '\0')
        return runs_v3() ? PyInit_nardy_core_v3() : PyInit_nardy_core_baseline();
    if (strcmp(wanted, "baseline") == 0)
        return PyInit_nardy_core_baseline();
    if (strcmp(wanted, "v3") == 0)
        return PyInit_nardy_core_v3();
    return PyErr_Format(PyExc_ImportError,
        "NARDY_WIDTH must be 'baseline' or 'v3' (unset: the widest that the processor runs), "
        "not '%s'", wanted);
}
