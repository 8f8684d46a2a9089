# sanitizers: a program with any sanitizer of any compiler that is here starts and ends with kinst as without it, also with
# another layout of its memory and under valgrind, and has its report; each time with a third of them
. "$srcdir/tests/lib.sh"
OMPP_REPORTFILE=report.csv OMPP_OUTFORMAT=CSV OMPP_QUIET=1 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
# The OpenMP libraries are not built with sanitizers, which report what they do.
TSAN_OPTIONS=report_bugs=0 MSAN_OPTIONS=intercept_strlen=0
export OMPP_REPORTFILE OMPP_OUTFORMAT OMPP_QUIET OMP_NUM_THREADS OMP_WAIT_POLICY TSAN_OPTIONS MSAN_OPTIONS

cat >all.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static double a[10000];
int main(int argc, char **argv)
{
	double *b = calloc(100, sizeof(*b)), sum = 0;
	int n = argc, one = 0;

	(void)argv;
	for (int r = 0; r < 5; r++) {
#pragma omp parallel for reduction(+ : sum)
		for (int i = 0; i < 10000; i++)
			sum += a[i] += i * r;
	}
#pragma omp parallel num_threads(n + 1)
	{
#pragma omp single
		for (int i = 0; i < 100; i++) {
#ifndef NO_TASKS /* whose data the OpenMP library writes, which is not built with MemorySanitizer */
#pragma omp task firstprivate(i)
#endif
			b[i] = i;
		}
#pragma omp taskwait
#pragma omp critical
		one++;
#pragma omp barrier
#pragma omp sections
		{
#pragma omp section
			b[0]++;
#pragma omp section
			b[1]++;
		}
#pragma omp master
		b[2]++;
#pragma omp atomic
		one += 2;
	}
	for (int i = 0; i < 100; i++)
		sum += b[i];
	printf("%g %d\n", sum, one);
	free(b);
	return argc > 1 ? 0 : 5;
}
C

# ends COMMAND…: runs it; its status, output and what a sanitizer says first, without numbers that differ from run to run
ends() {
	status=0
	"$@" >got 2>err || status=$?
	echo "status $status" >>got
	sed -n 's/^[^a-zA-Z]*[0-9]*[^a-zA-Z]*\(\(FATAL\|ERROR\|WARNING\): .*\)/\1/p' err | sed 's/0x[0-9a-f]*//g; q' >>got
}

both() { # both NAME COMMAND…: with the plain program and ours behind it
	what=$1
	shift
	ends "$@" ./plain
	mv got want
	rm -f report.csv
	ends "$@" ./ours
	same "$name, $what" want got
	grep -q '^status 5$' got || return 0 # the plain program does not start like that, either
	[ "$(csv_field report.csv "PARALLEL LOOP" SUM execC)" = 10 ] || fail "$name, $what: the report"
	tried="$tried $name:$what"
}

unlimited() { (ulimit -s unlimited 2>/dev/null; "$@"); } # libraries from a third of the addresses upwards
unrandom=
setarch -R true 2>/dev/null && unrandom='setarch -R'
tried=
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	for flags in address leak undefined thread 'memory -DNO_TASKS' 'memory -DNO_TASKS -fsanitize-memory-track-origins' \
		hwaddress dataflow safe-stack 'address -fsanitize-address-use-after-scope -fno-omit-frame-pointer'; do
		in_part 3 || continue
		name="$compiler -fsanitize=$flags"
		$compiler -O1 -fopenmp -fsanitize=$flags all.c -o plain 2>/dev/null || continue
		kinst --strict $compiler -O1 -fopenmp -fsanitize=$flags all.c -o ours || fail "$name: not built"
		both 'as it is' env
		both 'unlimited stack' unlimited
		[ -z "$unrandom" ] || both 'fixed addresses' $unrandom
	done
	if command -v valgrind >/dev/null; then
		name="$compiler, valgrind"
		$compiler -O1 -fopenmp all.c -o plain
		kinst --strict $compiler -O1 -fopenmp all.c -o ours
		both 'as it is' valgrind -q
	fi
done
echo "tried:$tried"
case $tried in *=*:as*) ;; *) fail 'no sanitizer at all' ;; esac
