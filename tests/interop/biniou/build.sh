#!/usr/bin/env bash
# Builds OUTDIR/checker from the schemas of the fixtures and the OCaml files here.
# Debian packages: ocaml ocaml-findlib libbiniou-ocaml-dev libatdgen-ocaml-dev.
set -euo pipefail

if [ $# -ne 1 ]; then
    echo "usage: build.sh OUTDIR" >&2
    exit 2
fi
for tool in atdgen ocamlfind ocamlopt; do
    if ! command -v "$tool" >/dev/null; then
        echo "build.sh: needs $tool (see README.md)" >&2
        exit 1
    fi
done

here=$(cd "$(dirname "$0")" && pwd)
schemas=$(cd "$here/../../fixtures/biniou/schemas" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)

# A temporary folder, so that two builds at a time do not conflict.
work=$(mktemp -d "$out/build.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "$schemas"/*.atd "$here"/*.ml "$work"
cd "$work"

# One line per type of the schemas: a type without a generator does not compile.
# Parametrized types have no values of their own and do not match.
generated=()
echo "let kinds = [" >catalogue.ml
for file in *.atd; do
    schema=${file%.atd}
    atdgen -t "$file"
    atdgen -b "$file"
    atdgen -j -j-std "$file"
    for part in t b j; do
        generated+=("${schema}_$part.mli" "${schema}_$part.ml")
    done
    for name in $(sed -nE 's/^type ([a-z0-9_]+) =.*/\1/p' "$file"); do
        echo "  Kind.make \"$schema.$name\" Values.${schema^}.$name" \
            "${schema^}_b.read_$name ${schema^}_b.write_$name ${schema^}_j.write_$name;"
    done >>catalogue.ml
done
echo "]" >>catalogue.ml

ocamlfind ocamlopt -package atdgen-runtime,biniou,yojson -linkpkg -o checker \
    "${generated[@]}" generate.ml values.ml kind.ml catalogue.ml checker.ml
mv checker "$out/checker"
