# unloaded_many: more files than libompp notes, and more of them at one place, and a path that is too long: what was loaded
# before has its names, and the report says what has none.
. "$srcdir/tests/lib.sh"

cat >library.c <<'C'
#include <stdlib.h>
double *make_it(int n)
{
	double *made = malloc(n * sizeof(double));
	made[0] = n;
	return made;
}
C
cat >host.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* Loads the libraries FROM to END - 1, and lets each make its data; unloads each when KEEP is 0. */
static void *use(int from, int end, int keep)
{
	void *handle = NULL;

	for (int i = from; i < end; i++) {
		char path[100];
		double *(*make)(int);

		snprintf(path, sizeof(path), "./lib%d.so", i);
		handle = dlopen(path, RTLD_NOW);
		make = handle ? (double *(*)(int))dlsym(handle, "make_it") : NULL;
		if (!make || make(1000)[0] != 1000)
			abort();
		if (!keep)
			dlclose(handle);
	}
	return handle;
}

int main(int argc, char **argv)
{
	int n = atoi(argv[1]), keep = argc > 2;
	void *last = use(0, n, keep);

#pragma omp parallel
	{ }
	if (keep)
		dlclose(last);
	use(0, 1, 1);
	return 0;
}
C
$CC -g -O1 -fPIC -shared library.c -o lib0.so
"$builddir/kinst" $CC -g -O1 -fopenmp host.c -o host -ldl || fail 'compile'
for i in $(seq 529); do
	cp lib0.so lib$i.so
done
export OMPP_OBJECTS=all OMPP_QUIET=1 OMPP_OUTFORMAT=CSV OMP_NUM_THREADS=2

# run NAME ARG…: blocks of the run that have the name of the line, and those of no known call
run() {
	name=$1
	shift
	OMPP_REPORTFILE="$PWD/$name.csv" ./host "$@" || fail "$name: ends with $?"
	awk -F, '/^##BEG / { inside = /BEG blocks/; next } inside && /library.c:4 made = malloc/ { n += $2 } END { print n + 0 }' "$name.csv"
}
few=$(run few 20)
[ "$few" -ge 21 ] || { grep -A5 '^##BEG blocks' few.csv; fail "20 libraries: $few blocks"; }
! grep -q 'have no names' few.csv || fail '20 libraries: a note'
many=$(run many 529 keep)
[ "$many" -ge 450 ] || { grep -A5 '^##BEG blocks' many.csv; fail "529 libraries: $many blocks"; }
grep -q 'More than 512 files were loaded; addresses in later ones have no names' many.csv || fail '529 libraries: no note'
place=$(run place 80)
[ "$place" -ge 55 ] || { grep -A5 '^##BEG blocks' place.csv; fail "80 libraries in turn: $place blocks"; }
grep -q 'More than 62 files were loaded at one place; addresses in later ones have no names' place.csv || fail '80 libraries in turn: no note'

long=$(printf 'a%.0s' $(seq 200))
mkdir -p "$long/$long/$long"
cp host lib*.so "$long/$long/$long/"
cd "$long/$long/$long"
OMPP_REPORTFILE="$work/long.csv" ./host 3 || fail "long: ends with $?"
cd "$work"
grep -q 'The path of a file has more than 511 bytes; addresses in it have no names' long.csv || fail 'a long path: no note'
