# lib.sh: what the tests of the packages share.  Each runs in a folder of its own.
set -eu
export OMPP_QUIET=1 LC_ALL=C
cd "${AUTOPKGTEST_TMP:-$(mktemp -d)}"

fail() {
	echo "FAILED: $*"
	exit 1
}

# profile PROGRAM…: runs it, and shows what it measured in the file out.csv.
profile() {
	rm -f ./*.ompp
	"$@" >said || fail "$*: status $?"
	ompp report --format=csv --view=flat,data ./*.ompp >out.csv || fail "$*: no report"
}

# visits TYPE N: the first region of this type was visited so often, by all threads together.
visits() {
	awk -F, -v type="$1" -v n="$2" '
		/^##BEG R/ { getline; inside = $2 == type; next }
		inside && $1 == "SUM" { found = $3; exit }
		END { exit found != n }' out.csv || { cat out.csv; fail "$1 was not visited $2 times"; }
}

# accesses OBJECT LOADS STORES: a data object has so many in parallel regions.
accesses() {
	grep -q "^$1,R[0-9]*,PARALLEL LOOP,[^,]*,[0-9]*,[0-9]*,[^,]*,$2,$3," out.csv ||
		{ cat out.csv; fail "$1 has not $2 loads and $3 stores"; }
}

# by_loops COMPILER SOURCE: the packaged plug-in counts the accesses of its loops.
by_loops() {
	kinst --verbose --access "$1" -O2 -fopenmp -c "$2" -o loops.o 2>&1 |
		grep -q "accesses are counted by /usr/lib/.*/kinst/loops_" || fail "$1 has no plug-in"
}

# What is compiled is counted by arithmetic: 10 rounds of two threads over 1000 elements.
cat >sum.c <<'C'
#include <stdio.h>

int main(void)
{
	static double a[1000];

#pragma pomp inst data(a, sizeof a, "a")
	for (int round = 0; round < 10; round++) {
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < 1000; i++)
			a[i] += i;
	}
	return printf("%g\n", a[999]) < 0;
}
C

# measure_sum COMPILER: builds sum.c by it, and checks what it prints and what is counted.
measure_sum() {
	kinst "$1" -O2 -fopenmp sum.c -o sum || fail "$1: it does not compile"
	profile ./sum
	[ "$(cat said)" = 9990 ] || fail "$1: the program prints $(cat said)"
	visits 'PARALLEL LOOP' 20
	accesses a 10000 10000
}
