# unknown: a part of a directive that the compiler does not know never reaches it by kinst
. "$srcdir/tests/lib.sh"
need clang

# clang passes over the rest of a line behind a comma, and (before version 15) behind `parallel` combined with what is new
for directive in 'parallel, num_threads(2) firstprivate(x)' 'parallel masked num_threads(2) firstprivate(x)' \
	'parallel loop num_threads(2) firstprivate(x)' 'parallel for, num_threads(2) lastprivate(x)' 'parallel num_threads(2), firstprivate(x)'; do
	cat >program.c <<C
#include <stdio.h>
int main(void)
{
	int x = 1, n = 0;
#pragma omp $directive
	for (int i = 0; i < 4; i++) {
#pragma omp atomic
		n++;
#pragma omp atomic write
		x = 2;
	}
	printf("%d %d\n", x, n);
	return 0;
}
C
	for compiler in clang gcc; do
		$compiler -w -fopenmp program.c -o plain 2>/dev/null || continue
		kinst $compiler -w -fopenmp program.c -o ours || fail "$compiler: $directive"
		OMP_NUM_THREADS=3 ./plain >want
		OMP_NUM_THREADS=3 OMPP_REPORTFILE=none ./ours >got
		same "$compiler: $directive" want got
	done
done

# libomp of clang 14 ends programs with detached tasks at an explicit barrier in a team of one thread
cat >program.c <<'C'
#include <omp.h>
#include <stdio.h>
int main(void)
{
	omp_event_handle_t event;
	int n = 0;
#pragma omp parallel private(event)
	{
#pragma omp task detach(event) untied
#pragma omp atomic
		n++;
#pragma omp task untied
		omp_fulfill_event(event);
#pragma omp taskwait
	}
	printf("%s\n", n ? "done" : "not done");
	return 0;
}
C
clang -w -fopenmp program.c -o plain
kinst clang -w -fopenmp program.c -o ours
for threads in 1 3; do
	OMP_NUM_THREADS=$threads ./plain >want
	OMP_NUM_THREADS=$threads OMPP_REPORTFILE=none ./ours >got || fail "a detached task of $threads: $?"
	same "a detached task of $threads" want got
done
