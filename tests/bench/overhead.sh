#!/bin/sh
# overhead.sh: how much longer a whole program takes under libompp.
#
# Usage: overhead.sh ROUNDS PLAIN-PROGRAM KINST-PROGRAM [ARGS…]: runs both in turn, prints the medians of the wall times
# and the median of the ratios pair by pair.
set -eu
rounds=$1 plain=$2 kinst=$3
shift 3
times=$(mktemp)
trap 'rm -f "$times"' EXIT INT TERM

wall() {
	start=$(date +%s%N)
	OMPP_REPORTFILE=none "$@" >/dev/null 2>&1
	end=$(date +%s%N)
	echo $((end - start))
}

wall "$plain" "$@" >/dev/null
wall "$kinst" "$@" >/dev/null
i=0
while [ $i -lt "$rounds" ]; do
	a=$(wall "$plain" "$@")
	b=$(wall "$kinst" "$@")
	echo "$a $b" >>"$times"
	i=$((i + 1))
done
median() {
	sort -g | awk '{ v[NR] = $1 } END { printf "%.6f", v[int((NR + 1) / 2)] }'
}
printf '%s: plain %s s, kinst %s s, ratio %s (median of %d pairs)\n' "$(basename "$plain")" \
	"$(awk '{ print $1 / 1e9 }' "$times" | median)" "$(awk '{ print $2 / 1e9 }' "$times" | median)" \
	"$(awk '{ print $2 / $1 }' "$times" | median)" "$rounds"
