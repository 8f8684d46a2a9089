# places: waiting in lambdas has the program's own line, also where the compiler has put these into functions of the C++
# library's headers, or where the library calls the lambda or the wait, by GCC and Clang
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/measure.sh"

cat >places.cpp <<'C'
#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>
static std::mutex m, other;
static std::shared_mutex w;
static std::condition_variable v;
static std::once_flag once;
static std::atomic<bool> is_waiting;
static bool is_open;
static void pass(const std::function<void()> &f)
{
	f();
}
int main()
{
	std::thread first([] {
		m.lock(); // MUTEX
		m.unlock();
		{
			std::unique_lock<std::mutex> lock(m); // MUTEX
			is_waiting = true;
			v.wait(lock, [] { return is_open; }); // CONDITION
		}
		std::shared_lock<std::shared_mutex> shared(w); // RWLOCK
	});
	std::thread second(
		[](int n) {
			for (int i = 0; i < n; i++)
				std::lock_guard<std::mutex> lock(m); // MUTEX
			pass([] {
				std::lock_guard<std::mutex> lock(m); // MUTEX
			});
		},
		3);
	while (!is_waiting)
		std::this_thread::yield();
	{
		std::lock_guard<std::mutex> lock(m); // MUTEX
		is_open = true;
	}
	v.notify_all();
	first.join(); // JOIN
	second.join(); // JOIN
	auto result = std::async(std::launch::async, [] {
		std::lock_guard<std::mutex> lock(m); // MUTEX
		return 5;
	});
	int sum = result.get(); // JOIN
	std::thread third([&sum] {
		std::call_once(once, [&sum] { sum++; });
		std::packaged_task<int()> task([] {
			std::lock_guard<std::mutex> lock(other); // MUTEX
			return 1;
		});
		std::future<int> told = task.get_future();
		task();
		sum += told.get();
	});
	third.join(); // JOIN
	return sum;
}
C
awk '/\/\/ [A-Z]+$/ { print $NF "|" NR }' places.cpp | sort >want
n=0
for compiler in "${CXX:-g++}" clang++; do
	command -v "$compiler" >/dev/null || continue
	for level in -O0 -O1 -O3; do
		$compiler -std=c++17 -g $level places.cpp -o places -pthread 2>errors || continue
		n=$((n + 1)) status=0
		measure places.csv ompp run ./places || status=$?
		[ $status = 7 ] || fail "$compiler $level: status $status: $(cat said)"
		awk -F, '/^##BEG region overview/ { on = 1 } /^##END region overview/ { on = 0 }
			on && /^R/ && $2 != "THREAD" && $2 != "FUTURE" { print $2 "|" ($3 ~ /places.cpp$/ ? $4 : $3 $6) }' places.csv |
			sort >got
		same "$compiler $level: places" want got
	done
done
[ $n != 0 ] || skip 'no compiler of C++17'
