# threads: a program without OpenMP is measured by ompp run: each thread that it makes has a row, each place where they
# wait its calls, counted exactly, and its waiting; C, C++ and C11 threads do, print and return what they do without
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/measure.sh"

# compare NAME: its report is NAME.csv, and it comes with the program's output and status as without.
compare() {
	want=0 got=0
	./"$1" >want 2>&1 || want=$?
	measure "$1.csv" ompp run ./"$1" >got || got=$?
	[ $want = $got ] || fail "$1: status $got in place of $want"
	grep -v '^ompp: ' said >>got || :
}

# is_near WHAT MEASURED OWN: within a tenth, and 10 ms.
is_near() {
	awk -v a="$2" -v b="$3" 'BEGIN { exit !((a > b ? a - b : b - a) <= 0.01 + b / 10) }' || {
		echo "$1: $2 s, where the program itself measured $3 s"
		return 1
	}
}

# Results, errno, robust mutexes, limits of time, cancellation, ends of threads, a forked child: as without.
$CC -O2 -g "$srcdir/tests/interpose/threads_behave.c" -o behave -pthread
compare behave
same 'behaviour' want got

# Programs of chance, which sleep with locks held, and measure themselves how long their calls wait.
make_program() {
	awk -v seed="$1" '
	function chance(n) { return int(rand() * n) }
	BEGIN {
		srand(seed)
		n = 2 + chance(4)
		print "#include <pthread.h>\n#include <semaphore.h>\n#include <stdio.h>\n#include <time.h>\n#include <unistd.h>"
		print "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;"
		print "static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;\nstatic pthread_cond_t v = PTHREAD_COND_INITIALIZER;"
		print "static pthread_barrier_t b;\nstatic sem_t s;\nstatic int is_open;"
		print "static double own[7];\nstatic pthread_mutex_t o = PTHREAD_MUTEX_INITIALIZER;"
		print "static double now(void)\n{\n\tstruct timespec t;\n\tclock_gettime(CLOCK_MONOTONIC, &t);\n\treturn (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;\n}"
		print "#define T(kind, call) do { double t_ = now(); call; t_ = now() - t_; while (pthread_mutex_trylock(&o)) { } own[kind] += t_; pthread_mutex_unlock(&o); } while (0)"
		for (i = 0; i < n; i++) {
			print "static void *worker" i "(void *arg)\n{\n\tdouble begin = now();"
			print "\tpthread_mutex_lock(&c);\n\twhile (!is_open)\n\t\tT(2, pthread_cond_wait(&v, &c));\n\tpthread_mutex_unlock(&c);"
			k = 1 + chance(4)
			print "\tfor (int i = 0; i < " k "; i++) {\n\t\tT(0, pthread_mutex_lock(&m));\n\t\tusleep(" 2000 + chance(20000) ");\n\t\tpthread_mutex_unlock(&m);\n\t}"
			n_mutex += k
			k = 1 + chance(3)
			how = chance(2) ? "rd" : "wr"
			print "\tfor (int i = 0; i < " k "; i++) {\n\t\tT(1, pthread_rwlock_" how "lock(&w));\n\t\tusleep(" 2000 + chance(20000) ");\n\t\tpthread_rwlock_unlock(&w);\n\t}"
			n_rwlock += k
			print "\tT(3, pthread_barrier_wait(&b));\n\tusleep(" chance(20000) ");"
			print "\tT(4, sem_wait(&s));\n\tusleep(3000);\n\tsem_post(&s);"
			print "\twhile (pthread_mutex_trylock(&o)) { }\n\town[6] += now() - begin;\n\tpthread_mutex_unlock(&o);\n\treturn arg;\n}"
		}
		print "int main(void)\n{\n\tpthread_t t[" n "];\n\tpthread_barrier_init(&b, NULL, " n ");\n\tsem_init(&s, 0, 1);"
		for (i = 0; i < n; i++) print "\tpthread_create(&t[" i "], NULL, worker" i ", NULL);"
		print "\tusleep(20000);\n\tpthread_mutex_lock(&c);\n\tis_open = 1;\n\tpthread_cond_broadcast(&v);\n\tpthread_mutex_unlock(&c);"
		print "\tfor (int i = 0; i < " n "; i++)\n\t\tT(5, pthread_join(t[i], NULL));"
		print "\tfor (int i = 0; i < 7; i++)\n\t\tfprintf(stderr, \"own %d %.6f\\n\", i, own[i]);\n\treturn " seed % 7 ";\n}"
		print "n_threads=" n " n_mutex=" n + n_mutex + 1 " n_rwlock=" n_rwlock >"counts"
	}' >program.c
	$CC -O1 -g program.c -o program -pthread
}

own() {
	awk -v kind="$1" '$1 == "own" && $2 == kind { print $3 }' said
}

of_chance() {
	compare program >/dev/null
	kind=0
	for construct in MUTEX RWLOCK CONDITION 'THREAD BARRIER' SEMAPHORE JOIN THREAD; do
		is_near "program $seed: $construct" "$(sum program.csv "$construct" execT)" "$(own $kind)" || return 1
		kind=$((kind + 1))
	done
}

