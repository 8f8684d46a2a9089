#!/bin/sh
# abi_types: prints what programs are compiled with: the functions of the public headers with their arguments, and each
# struct with the offsets of its members; the same of what hooks call and read, which are linked into programs.
# tests/package/ABI has those of the last release on x86-64 (make update-kept).
# Usage: abi_types.sh SOURCE
set -eu
source=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
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

# What the hooks have of libompp's names, and code of the plug-ins of the hooks.
{
	sed 's/^/#include "runtime\//; s/$/"/' <<-'E'
		access/access.h
		adapters/access_hooks.h
		adapters/run_hooks.h
		data/mixed.h
		data/unsampled.h
	E
	printf '#undef %s\n#define %s ompp_access_own\n' ompp_access_tally ompp_access_tally
} >hooks.h
{
	sed -n 's/^ \(ompp_\(access\|no\)_[a-z_]*\)@.*/\1/p' "$source/env/debian/libompp1.symbols"
	grep -ohE '\bompp_access_[a-z_0-9]+\(' "$source/runtime/adapters/run_hooks.h" | tr -d '('
	printf 'struct ompp_%s\n' branch list grain_segment # words of tables lead to these
} | LC_ALL=C sort -u | while read -r name; do
	printf '#include "hooks.h"\n__typeof__(%s) *p;\n' "$name" >one.c
	! gcc -I. -I"$source" -fsyntax-only one.c 2>/dev/null || echo "$name"
done | cat -n >names # the number and the name
{
	echo '#include "hooks.h"'
	while read -r number name; do
		echo "__typeof__($name) *v$number;"
	done <names
} >all.c
gcc -I. -I"$source" -g -O1 -c all.c -o all.o
gdb -nx -batch -x "$here/abi_hooks.py" all.o
