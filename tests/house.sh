#!/usr/bin/env bash
# Rules of the house that no compiler knows. Prints each breach and fails.
set -uo pipefail
cd "$(dirname "$0")/.."

breaches=0

# breach HEADING FOUND: prints both if anything was found.
breach() {
    if [ -n "$2" ]; then
        printf '%s\n%s\n' "$1" "$2"
        breaches=1
    fi
}

formats=$(find src -mindepth 2 -maxdepth 2 -name wire.rs -printf '%h\n' | sed 's|src/||')
[ -n "$formats" ] || breach "no formats found:" "no folder of src has wire.rs"

for format in $formats; do
    for sibling in $formats; do
        [ "$format" = "$sibling" ] ||
            breach "a format names its sibling:" "$(grep -rnE "crate::$sibling\b" "src/$format")"
    done
    breach "the shared floor names a format:" \
        "$(grep -rnE "crate::$format\b|feature = \"$format\"" src/*.rs src/{any,fast,glue,spans,tensor} |
            grep -vE '^src/(lib|pages|fast|glue|spans)\.rs:')"
    breach "a wire room knows serde:" "$(grep -nE 'serde_core|[Vv]isitor' "src/$format/wire.rs")"
done

breach "a verb, a picture or the JSON model asks which format or container it has:" \
    "$(grep -rnE '\b(Format|Container)::[A-Z][a-z]' cli/src/verbs cli/src/graph cli/src/model)"
breach "lines that do not live in src and cli/src:" \
    "$(grep -rnE 'type_name::<|todo!\(|unimplemented!\(' src cli/src --include='*.rs')"
breach "unsafe outside its rooms:" \
    "$(grep -rnE '\bunsafe\b' src cli/src --include='*.rs' | grep -vE '^src/(tensor/mmap|text)\.rs:')"
breach "reaches outside the project, or names a machine's path:" \
    "$(git grep -nE '\.\./shared|(^|[^a-z.])/(root|home|work)/' -- '*.rs' '*.toml' '*.md' '*.sh' '*.yml' ':!tests/house.sh')"

exit "$breaches"
