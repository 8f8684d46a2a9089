# holders: for each place that waits for a lock the report says how often and how long it waited, and which call had the
# lock: programs of chance, whose holders sleep at known places while others wait, write the same themselves
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/measure.sh"

# Each phase has a place that gets a lock in one of several ways, and one at which some threads then wait for it.
make_program() {
	awk -v seed="$1" '
	function chance(n) { return int(rand() * n) }
	function how(n, k) { return k == 1 ? n : k == 2 ? n "L" : n }
	BEGIN {
		srand(seed)
		n_get = split("pthread_mutex_lock(&m)|while (pthread_mutex_trylock(\\&m)) { }|pthread_mutex_timedlock(\\&m, \\&late)|" \
			"pthread_mutex_lock(\\&m); pthread_cond_timedwait(\\&v, \\&m, \\&early)|mtx_lock(\\&c)|mtx_timedlock(\\&c, \\&late)|" \
			"pthread_rwlock_wrlock(\\&w)|while (pthread_rwlock_trywrlock(\\&w)) { }|pthread_rwlock_timedwrlock(\\&w, \\&late)|" \
			"pthread_rwlock_rdlock(\\&w)|while (pthread_rwlock_tryrdlock(\\&w)) { }", get, "|")
		n_wait["m"] = split("pthread_mutex_lock(&m)|pthread_mutex_timedlock(\\&m, \\&late)|pthread_mutex_clocklock(\\&m, CLOCK_REALTIME, \\&late)", waits_m, "|")
		split("mtx_lock(\\&c)|mtx_timedlock(\\&c, \\&late)", waits_c, "|")
		split("pthread_rwlock_wrlock(\\&w)|pthread_rwlock_timedwrlock(\\&w, \\&late)|pthread_rwlock_rdlock(\\&w)|pthread_rwlock_timedrdlock(\\&w, \\&late)", waits_w, "|")
		free["m"] = "pthread_mutex_unlock(\\&m)"; free["c"] = "mtx_unlock(\\&c)"; free["w"] = "pthread_rwlock_unlock(\\&w)"
		n = 1 + chance(7) # threads that wait
		print "#define _GNU_SOURCE\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <threads.h>\n#include <time.h>\n#include <unistd.h>"
		print "enum { N = " n " };"
		print "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;"
		print "static pthread_cond_t v = PTHREAD_COND_INITIALIZER;\nstatic mtx_t c;\nstatic struct timespec late, early;"
		print "static _Atomic int n_here;\nstatic pthread_barrier_t b;\nstatic double own[1000];\nstatic _Atomic int n_own[1000];\nstatic int held_by[1000];"
		print "static double now(void)\n{\n\tstruct timespec t;\n\tclock_gettime(CLOCK_MONOTONIC, &t);\n\treturn (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;\n}"
		print "static void hold(int by, int at)\n{\n\theld_by[at] = by;\n\tpthread_barrier_wait(&b);\n\twhile (n_here < N) usleep(1000);\n\tusleep(40000);\n}"
		print "static void take(int at, double t)\n{\n\tstatic _Atomic int is_busy;\n\twhile (atomic_exchange(&is_busy, 1)) { }\n\town[at] += t;\n\tis_busy = 0;\n\tn_own[at]++;\n}"
		n_phases = 3 + chance(4)
		for (i = 0; i < n_phases; i++) {
			g = get[1 + chance(n_get)]
			lock = g ~ /rwlock/ ? "w" : g ~ /mtx/ ? "c" : "m"
			if (lock == "m") t = waits_m[1 + chance(3)]
			else if (lock == "c") t = waits_c[1 + chance(2)]
			else t = waits_w[1 + chance(g ~ /rd/ ? 2 : 4)]
			gsub(/\\/, "", g); gsub(/\\/, "", t); f = free[lock]; gsub(/\\/, "", f)
			print "enum { WAIT" i " = __LINE__ + 3 };\nstatic void wait" i "(void)\n{"
			print "\tdouble t = now(); n_here++; " t "; t = now() - t;"
			print "\t" f ";\n\ttake(WAIT" i ", t);\n}"
			print "static void get" i "(void)\n{\n\t" g "; int by = __LINE__;"
			print "\thold(" (g ~ /rd/ ? "-1" : "by") ", WAIT" i ");\n\t" f ";\n}"
		}
		print "static void *waiter(void *arg)\n{"
		for (i = 0; i < n_phases; i++)
			print "\tpthread_barrier_wait(&b);\n\twait" i "();\n\tpthread_barrier_wait(&b);"
		print "\treturn arg;\n}"
		print "static void *holder(void *arg)\n{"
		for (i = 0; i < n_phases; i++)
			print "\tn_here = 0;\n\tget" i "();\n\tpthread_barrier_wait(&b);"
		print "\treturn arg;\n}"
		print "int main(void)\n{\n\tpthread_t t[N + 1];\n\tmtx_init(&c, mtx_timed);\n\tpthread_barrier_init(&b, NULL, N + 1);"
		print "\tclock_gettime(CLOCK_REALTIME, &late);\n\tearly = late;\n\tlate.tv_sec += 1000;"
		print "\tpthread_create(&t[N], NULL, holder, NULL);"
		print "\tfor (int i = 0; i < N; i++)\n\t\tpthread_create(&t[i], NULL, waiter, NULL);"
		print "\tfor (int i = 0; i <= N; i++)\n\t\tpthread_join(t[i], NULL);"
		print "\tfor (int i = 0; i < 1000; i++)\n\t\tif (n_own[i])\n\t\t\tfprintf(stderr, \"own %d %d %d %.6f\\n\", i, held_by[i], n_own[i], own[i]);"
		print "\treturn 0;\n}"
	}' >"program$1.c"
	$CC -std=gnu11 -O1 -g "program$1.c" -o "program$1" -pthread
}

