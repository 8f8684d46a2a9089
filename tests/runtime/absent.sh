# absent: what a run has written has its symbols and lines, also when the program and its libraries are gone, or others are in
# their places; a library that was replaced while the program ran gives none of its lines to the one before
. "$srcdir/tests/lib.sh"

cat >library.c <<'C'
#include <stdlib.h>
double *make_it(int n)
{
	double *made = malloc(n * sizeof(double));
	for (int i = 0; i < n; i++)
		made[i] = i;
	return made;
}
C
cat >main.c <<'C'
#include <stdio.h>
double *make_it(int n);
int main(int argc, char **argv)
{
	double *a = make_it(20000), sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 20000; i++)
		sum += a[i];
	if (argc > 1 && rename(argv[1], "libit.so"))
		return 1;
	printf("%g\n", sum);
	return 0;
}
C
# the same in other lines
sed '1a\
\
\
static double *other_name(int n) { return (double *)malloc(n); }\
void *other(int n) { return other_name(n); }' library.c >other.c
"$builddir/kinst" --access $CC -g -O1 -fPIC -shared library.c -o libit.so
"$builddir/kinst" --access $CC -g -O1 -fPIC -shared other.c -o other.so
"$builddir/kinst" --access $CC -g -O1 -fopenmp main.c -o main -L. -lit -Wl,-rpath,"$PWD"

sample=hook
has_sample_clock || sample=off
# run NAME ARG…: runs the program with all that it can write
run() {
	name=$1
	shift
	OMPP_OBJECTS=all OMPP_TRACE=1 OMPP_SAMPLE=$sample OMPP_SAMPLE_PERIOD=50 OMPP_QUIET=1 OMPP_APPNAME="$name" ./main "$@" >/dev/null
}

# show FOLDER: makes all reports
show() {
	mkdir "$1"
	ompp report --view=all run.*.ompp >"$1/report"
	ompp report --instances --format=csv run.*.ompp >"$1/csv"
	ompp report --format=json run.*.ompp >"$1/json"
	ompp report --format=html run.*.ompp >"$1/html"
	ompp annotate run.*.ompp >"$1/annotate"
	for view in objects functions pages events instances overlap private; do
		ompp flow --view=$view run.*.flow >"$1/$view"
		ompp flow --view=$view --format=csv run.*.flow >"$1/$view.csv"
	done
	OMPP_QUIET=1 ompp flow --chrome="$1/chrome" run.*.flow >/dev/null
	for view in objects regions pages history time heat threads sharing nodes producers csv framesoc; do
		ompp pages --view=$view uses.*.pages >"$1/pages.$view"
	done
}

run run
OMPP_PAGES=auto run uses
show before
grep -q 'library.c:4 made' before/pages.objects || { cat before/pages.objects; fail 'the data of the library in pages'; }
grep -q 'library.c:4' before/report || { cat before/report; fail 'the line of the library'; }
[ $sample = off ] || grep -q 'make_it' before/functions || fail 'the function of the library'

# others in their places, and nothing at all
cp libit.so kept.so
cp main kept
cp other.so libit.so.new && mv libit.so.new libit.so
"$builddir/kinst" --access $CC -g -O0 -fopenmp -Dmain=_other_main -c main.c -o other.o && echo 'int main(void) { return 0; }' >empty.c
$CC -g -fopenmp empty.c -o main.new && mv main.new main
show rebuilt
rm main libit.so other.o
show gone
for folder in rebuilt gone; do
	for report in before/*; do
		same "$folder: ${report##*/}" "$report" "$folder/${report##*/}"
	done
done

# A library that is replaced while the program runs: no line of the new one, and no name of its functions.
mv kept main
mv kept.so libit.so
run replaced other.so
ompp report --format=csv --view=all replaced.*.ompp >replaced.csv
! grep -q 'other.c\|other_name' replaced.csv || fail 'lines of another library'
grep -q 'libit.so (replaced)+0x' replaced.csv || { grep -n libit replaced.csv; fail 'the library that was replaced'; }
ompp flow --view=events --format=csv replaced.*.flow >events.csv
! grep -q 'other.c\|other_name' events.csv || fail 'lines of another library in the trace'
grep -q 'main.c' events.csv || fail 'lines of the program in the trace'
