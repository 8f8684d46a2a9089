#!/bin/sh
# abi_types: prints what programs are compiled with: the functions of the public headers with their arguments, and each
# struct with the offsets of its members.  tests/package/ABI has those of the last release on x86-64 (make update-kept).
# Usage: abi_types.sh SOURCE
set -eu
source=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for header in runtime/ompp.h runtime/ompp_mem.h reports/ompp_flow.h runtime/ompp_sensor.h; do
	text=$source/$header
	# What is declared as a function can be pointed to; its type is that of the pointer.
	for name in $(grep -oE '\bompp_[a-z_0-9]+\(' "$text" | tr -d '(' | LC_ALL=C sort -u); do
		printf '#include "%s"\n__typeof__(%s) *p = %s;\n' "$text" "$name" "$name" >one.c
		! gcc -I"$source/runtime" -fsyntax-only one.c 2>/dev/null || echo "function $name"
	done >rows
	sed -nE 's/^(struct ompp_[a-z_]+) \{$/\1/p' "$text" | LC_ALL=C sort -u >>rows
	awk -v text="$text" 'BEGIN { print "#include \"" text "\"" }
		/^function/ { printf "__typeof__(%s) *v%d = %s;\n", $2, NR, $2; next }
		{ printf "%s *v%d;\n", $0, NR }' rows >all.c
	gcc -I"$source/runtime" -g -c all.c -o all.o
	awk '{ printf "echo == %s\\n\n%s v%d\n", $0, /^function/ ? "whatis" : "ptype /o *", NR }' rows | sed 's/\* v/*v/' >asked
	gdb -nx -batch -x asked all.o
done