# pairs REPORT: "waiter's line, holder's line (-1 for readers, - for unknown ones), waits, seconds" of each row.
pairs() {
	awk -F, '
		/^##BEG holders of locks/ { on = 1; next }
		/^##END holders of locks/ { on = 0 }
		on && /^region,/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
		on { print $at["begin"], $at["holder"] == "(readers)" ? -1 : $at["holder"] == "-" ? "-" : $at["holder line"], $at["waits"], $at["waitT"] }' \
		"$1" | sort -n
}

of_chance() {
	measure "program$1.csv" ompp run ./"program$1" || fail "program $1: $(cat said)"
	pairs "program$1.csv" >"pairs$1"
	sed -n 's/^own //p' said | sort -n >"own$1"
	awk '
		function apart(a, b) { return a > b ? a - b : b - a }
		NR == FNR { own[$1, $2] = $3; own_t[$1, $2] = $4; n++; next }
		{ if (own[$1, $2] != $3 || apart($4, own_t[$1, $2]) > 0.01 + own_t[$1, $2] / 10) { print "not so: " $0; bad = 1 } else n-- }
		END { exit bad || n }' "own$1" "pairs$1"
}

for seed in 1 2 3 4 5 6; do
	make_program $seed
	retry 10 of_chance $seed || fail "program $seed: $(cat "pairs$seed"); itself: $(cat "own$seed")"
done

# A lock whose place in the table others took: it is said that its holder is not known.
cat >many.c <<'C'
#include <pthread.h>
#include <unistd.h>
enum { N = 100000 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, many[N];
static pthread_barrier_t b;
static void *waits(void *arg)
{
	pthread_barrier_wait(&b);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_barrier_init(&b, NULL, 2);
	pthread_create(&t, NULL, waits, NULL);
	pthread_mutex_lock(&m);
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&many[i]);
		pthread_mutex_unlock(&many[i]);
	}
	pthread_barrier_wait(&b);
	usleep(200000);
	pthread_mutex_unlock(&m);
	return pthread_join(t, NULL);
}
C
$CC -O1 -g many.c -o many -pthread
is_unknown() {
	measure many.csv ompp run ./many && [ "$(pairs many.csv | cut -d ' ' -f 1-3)" = "9 - 1" ]
}
retry 10 is_unknown || fail "many locks: $(pairs many.csv)"

# place FILE WORD: the line of its last use that begins a statement
place() {
	awk -v word="$2" '$1 ~ "^" word "[(;]" { n = NR } END { print n }' "$1"
}

