#!/usr/bin/env bash
# Unit tests and the test of every format's face on a big-endian machine of 64 bits and on a
# little-endian one of 32, by emulation. Where the system lacks what that takes, says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."

# machine RUST_TARGET EMULATOR COMPILER FOLDER
machine() {
    local target=$1 emulator=$2 compiler=$3 folder=$4 name
    if ! command -v "$emulator" "$compiler" >/dev/null ||
        ! rustup target list --installed 2>/dev/null | grep -qx "$target"; then
        echo "skipped: $target, which takes $emulator, $compiler and rustup target add $target"
        return
    fi
    echo "== $target"
    name=$(tr 'a-z-' 'A-Z_' <<<"$target")
    env "CARGO_TARGET_${name}_LINKER=$compiler" \
        "CARGO_TARGET_${name}_RUNNER=$emulator -L $folder" \
        CARGO_PROFILE_TEST_DEBUG=0 CARGO_INCREMENTAL=0 \
        cargo test --quiet --features half,ndarray,num-complex --target "$target" \
        --lib --test swap --test hostile
}

machine s390x-unknown-linux-gnu qemu-s390x s390x-linux-gnu-gcc /usr/s390x-linux-gnu
machine i686-unknown-linux-gnu qemu-i386 i686-linux-gnu-gcc /usr/i686-linux-gnu
