#!/bin/sh
# prepare.sh: kinst's own processor time for a preprocessed text, by what is in it, and whether it is linear in the lines.
#
# The compilers that kinst runs here do nothing, and their time is subtracted.  One line a kind of text: ms per 10,000 lines
# for texts of 10,000, 20,000 and 40,000 lines with a construct in five of them, then with 200 and without constructs in
# 10,000.  To hold: 10 ms, and the same for all sizes.
# Usage: prepare.sh [ROUNDS]      Environment: WRAPPER (the wrapper), CC, srcdir.
set -eu
: "${WRAPPER:=kinst}" "${srcdir:=.}"
rounds=${1:-11}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
${CC:-cc} -D_GNU_SOURCE -O2 "$srcdir/tests/bench/prepare.c" -o "$work/prepare"
ln -s prepare "$work/gcc"
ln -s prepare "$work/gfortran"
unset KINST_FLAGS
: >"$work/empty.c"
nothing=$("$work/prepare" time 40 "$work/gcc" -c "$work/empty.c")

# one KIND LINES CONSTRUCTS: ms per 10,000 lines.
one() {
	case $1 in
	fortran | loops) text=$work/a.f90 compiler=$work/gfortran n_processes=3 ;;
	*) text=$work/a.i compiler=$work/gcc n_processes=2 ;;
	esac
	"$work/prepare" text "$1" "$2" "$3" >"$text"
	us=$("$work/prepare" time "$rounds" "$WRAPPER" "$compiler" -fopenmp -c "$text" -o "$work/a.o" 2>/dev/null)
	lines=$(wc -l <"$text")
	awk -v us="$us" -v none="$nothing" -v n=$n_processes -v lines="$lines" \
		'BEGIN { printf " %9.1f", (us - n * none) / 1000 * 10000 / lines }'
}

printf '%-14s%10s%10s%10s%12s%10s\n' 'ms a 10,000' '10,000' '20,000' '40,000' '200 constr.' 'none'
for kind in plain functions headers declarations nested user inside chain fortran loops; do
	printf '%-14s' $kind
	for lines in 10000 20000 40000; do
		one $kind $lines $((lines / 5))
	done
	printf '  '
	one $kind 10000 200
	one $kind 10000 0
	echo
done