# A call that waits for a condition until its time is over has got the lock again, which another call had meanwhile.
cat >condition.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#ifdef C11
static mtx_t m;
static cnd_t v;
#define LOCK()   mtx_lock(&m)
#define TRY()    mtx_trylock(&m)
#define FREE()   mtx_unlock(&m)
#define WAIT(t)  cnd_timedwait(&v, &m, t)
#else
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t v = PTHREAD_COND_INITIALIZER;
#define LOCK()   pthread_mutex_lock(&m)
#define TRY()    pthread_mutex_trylock(&m)
#define FREE()   pthread_mutex_unlock(&m)
#ifdef CLOCK
#define WAIT(t)  pthread_cond_clockwait(&v, &m, CLOCK_REALTIME, t)
#else
#define WAIT(t)  pthread_cond_timedwait(&v, &m, t)
#endif
#endif
static pthread_barrier_t b;
static int is_over;
static void *times_out(void *arg)
{
	LOCK();
	pthread_barrier_wait(&b);
	while (!is_over) {
		struct timespec soon;
		clock_gettime(CLOCK_REALTIME, &soon);
		soon.tv_nsec += 10000000;
		soon.tv_sec += soon.tv_nsec / 1000000000;
		soon.tv_nsec %= 1000000000;
		WAIT(&soon);
	}
	pthread_barrier_wait(&b);
	usleep(200000);
	FREE();
	return arg;
}
static void *comes_between(void *arg)
{
	pthread_barrier_wait(&b);
	while (TRY())
		usleep(100);
	is_over = 1;
	FREE();
	pthread_barrier_wait(&b);
	return arg;
}
static void *waits(void *arg)
{
	pthread_barrier_wait(&b);
	pthread_barrier_wait(&b);
	LOCK();
	FREE();
	return arg;
}
int main(void)
{
	void *(*list[])(void *) = { times_out, comes_between, waits };
	pthread_t t[3];
#ifdef C11
	mtx_init(&m, mtx_plain);
	cnd_init(&v);
#endif
	pthread_barrier_init(&b, NULL, 3);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, list[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
C
is_of_condition() {
	measure condition.csv ompp run ./condition || fail "condition: $(cat said)"
	pairs condition.csv | cut -d ' ' -f 1-3 >pairs
	[ "$(cat pairs)" = "$(place condition.c LOCK) $(place condition.c WAIT) 1" ]
}
for kind in TIMED CLOCK C11; do
	$CC -std=gnu11 -D$kind -O1 -g condition.c -o condition -pthread
	retry 10 is_of_condition || fail "condition, $kind: $(cat pairs)"
done

# A call that does not get a lock before its time is over has waited for the holder.
cat >over.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
static mtx_t c;
static pthread_barrier_t b;
static struct timespec soon;
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void *holder(void *arg)
{
	HOLD;
	pthread_barrier_wait(&b);
	pthread_barrier_wait(&b);
	FREE;
	return arg;
}
static void *waiter(void *arg)
{
	double t;
	int got;
	pthread_barrier_wait(&b);
	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec++;
	t = now();
	got =
	WAIT;
	fprintf(stderr, "own %.6f\nresult %d\n", now() - t, got);
	pthread_barrier_wait(&b);
	return arg;
}
int main(void)
{
	pthread_t t[2];
	mtx_init(&c, mtx_timed);
	pthread_barrier_init(&b, NULL, 2);
	pthread_create(&t[0], NULL, holder, NULL);
	pthread_create(&t[1], NULL, waiter, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
C
is_charged() {
	measure over.csv ompp run ./over || fail "over: $(cat said)"
	pairs over.csv >pairs
	! grep -q '^result 0' said || fail "$wait has got the lock"
	[ "$(cut -d ' ' -f 1-3 pairs)" = "$(place over.c WAIT) $(place over.c HOLD) 1" ] || fail "$wait: $(cat pairs)"
	near "$wait" "$(cut -d ' ' -f 4 pairs)" "$(sed -n 's/^own //p' said)" 10
}
while IFS='|' read -r hold wait free; do
	$CC -std=gnu11 -O1 -g -DHOLD="$hold" -DWAIT="$wait" -DFREE="$free" over.c -o over -pthread
	retry 10 is_charged || fail "$wait: $(cat pairs said)"
done <<'END'
pthread_mutex_lock(&m)|pthread_mutex_timedlock(&m, &soon)|pthread_mutex_unlock(&m)
pthread_mutex_lock(&m)|pthread_mutex_clocklock(&m, CLOCK_REALTIME, &soon)|pthread_mutex_unlock(&m)
mtx_lock(&c)|mtx_timedlock(&c, &soon)|mtx_unlock(&c)
pthread_rwlock_wrlock(&w)|pthread_rwlock_timedrdlock(&w, &soon)|pthread_rwlock_unlock(&w)
pthread_rwlock_wrlock(&w)|pthread_rwlock_clockwrlock(&w, CLOCK_REALTIME, &soon)|pthread_rwlock_unlock(&w)
END

# A child that goes on with what its parent measured counts its own waits alone; reports of both add them up.
cat >child.c <<'C'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *holds(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_barrier_wait(arg);
	usleep(100000);
	pthread_mutex_unlock(&m);
	return arg;
}
static void once(void)
{
	pthread_barrier_t b;
	pthread_t t;
	pthread_barrier_init(&b, NULL, 2);
	pthread_create(&t, NULL, holds, &b);
	pthread_barrier_wait(&b);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
}
int main(void)
{
	once();
	if (!fork()) {
		once();
		once();
		return 0;
	}
	return wait(NULL) < 0;
}
C
$CC -O1 -g child.c -o child -pthread
both() {
	rm -f child.*.ompp
	OMPP_QUIET=1 ompp run ./child >said 2>&1 || fail "child: $(cat said)"
	set -- child.*.ompp
	[ $# = 2 ] || fail "child: profiles $*"
	ompp report --merge --format=csv "$@" >both.csv && [ "$(pairs both.csv | cut -d ' ' -f 1-3)" = "20 7 3" ]
}
retry 10 both || fail "child: $(pairs both.csv)"
