#!/bin/sh
# cache.sh: what the cache model costs by access, in ns, without the hook that calls it: medians and least, for patterns
# of access.  Misses are of the first pass over the pattern's addresses.
# Usage: cache.sh [ROUNDS]     Environment: CC, srcdir (top of the source), CACHE (as OMPP_CACHE; default L1=48K/12/64,
# L2=1M/16/64,L3=32M/16/64).
set -eu
: "${CC:=gcc}" "${srcdir:=.}" "${CACHE:=L1=48K/12/64,L2=1M/16/64,L3=32M/16/64}"
rounds=${1:-9}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

base=$srcdir/runtime/base
$CC -O2 -I"$srcdir" "$srcdir/tests/bench/cache.c" "$srcdir/runtime/data/cache.c" "$srcdir/runtime/host/file.c" "$srcdir/runtime/terms/option.c" "$base/text.c" \
	"$base/nearest.c" -o "$work/cache"

i=0
while [ $i -lt "$rounds" ]; do
	"$work/cache" "$CACHE" >>"$work/times"
	i=$((i + 1))
done

printf '%-16s %7s %7s %7s   misses: %s %s %s\n' "cache model" median least empty L1 L2 L3
sort -k1,1 -k2,2g "$work/times" | awk '
	function row() {
		if (n) printf "%-16s %7.1f %7.1f %7.1f           %s\n", name, v[int((n + 1) / 2)], v[1], floor, misses
	}
	$1 != name { row(); name = $1; n = 0; floor = $3 }
	{ v[++n] = $2; if ($3 < floor) floor = $3; misses = $4 " " $5 " " $6 }
	END { row() }'
