# lock_names: each lock has the name of its variable or of what the program calls it, and the lines that set it; the same in
# each run, for each compiler; those of an array are one when they are many
. "$srcdir/tests/lib.sh"
OMPP_QUIET=1 OMPP_OUTFORMAT=PLAIN,CSV OMPP_REPORTFILE=$work/report OMP_NUM_THREADS=1
export OMPP_QUIET OMPP_OUTFORMAT OMPP_REPORTFILE OMP_NUM_THREADS

# "name file:line, file:line" of each LOCK in a report, sorted; and as the source wants it
named() {
	sed -n 's/^R[0-9]*,\(NEST \)\{0,1\}LOCK,[^,]*,[0-9]*,[0-9]*,\([^,]*\),[0-9]*,"*\(\([^"]*:[0-9][^"]*\)\{0,1\}\)"*$/\2 \3/p' report.csv | sort
}
wanted() {
	awk -v file="${1##*/}" '/set: / {
		line = FNR; sub(/.*set: /, ""); sub(/ *\*\/$/, ""); n = split($0, names, ", ")
		for (i = 1; i <= n; i++)
			at[names[i]] = at[names[i]] (at[names[i]] ? ", " : "") file ":" line
	} END { for (name in at) print name, at[name] }' "$1" | sed "s/SIX/${2:-}/" | sort
}

check() {
	source=$srcdir/tests/runtime/$1
	shift
	kinst --strict "$@" -fopenmp -w "$source" -o ours || fail "$*"
	ours=$(./ours) || fail "$*: ends with $?"
	wanted "$source" "$ours" >want
	named >got
	same "$*: names" want got
	cp report.csv first
	./ours >/dev/null
	named >again
	same "$*: a second run" got again
	! grep -q '0x' got || fail "$*: addresses"
}

for c in $CC clang; do
	command -v "${c%% *}" >/dev/null || continue
	check lock_names.c "$c"
	check lock_names.c "$c" -O2 -no-pie
done
for c in $GXX clang++; do
	command -v "$c" >/dev/null && check lock_names.cpp "$c"
done
if [ -n "$GFORTRAN" ]; then
	check lock_names.f90 $GFORTRAN
	check lock_names.f90 $GFORTRAN -g -O2
fi

kinst $CC -fopenmp -w "$srcdir/tests/runtime/lock_names.c" -o ours
./ours >/dev/null
grep -q '(many\[\*\], 100 locks)\( \[costly\]\)\?, set at lock_names.c:' report.txt || fail "how many locks it is"
OMPP_COLLAPSE_LOCKS=array ./ours >/dev/null
grep -q '(arr\[\*\], 2 locks)' report.txt || fail "OMPP_COLLAPSE_LOCKS=array"
OMPP_COLLAPSE_LOCKS=0 ./ours >/dev/null
[ "$(csv_field report.csv 'LOCK:many[99]' 0 execC)" = 1 ] || fail "OMPP_COLLAPSE_LOCKS=0"
OMPP_COLLAPSE_LOCKS=1 ./ours >/dev/null
[ "$(csv_field report.csv 'LOCK:(all locks)' 0 execC)" = 134 ] || fail "OMPP_COLLAPSE_LOCKS=1"
OMPP_FILTER='arr[3],heap+i #4' ./ours >/dev/null
! named | grep -q '^arr\[3]\|#4' || fail "OMPP_FILTER"
OMPP_QUIET=0 OMPP_FILTER='arr[5]' ./ours 2>err >/dev/null
grep -q "arr\[5\].*did you mean 'arr\[" err || fail "OMPP_FILTER: a lock that there is not"
OMPP_QUIET=0 OMPP_COLLAPSE_LOCKS=arrays ./ours 2>err >/dev/null
grep -q "OMPP_COLLAPSE_LOCKS: 'arrays': not understood: one of auto,array,0,1; did you mean array? using auto" err || fail "a wrong value"

# without symbols, what the program calls them; without kinst's engine, symbols
strip ours
./ours >/dev/null
named | grep -q '^single lock_names.c:' && named | grep -q '^arr\[i] #3 ' || fail "stripped: $(named)"
if command -v opari2 >/dev/null; then
	kinst --engine=opari2 $CC -fopenmp -w "$srcdir/tests/runtime/lock_names.c" -o ours
	./ours >/dev/null
	named | grep -q '^single $' && named | grep -q '^many\[\*] $' || fail "--engine=opari2: $(named)"
fi

# a lock for each of 4,179 cells
cat >cells.c <<'EOF'
#include <omp.h>
static struct cell { double x; omp_lock_t lock; } cells[4179];
int main(void)
{
	for (int i = 0; i < 4179; i++)
		omp_init_lock(&cells[i].lock);
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < 4179; i++) {
		omp_set_lock(&cells[i].lock);
		cells[i].x += 1;
		omp_unset_lock(&cells[i].lock);
	}
	return 0;
}
EOF
kinst --strict $CC -fopenmp cells.c -o ours
./ours
[ "$(csv_field report.csv 'LOCK:cells[*].lock' SUM execC)" = 4179 ] || fail "cells"
[ "$(wc -c <report.csv)" -lt 10000 ] || fail "cells: $(wc -c <report.csv) bytes"

# Of a program that kinst did not build a lock on the heap is known by the line that initialises it: all of one line are one
# region, as by kinst.  Without debug information it is the call.
cat >heap.c <<'EOF2'
#include <omp.h>
#include <stdlib.h>
static omp_lock_t one;
int main(void)
{
	omp_lock_t *single = malloc(sizeof *single), *many = malloc(64 * sizeof *many);
	omp_init_lock(&one);
	omp_init_lock(single);
	for (int i = 0; i < 64; i++)
		omp_init_lock(&many[i]);
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 640; i++) {
		omp_set_lock(single);
		omp_unset_lock(single);
		omp_set_lock(&many[i % 64]);
		omp_unset_lock(&many[i % 64]);
		omp_set_lock(&one);
		omp_unset_lock(&one);
	}
	return 0;
}
EOF2
for how in -g -g0; do
	$CC $how -fopenmp heap.c -o heap
	OMPP_COLLAPSE_LOCKS=auto ompp run ./heap >/dev/null 2>&1
	case $how in
	-g) set -- ' heap\.c (8-8)\( \[.*\)\?$' ' heap\.c (10-10) (64 locks)' ' heap\.c (7-7) (one)' ;;
	*) set -- ' (main+0x[0-9a-f]*)\( \[.*\)\?$' ' (main+0x[0-9a-f]*, 64 locks)' ' (one)' ;;
	esac
	for lock; do
		sed -n '/^LOCK: /,/^$/p' report.txt | grep -q "^ \* R[0-9]*$lock" || { cat report.txt; fail "ompp run, $how: no lock$lock"; }
	done
	! grep -q 'unnamed' report.txt || fail "ompp run, $how: unnamed"
done
