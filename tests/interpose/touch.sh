# touch: first touches of pages in programs that kinst did not build, by each thread, the first one before all others begin too:
# the pages of each block that a thread touched are those that the program touches, by pthreads, C11, C++ and OpenMP
. "$srcdir/tests/lib.sh"
cat >touch.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <threads.h>
#include <unistd.h>
#ifdef OPENMP
#include <omp.h>
#endif
#ifdef __cplusplus
#include <thread>
#endif
enum { N = 4, PAGE = 4096 };
static void touch(int n)
{
	char *block = (char *)aligned_alloc(PAGE, n * PAGE);
	for (int i = 0; i < n; i++) {
		block[(long)i * PAGE] = 1;
		if (i % 16 == 0)
			usleep(500);
	}
}
static int pages(int n)
{
	return 60 + 40 * n;
}
static void *work(void *arg)
{
	touch(pages((int)(long)arg));
	return NULL;
}
static int work_c11(void *arg)
{
	work(arg);
	return 0;
}
int main(void)
{
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	touch(pages(N));
#if defined(OPENMP)
#pragma omp parallel num_threads(N)
	work((void *)(long)omp_get_thread_num());
#elif defined(__cplusplus)
	std::thread t[N];
	for (long i = 0; i < N; i++)
		t[i] = std::thread([i] { work((void *)i); });
	for (int i = 0; i < N; i++)
		t[i].join();
#elif defined(C11)
	thrd_t t[N];
	for (long i = 0; i < N; i++)
		thrd_create(&t[i], work_c11, (void *)i);
	for (int i = 0; i < N; i++)
		thrd_join(t[i], NULL);
#else
	pthread_t t[N];
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
#endif
	return 0;
}
C
cp touch.c touch.cc
line=$(grep -n 'block\[(long)' touch.c | cut -d: -f1)

# of_threads: "0" for the first thread or "worker", and pages, of each row of the touching line
of_threads() {
	awk -F, -v line="$line" '
		/^##BEG first touches$/ { inside = 1; getline; for (i = 1; i <= NF; i++) at[$i] = i; next }
		/^##END/ { inside = 0 }
		inside && $at["source line"] == line && $1 != "(other)" { print ($2 == "0" ? "0" : "worker"), $at["pages"] }' touch.csv | sort
}
is_so() {
	rm -f touch.csv
	OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=touch.csv OMPP_PROFILE=0 ompp run --sample=touch --objects=all ./touch >out 2>said ||
		fail "$how: $(cat said)"
	! grep -q 'source touch is off' said || skip "$(cat said)"
	of_threads >found
	cmp -s expected found
}
# check COMPILER FLAGS…: a program; its blocks have pages of their own
check() {
	how=$*
	"$@" -w -O1 -g -fno-inline -o touch -pthread || fail "$how: does not build"
	retry 10 is_so || fail "$how: $(cat found), not $(cat expected)"
}
printf '%s\n' '0 220' 'worker 100' 'worker 140' 'worker 180' 'worker 60' | sort >expected
check "$CC" touch.c
check "$CC" -DC11 touch.c
[ -z "$GXX" ] || check "$GXX" -std=c++17 touch.cc
# The first one of a team is the program's first thread, whose pages in the region are a row of their own.
printf '%s\n' '0 220' '0 60' 'worker 100' 'worker 140' 'worker 180' | sort >expected
check "$CC" -DOPENMP -fopenmp touch.c
