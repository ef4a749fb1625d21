/* What build_info() tells of the compilation. Each form of the kernel includes it for itself. */
#ifndef NARDY_BUILD_H
#define NARDY_BUILD_H

#ifdef NARDY_V3 /* set by widths.c */
#define NARDY_WIDTH_NAME "v3"
#else
#define NARDY_WIDTH_NAME "baseline"
#endif

#define NARDY_TEXT_OF(number) #number
#define NARDY_TEXT(macro) NARDY_TEXT_OF(macro)

#if defined(__clang__)
#define NARDY_COMPILER \
    "clang " NARDY_TEXT(__clang_major__) "." NARDY_TEXT(__clang_minor__) "." \
    NARDY_TEXT(__clang_patchlevel__)
#elif defined(__GNUC__)
#define NARDY_COMPILER "gcc " __VERSION__
#elif defined(_MSC_VER)
#define NARDY_COMPILER "msvc " NARDY_TEXT(_MSC_VER)
#else
#define NARDY_COMPILER "unknown"
#endif

#endif
