#!/bin/sh
# programs.sh: how much longer whole programs take under libompp: the examples whose regions last over 100 µs, and
# FastTree, where tests/examples/fasttree.sh has fetched it into the build folder.
# Usage: programs.sh [ROUNDS]      Environment: WRAPPER (the wrapper), srcdir and builddir.
set -eu
: "${WRAPPER:=kinst}" "${srcdir:=.}" "${builddir:=.}"
rounds=${1:-11}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
OMP_NUM_THREADS=2
export OMP_NUM_THREADS

# compare NAME SOURCE FLAGS -- ARGS…
compare() {
	name=$1 source=$2 flags=$3
	shift 4
	# shellcheck disable=SC2086
	gcc -w -O2 -fopenmp $flags "$source" -o "$work/$name" -lm
	# shellcheck disable=SC2086
	"$WRAPPER" gcc -w -O2 -fopenmp $flags "$source" -o "$work/$name.kinst" -lm
	"$srcdir/tests/bench/overhead.sh" "$rounds" "$work/$name" "$work/$name.kinst" "$@"
}

for name in matvec imbalance critical single barrier sections; do
	compare $name "$srcdir/examples/$name.c" "" --
done
if [ -f "$builddir/fasttree/fasttree.c" ]; then
	compare fasttree "$builddir/fasttree/fasttree.c" "-O3 -DOPENMP -DUSE_DOUBLE -finline-functions -funroll-loops" -- \
		-seed 12345 -quiet "$builddir/fasttree/debian/tests/test.phylip"
fi
