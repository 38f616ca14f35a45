#!/usr/bin/env bash
# Tests on a big-endian machine of 64 bits, by emulation, and on a little-endian one of 32, which an
# x86-64 processor is too. If the system lacks what that needs, it prints that and passes.
#
# Emulation runs the unit tests, those of every format's public API, and random types. With FOREIGN_TESTS=all
# it runs those of each format as well, as the other machine always does; that takes half an hour.
set -euo pipefail
cd "$(dirname "$0")/.."

few=(--lib --test swap --test differential --test attacks)
all=("${few[@]}" --test biniou --test molecule --test primitiv --test tsm --test linear)

# machine RUST_TARGET COMPILER RUNNER TEST ..
machine() {
    local target=$1 compiler=$2 runner=$3 name
    shift 3
    if ! command -v "${runner%% *}" "$compiler" >/dev/null ||
        ! rustup target list --installed 2>/dev/null | grep -qx "$target"; then
        echo "skipped: $target, which takes ${runner%% *}, $compiler and rustup target add $target"
        return
    fi
    echo "== $target"
    name=$(tr 'a-z-' 'A-Z_' <<<"$target")
    env "CARGO_TARGET_${name}_LINKER=$compiler" "CARGO_TARGET_${name}_RUNNER=$runner" \
        CARGO_PROFILE_TEST_DEBUG=0 CARGO_INCREMENTAL=0 \
        cargo test --quiet --package fourfold --features half,ndarray,num-complex --target "$target" "$@"
}

if [ "${FOREIGN_TESTS:-}" = all ]; then
    few=("${all[@]}")
fi
machine s390x-unknown-linux-gnu s390x-linux-gnu-gcc "qemu-s390x -L /usr/s390x-linux-gnu" "${few[@]}"

folder=/usr/i686-linux-gnu
loader="$folder/lib/ld-linux.so.2"
if "$loader" --version >/dev/null 2>&1; then
    machine i686-unknown-linux-gnu i686-linux-gnu-gcc "$loader --library-path $folder/lib" "${all[@]}"
else
    machine i686-unknown-linux-gnu i686-linux-gnu-gcc "qemu-i386 -L $folder" "${few[@]}"
fi
