#!/usr/bin/env bash
# The kernel on aarch64, without such a processor: compiled by a cross compiler, run by qemu's
# emulation with Debian's Python for arm64. `make aarch64`; on Debian or a kin of it, with
#
#   apt-get install gcc-aarch64-linux-gnu qemu-user
#   dpkg --add-architecture arm64 && apt-get update
#
# Compares the signature of behaviour with this machine's, then runs the worked examples, or the
# tests that are named: the emulation is some thirty times slower.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
place=$PWD/build/aarch64
version=3.11 # of Debian 12's Python
emulated=$(command -v qemu-aarch64) || { echo "there is no qemu-aarch64 here: nothing is checked"; exit 0; }
compiler=$(command -v aarch64-linux-gnu-gcc) || { echo "there is no compiler for aarch64 here: nothing is checked"; exit 0; }

# --- Python, numpy and pytest for arm64 -----------------------------------------------------------
mkdir -p "$place/packages" "$place/root" "$place/wheels" "$place/site"
if [ ! -e "$place/ready" ]; then
    (
        cd "$place/packages"
        names="python$version-minimal libpython$version-minimal libpython$version-stdlib
            libpython$version-dev libpython$version libc6 libc6-dev linux-libc-dev libexpat1 zlib1g
            libgcc-s1 libstdc++6 libffi8 libssl3 libbz2-1.0 liblzma5 libuuid1 libcrypt1"
        # shellcheck disable=SC2086 # a list of words
        apt-get download -q $(printf '%s:arm64 ' $names)
        for package in *.deb; do dpkg -x "$package" ../root; done
    )
    "$python" -m pip download --quiet --dest "$place/wheels" --only-binary=:all: \
        --platform manylinux_2_28_aarch64 --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
        --python-version "$version" --implementation cp --abi "cp${version/./}" --abi abi3 --abi none \
        numpy pytest pytest-benchmark hypothesis tqdm
    for wheel in "$place"/wheels/*.whl; do "$python" -m zipfile -e "$wheel" "$place/site"; done
    touch "$place/ready"
fi

# --- the kernel: the flags of setup.py, another compiler ------------------------------------------
"$python" setup.py --quiet --name > /dev/null # writes the C file
generated=$(ls -d build/cython-* | grep -v debug | tail -n 1)
rm -rf "$place/lib" && mkdir -p "$place/lib" && cp -r src/nardy "$place/lib/" && rm -f "$place"/lib/nardy/*.so
options="-O3 -g0 -fwrapv -DNDEBUG -fPIC -Wall -Wno-psabi -Wno-maybe-uninitialized
    -DPyInit_nardy_core=PyInit_nardy_core_baseline -DNARDY_VERSION=\"0\"
    -DNPY_NO_DEPRECATED_API=NPY_1_7_API_VERSION -I$place/site/numpy/_core/include
    -Isrc/nardy_core -I$generated -I$place/root/usr/include/python$version
    -I$place/root/usr/include -I$place/root/usr/include/aarch64-linux-gnu"
# shellcheck disable=SC2086 # a list of words
"$compiler" $options -shared "$generated/nardy_core.c" src/nardy_core/widths.c \
    -o "$place/lib/nardy/nardy_core.cpython-${version/./}-aarch64-linux-gnu.so"

# --- run it -----------------------------------------------------------------------------------------
run() {
    "$emulated" -L "$place/root" -E PYTHONPATH="$place/site:$place/lib" "$place/root/usr/bin/python$version" "$@"
}
run -c "import platform, nardy; print(platform.machine(), nardy.build_info())"
here=$("$python" tools/signature.py)
there=$(run tools/signature.py)
echo "signature here $here, on aarch64 $there"
[ "$here" = "$there" ]
run -m pytest -p no:cacheprovider --benchmark-disable -m 'not slow' --quiet "${@:-tests/test_rules_examples.py}"
