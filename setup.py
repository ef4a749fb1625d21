"""Build the one extension: the kernel, once per vector width (see src/nardy_core/widths.c)."""

import os
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from glob import glob
from pathlib import Path

import numpy as np
from Cython import __version__ as CYTHON
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

DEBUG = os.environ.get("NARDY_DEBUG") == "1"  # checked and slow: `make debug`
SANITIZE = os.environ.get("NARDY_SANITIZE") == "1"  # ASan + UBSan, gcc or clang: `make sanitize`
# Other directives or another Cython alone do not make it write the C file anew: a folder for each.
GENERATED = f"build/cython-{CYTHON}{'-debug' if DEBUG else ''}"
VERSION = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

# The generator is small functions that only pay when they melt into one loop: by its own limits
# gcc leaves calls in the innermost ones (instructions a double 2,080 -> 1,580, a non-double
# 550 -> 505). Melted early, before gcc weighs one function against the other, they are optimised
# with what they melt into (a double 1,480 -> 1,200). clang ignores these, with a warning.
INLINE = [
    "--param=early-inlining-insns=100",
    "--param=max-inline-insns-single=4000",  # 2,000 left a call in doubles: long nardy 7 % slower
    "--param=inline-unit-growth=400",
    "--param=large-function-growth=100000",
    "--param=large-stack-frame-growth=20000",  # 3,000 left calls again: short nardy 8 % slower
    "-fno-tree-slp-vectorize",  # it packs masks into vectors, to take them out again (2 %)
    "-fno-tree-loop-distribute-patterns",  # `rep movsq` for the 31 rows of a table (5 %, short)
    "-Wno-psabi",  # all that takes a vector is melted in: how it would be passed does not matter
    "-Wno-maybe-uninitialized",  # once all is one function, gcc cannot see that `running` guards it
]
flags = ["-O1", "-g", "-UNDEBUG"] if DEBUG or SANITIZE else ["-O3", "-g0", *INLINE]
# No fused multiply-add, on processors that have one either: values are the same bits everywhere.
flags.append("-ffp-contract=off")
sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"] if SANITIZE else []

kernel = Extension(
    "nardy.nardy_core",
    ["nardy_core.pyx", "src/nardy_core/widths.c"],
    # Named here so that a change rebuilds and the sdist carries them.
    depends=["nardy_core.pyx", *sorted(glob("src/nardy_core/*.*"))],
    # widths.c includes the generated C once more.
    include_dirs=["src/nardy_core", GENERATED, np.get_include()],
    define_macros=[
        ("PyInit_nardy_core", "PyInit_nardy_core_baseline"),  # widths.c holds the real one
        ("NARDY_VERSION", f'"{VERSION}"'),
        ("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION"),
    ],
    extra_compile_args=[] if sys.platform == "win32" else flags + sanitizers,
    extra_link_args=sanitizers,
)


class BuildSideBySide(build_ext):
    """Compile the two forms at the same time: each takes half a minute."""

    def build_extensions(self):
        """Let the compiler take its sources one by one, in threads."""
        compile_files = self.compiler.compile

        def compile_each(sources, *args, **options):
            with ThreadPoolExecutor() as pool:
                parts = pool.map(lambda source: compile_files([source], *args, **options), sources)
                return [made for part in parts for made in part]

        self.compiler.compile = compile_each
        super().build_extensions()


setup(
    cmdclass={"build_ext": BuildSideBySide},
    ext_modules=cythonize(
        kernel,
        include_path=["src"],
        build_dir=GENERATED,
        annotate=os.environ.get("NARDY_ANNOTATE") == "1",
        # Only here: a `# cython:` line in the .pyx would win over these.
        compiler_directives={
            "language_level": 3,
            "freethreading_compatible": True,
            "autotestdict": False,  # doctest needs none, and stubtest would miss it in the stub
            "auto_pickle": False,
            "cdivision": True,
            "wraparound": False,
            "boundscheck": DEBUG,
            "initializedcheck": DEBUG,
        },
    ),
)
