#!/bin/sh
# callstack.sh: what a walk to eight callers costs, in ns: with rules that are known and with new ones, by glibc's
# backtrace(), and what asking costs whether rules must be forgotten; medians and least.
# Usage: callstack.sh [ROUNDS]     Environment: CC, srcdir (top of the source)
set -eu
: "${CC:=gcc}" "${srcdir:=.}"
rounds=${1:-9}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

program=$srcdir/runtime/program base=$srcdir/runtime/base
$CC -O2 -pthread -I"$srcdir" "$srcdir/tests/bench/callstack.c" "$program/callstack.c" "$program/callstack_rule.c" \
	"$program/callstack_cfi.c" "$srcdir/runtime/host/real.c" "$srcdir/runtime/host/dynamic.c" "$base/auxv.c" "$base/proc.c" "$base/text.c" "$base/filter.c" -ldl -o "$work/walk"

i=0
while [ $i -lt "$rounds" ]; do
	"$work/walk" >>"$work/times"
	i=$((i + 1))
done

printf '%-16s %9s %9s\n' 'eight callers' median least
sort -k1,1 -k2,2g "$work/times" | awk '
	function row() { if (n) printf "%-16s %9.1f %9.1f\n", name, v[int((n + 1) / 2)], v[1] }
	$1 != name { row(); name = $1; n = 0 }
	{ v[++n] = $2 }
	END { row() }'
