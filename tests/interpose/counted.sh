# counted: what counting a free lock adds to the program is what the report says that it cost, within a fifth: measured
# in the same run, by the C library's own function, which the program looks up, and by the call
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/measure.sh"
cat >free.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
enum { ROUNDS = 60, N = 100000 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int (*plain)(pthread_mutex_t *m);
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}
static void *nothing(void *arg)
{
	return arg;
}
int main(void)
{
	double least[2] = { 1e18, 1e18 };
	pthread_t t;
	*(void **)&plain = dlsym(RTLD_DEFAULT, "pthread_mutex_lock");
	pthread_create(&t, NULL, nothing, NULL);
	pthread_join(t, NULL);
	for (int i = 0; i < 2 * ROUNDS; i++) {
		double begin = now();
		if (i % 2)
			for (int k = 0; k < N; k++) {
				pthread_mutex_lock(&m);
				pthread_mutex_unlock(&m);
			}
		else
			for (int k = 0; k < N; k++) {
				plain(&m);
				pthread_mutex_unlock(&m);
			}
		begin = now() - begin;
		least[i % 2] = begin < least[i % 2] ? begin : least[i % 2];
	}
	fprintf(stderr, "added %.3f\n", (least[1] - least[0]) / N);
	return 0;
}
C
$CC -O2 -g free.c -o free -pthread -ldl
is_so() {
	rm -f free.*.ompp
	OMPP_QUIET=1 ompp run ./free >said 2>&1 || fail "$(cat said)"
	ompp report --format=csv free.*.ompp >free.csv
	[ "$(sum free.csv MUTEX execC)" = 6000000 ] || fail "calls: $(sum free.csv MUTEX execC)"
	added=$(sed -n 's/^added //p' said)
	stated=$(ompp report --format=json free.*.ompp | tr ',{' '\n\n' | sed -n 's/^"cost_ns"://p' | head -1)
	awk -v added="$added" -v stated="$stated" 'BEGIN {
		stated /= 6e6
		exit !(stated > 0 && stated < 1.2 * added && stated > 0.8 * added)
	}'
}
retry 20 is_so || fail "counting adds $added ns a call, and the report says $stated ns in all"
