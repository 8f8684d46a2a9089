# prefork: of a server that forks its workers, each process has a profile of its own, and a report of all adds them up: what
# each worker counted itself, for servers of chance whose workers serve by threads or by teams
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/measure.sh"

# Workers serve requests that they read from one pipe, so who serves how many is chance; each locks for each of them.
cat >server.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int requests[2], n_threads;
static long served;
static void *serve(void *arg)
{
	char request;
	while (read(requests[0], &request, 1) == 1) {
		pthread_mutex_lock(&m);
		served++;
		pthread_mutex_unlock(&m);
#ifdef _OPENMP
#pragma omp parallel num_threads(2)
		{
#pragma omp critical
			served += request == 0;
		}
#endif
	}
	return arg;
}
int main(int argc, char **argv)
{
	int n_workers = atoi(argv[1]), n = atoi(argv[3]), bad = 0, status;
	pthread_t t[8];
	n_threads = argc > 2 ? atoi(argv[2]) : 1;
	if (pipe(requests))
		return 9;
	for (int w = 0; w < n_workers; w++) {
		if (fork())
			continue;
		close(requests[1]);
		for (int i = 0; i < n_threads; i++)
			pthread_create(&t[i], NULL, serve, NULL);
		for (int i = 0; i < n_threads; i++)
			pthread_join(t[i], NULL);
		fprintf(stderr, "served %ld\n", served);
		return w % 3;
	}
	for (int i = 0; i < n; i++)
		if (write(requests[1], "x", 1) != 1)
			return 8;
	close(requests[1]);
	for (int w = 0; w < n_workers; w++) {
		wait(&status);
		bad += WEXITSTATUS(status);
	}
	return bad;
}
C
for kind in threads openmp; do
	flag=
	[ $kind = threads ] || flag=-fopenmp
	$CC -w -O1 -g $flag server.c -o server -pthread
	for seed in 1 2 3; do
		set -- $(awk -v seed=$seed 'BEGIN { srand(seed); print 1 + int(5 * rand()), 1 + int(4 * rand()), 50 + int(300 * rand()) }')
		workers=$1 threads=$2 n=$3
		want=0 got=0
		./server "$@" >/dev/null 2>&1 || want=$?
		rm -f server.*.ompp
		OMPP_QUIET=1 ompp run ./server "$@" >out 2>said || got=$?
		[ $want = $got ] || fail "server $kind $*: status $got, not $want: $(cat said)"
		[ "$(sed -n 's/^served //p' said | awk '{ s += $1 } END { print s + 0 }')" = "$n" ] || fail "server $kind $*: $(cat said)"
		ls server.*.ompp >files
		ompp report --merge --format=csv $(cat files) >all.csv || fail "server $kind $*: no report of $(cat files)"
		[ "$(sum all.csv THREAD execC)" = $((workers * threads)) ] || fail "server $kind $*: $(sum all.csv THREAD execC) threads"
		[ "$(sum all.csv JOIN execC)" = $((workers * threads)) ] || fail "server $kind $*: $(sum all.csv JOIN execC) joins"
		[ "$(sum all.csv MUTEX execC)" = "$n" ] || fail "server $kind $*: $(sum all.csv MUTEX execC) of $n locks"
		[ $kind = threads ] || [ "$(sum all.csv CRITICAL execC)" = $((2 * n)) ] || fail "server $kind $*: $(sum all.csv CRITICAL execC) sections"
		# one profile for each worker, whose locks are those that it counted itself
		sed -n 's/^served //p' said | sort -n >served
		while read -r file; do
			ompp report --format=csv "$file" >one.csv
			[ "$(sum one.csv THREAD execC)" = 0 ] || sum one.csv MUTEX execC
		done <files | sort -n >found
		same "server $kind $*: each worker's locks" served found
	done
done
