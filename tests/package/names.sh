#!/bin/sh
# names: prints the names that NEWS promises to keep, sorted: options and commands, variables, columns of the JSON, symbols
# of the shared libraries.  tests/package/KEPT has those of the last release (make update-kept writes it).
# Usage: names.sh SOURCE BUILD-FOLDER
set -eu
source=$1 build=$2
{
	"$build/kinst" --help | grep -o '^  --[a-z-]*' | sed 's/^ */kinst /'
	"$build/ompp" help --words | cut -f 1 | sed 's/^/ompp /'
	"$build/ompp" help --words | cut -f 1 | grep -v '^-' | while read -r command; do
		"$build/ompp" help --words "$command" | cut -f 1 | sed "s/^/ompp $command /"
	done
	sed -n 's/^OPTION(\([A-Z0-9_]*\),.*/OMPP_\1/p' "$source/env/options.def"
	sed -n 's/^ \([^ ]*\)@Base .*/symbol \1/p' "$source"/env/debian/*.symbols
	python3 - "$build/env/ompp-profile-1.schema.json" <<'P'
import json
import sys

def columns(place, of):
    for name, what in of.get("properties", {}).items():
        print("json", place + name)
        columns(place + name + ".", what)
        columns(place + name + "[].", what.get("items", {}) if isinstance(what.get("items"), dict) else {})

columns("", json.load(open(sys.argv[1])))
P
} | LC_ALL=C sort -u
