# loaded: threads and waits of libraries that dlopen() loads are measured, and the program meets no difference; so are
# the threads of oneTBB, and in C++ without inlining each caller of the library's headers has its own place
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/measure.sh"

cat >later.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n_begun;
__attribute__((constructor)) static void begin(void)
{
	pthread_mutex_lock(&m);
	n_begun++;
	pthread_mutex_unlock(&m);
}
static void *runs(void *arg)
{
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&m);
		usleep(2000);
		pthread_mutex_unlock(&m);
	}
	return arg;
}
int later(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, runs, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return n_begun;
}
C
cat >loads.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void said(const char *what)
{
	const char *error = dlerror();
	printf("%s: %s\n", what, error ? error : "no error");
}
int main(int argc, char **argv)
{
	int flags = argc > 1 && !strcmp(argv[1], "deep") ? RTLD_NOW | RTLD_DEEPBIND : argc > 1 && !strcmp(argv[1], "lazy") ? RTLD_LAZY : RTLD_NOW;
	void *lib;
	int (*later)(void);
	printf("%d\n", dlopen("./later.so", RTLD_NOW | RTLD_NOLOAD) == NULL);
	said("noload");
	printf("%d\n", dlopen("./none.so", RTLD_NOW) == NULL);
	said("none");
	for (int i = 0; i < 2; i++) {
		lib = dlopen("./later.so", flags);
		said("loaded");
		printf("%d\n", dlopen("./later.so", RTLD_NOW | RTLD_NOLOAD) == lib);
		dlclose(lib);
		printf("%d\n", dlsym(lib, "none") == NULL);
		said("dlsym");
		*(void **)&later = dlsym(lib, "later");
		printf("%d\n", later());
		printf("%d\n", dlclose(lib));
		printf("%d\n", dlopen("./later.so", RTLD_NOW | RTLD_NOLOAD) == NULL);
	}
	return 3;
}
C
$CC -O1 -g -fPIC -shared later.c -o later.so -pthread
$CC -O1 -g loads.c -o loads -pthread -ldl
for how in now lazy deep; do
	./loads $how >want || :
	rc=0
	measure loads.csv ompp run ./loads $how >got || rc=$?
	[ $rc = 3 ] || fail "$how: status $rc: $(cat said)"
	same "$how: what dlopen() and dlerror() say" want got
	for what in 'THREAD 6' 'JOIN 6' 'MUTEX 30'; do
		[ "$(sum loads.csv "${what% *}" execC)" = "${what##* }" ] ||
			fail "$how: $what, and not $(sum loads.csv "${what% *}" execC)"
	done
done

[ -n "$GXX" ] || exit 0
cat >inner.cpp <<'C'
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <unistd.h>
static std::mutex m;
static std::recursive_mutex r;
static std::timed_mutex t;
static std::shared_mutex s;
static std::condition_variable v;
static std::atomic<int> held;
static bool go;
static void one()
{
	for (int i = 0; i < 3; i++)
		std::lock_guard<std::mutex> g(m);
	std::lock_guard<std::mutex> g(m);
	held = 1;
	usleep(100000);
}
static void two()
{
	while (!held)
		usleep(1000);
	std::unique_lock<std::mutex> g(m);
	go = true;
	v.notify_all();
	std::lock_guard<std::recursive_mutex> h(r);
	std::unique_lock<std::timed_mutex> k(t, std::chrono::seconds(100));
	std::shared_lock<std::shared_mutex> l(s);
	s.unlock_shared();
	l.release();
	s.lock();
	s.unlock();
}
static void three()
{
	std::unique_lock<std::mutex> g(m);
	v.wait(g, [] { return go; });
}
int main()
{
	std::thread a(one), b(two), c(three);
	a.join();
	b.join();
	c.join();
	return 0;
}
C
for level in -O0 -O1 -O2; do
	$GXX -std=c++17 $level -g inner.cpp -o inner -pthread
	measure inner.csv ompp run ./inner
	awk -F, '/^##BEG flat/ { on = 1 } /^##END flat/ { on = 0 }
		on && /^R[0-9]+,/ { at = $3 ~ /inner.cpp$/ ? $4 : $3; type = $2 }
		on && $1 == "TID" { for (i = 1; i <= NF; i++) if ($i == "execC") c = i }
		on && $1 == "SUM" && (type == "MUTEX" || type == "RWLOCK") { print type, at, $c }' inner.csv | sort >got
	printf '%s\n' 'MUTEX 17 3' 'MUTEX 18 1' 'MUTEX 26 1' 'MUTEX 29 1' 'MUTEX 30 1' 'MUTEX 39 1' 'RWLOCK 31 1' 'RWLOCK 34 1' >want
	same "C++ $level: places" want got
done

cat >tbb.cpp <<'C'
#include <atomic>
#include <cstdio>
#include <mutex>
#include <oneapi/tbb.h>
#include <unistd.h>
static std::mutex m;
static std::atomic<int> n;
static void piece(int)
{
	m.lock();
	n++;
	m.unlock();
	usleep(2000);
}
int main()
{
	tbb::global_control most(tbb::global_control::max_allowed_parallelism, 4);
	tbb::task_arena arena(4);
	arena.execute([] { tbb::parallel_for(0, 200, piece); });
	std::printf("%d\n", n.load());
	return n == 200 ? 5 : 1;
}
C
$GXX -std=c++17 -O1 -g tbb.cpp -o tbb -ltbb -pthread 2>log || skip 'oneTBB is not here (libtbb-dev); all else was tested'
tbb() {
	rc=0
	measure tbb.csv ompp run ./tbb >got || rc=$?
	[ $rc = 5 ] && [ "$(cat got)" = 200 ] || fail "TBB: status $rc: $(cat said got)"
	[ "$(sum tbb.csv THREAD execC)" -ge 1 ] && [ "$(sum tbb.csv THREAD execC)" -le 3 ] || return 1
	[ "$(sum tbb.csv MUTEX execC)" -ge 100 ] # calls before the first thread is made are not counted
}
retry 5 tbb || fail "TBB: $(sum tbb.csv THREAD execC) threads, $(sum tbb.csv MUTEX execC) calls: $(cat said)"