for seed in 1 2 3; do
	make_program $seed
	. ./counts
	retry 10 of_chance || fail "program $seed: times"
	for what in "MUTEX $n_mutex" "RWLOCK $n_rwlock" "SEMAPHORE $n_threads" "JOIN $n_threads" "THREAD $n_threads"; do
		[ "$(sum program.csv "${what% *}" execC)" = "${what##* }" ] ||
			fail "program $seed: $what calls, and not $(sum program.csv "${what% *}" execC)"
	done
	[ "$(sum program.csv 'THREAD BARRIER' execC)" = "$n_threads" ] || fail "program $seed: barriers"
	i=0
	while [ $i -lt "$n_threads" ]; do # each thread has a row, with its function
		grep -q "^h[0-9]*:0 (worker$i),[0-9.]*,1$" program.csv || fail "program $seed: no row of worker$i"
		i=$((i + 1))
	done
	grep -q SerialPart program.csv && fail "program $seed: a serial part, where threads run beside each other"
	grep -q LockContention program.csv || fail "program $seed: no finding for the lock"
done

[ -n "$GXX" ] || exit 0
cat >cxx.cpp <<'C'
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>
static std::mutex m;
static std::shared_mutex sm;
static std::condition_variable cv;
static bool go;
static void ms(int n) { std::this_thread::sleep_for(std::chrono::milliseconds(n)); }
struct gate {
	void open(double) { ms(1); }
};
static void other(int n) { ms(n); }
static void narrow(char a, double *b, short c) { ms(a + c + (b != nullptr)); }
static void wide(char a, double *b, short c) { ms(a + c + (b != nullptr)); }
static void given(std::function<void()> f) { f(); }
static void none() { ms(1); }
static void worker(int n)
{
	std::unique_lock<std::mutex> l(m);
	cv.wait(l, [] { return go; });
	ms(n);
}
int main()
{
	std::vector<std::thread> v;
	for (int i = 0; i < 2; i++) v.emplace_back(worker, 30);
	static gate g;
	v.emplace_back(other, 30);
	v.emplace_back(&gate::open, &g, 2.0);
	static double d;
	v.emplace_back(narrow, 1, &d, 2);
	v.emplace_back(narrow, (char)1, &d, (short)2);
	v.emplace_back(wide, (char)1, &d, (short)2);
	v.emplace_back(given, std::function<void()>(none)); // what it gets is a function, too, so which it is is not told
	std::thread reader([] { std::shared_lock<std::shared_mutex> s(sm); ms(40); });
	ms(50);
	{ std::lock_guard<std::mutex> g(m); go = true; }
	cv.notify_all();
	for (auto &t : v) t.join();
	reader.join();
	auto f = std::async(std::launch::async, [](int n) { ms(n); return n; }, 60);
	std::promise<int> p;
	std::thread setter([&] { ms(70); p.set_value(3); });
	int r = p.get_future().get() + f.get();
	setter.join();
	try {
		std::thread t([] {});
		t.join();
		t.join();
	} catch (const std::system_error &e) {
		std::printf("%s\n", e.what());
	}
	std::printf("%d\n", r);
	return r;
}
C
for level in -O0 -O2; do
	$GXX -std=c++17 $level -g cxx.cpp -o cxx -pthread
	compare cxx
	same "C++ $level: output" want got
	[ "$(sum cxx.csv THREAD execC)" = 12 ] || fail "C++ $level: $(sum cxx.csv THREAD execC) threads"
	[ "$(sum cxx.csv FUTURE execC)" -ge 1 ] || fail "C++ $level: no waiting for a future"
	[ "$(sum cxx.csv CONDITION execC)" -ge 2 ] || fail "C++ $level: no waiting for a condition"
	for what in 'worker 2' 'other 1' 'gate::open 1' 'narrow 2' 'wide 1' 'none ' 'given '; do # functions of one type, and one of a class
		got=$(awk -F, -v name="${what% *}" '/^R/ { on = $2 == "THREAD" && $NF == name } on && $1 == "SUM" { print $3 }' cxx.csv)
		[ "$got" = "${what#* }" ] || fail "C++ $level: $what threads, and not $got: $(grep 'THREAD,' cxx.csv)"
	done
	grep -q 'THREAD,.*,std::thread main::{lambda()#1}$' cxx.csv || fail "C++ $level: no thread by its lambda"
	grep -q 'open when the report was made' cxx.csv && fail "C++ $level: a call is open"
done
line=$(grep -n 'lock_guard' cxx.cpp | cut -d: -f1) # inlined: the place is that of the program
awk -F, -v line="$line" '/^R[0-9]+,MUTEX/ && $3 ~ /cxx.cpp$/ && $4 == line { ok = 1 } END { exit !ok }' cxx.csv ||
	fail "C++: no mutex at line $line: $(grep '^R[0-9]*,MUTEX' cxx.csv)"

# Nothing is measured where that is not wanted.
OMPP_INTERPOSE=0 measure off.csv ompp run ./behave >/dev/null || :
[ ! -f off.csv ] || [ "$(sum off.csv THREAD execC)" = 0 ] || fail "OMPP_INTERPOSE=0: threads"
