# gomp_calls: what few programs call of libgomp: waits of doacross loops of chance, regions of two calls as GCC made them
# before 4.9, what a cancelled team waits for, and several OpenMP libraries in one process; all counted as arithmetic says
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/measure.sh"

# measured NAME: the program's output and status by ompp run, and its report NAME.csv
measured() {
	rc=0 want_rc=0
	"./$1" >want || want_rc=$?
	measure "$1.csv" ompp run "./$1" >got || rc=$?
	same "$1: output" want got
	[ $rc = $want_rc ] || fail "$1: status $rc, not $want_rc"
	counts "$1.csv" >found
}

# Doacross loops of chance, 1 to 90 in each other, signed and unsigned, each schedule.  Where the iteration before is
# outside of the loop there is no call by GCC, and one by Clang.  A wait that got other numbers than its call's would not
# end, or end too early: the loop checks which iterations are over, and the first number, the last one and any other one
# are in turn what differs.
make_doacross() {
	awk -v seed="$1" -v most="$2" -v compiler="$3" 'BEGIN {
		srand(seed)
		split("|schedule(static)|schedule(static, 2)|schedule(dynamic)|schedule(guided)|schedule(runtime)", schedule, "|")
		print "#include <stdio.h>\n#include <stdlib.h>\nstatic _Atomic int is_over[100000];\nint main(void)\n{\n\tlong all = 0;"
		for (k = 0; k < 6; k++) {
			n = 1 + int(most * rand())
			type = rand() < 0.5 ? "long" : "unsigned long long"
			print "\tfor (int i = 0; i < 100000; i++)\n\t\tis_over[i] = 0;"
			print "#pragma omp parallel num_threads(3) reduction(+ : all)"
			print "#pragma omp for ordered(" n ") " schedule[1 + int(6 * rand())]
			at = k % 3 == 0 ? 0 : k % 3 == 1 ? n - 1 : int(n * rand())
			iterations = 1
			number = "0"
			for (i = 0; i < n; i++) {
				size[i] = i == at ? 3 + int(3 * rand()) : i == 0 || i == n - 1 || (n > 4 && i == int(n / 2)) ? 2 + int(2 * rand()) : 1
				stride[i] = iterations
				iterations *= size[i]
				print "\tfor (" type " i" i " = 3; i" i " < " 3 + size[i] "; i" i "++)"
				number = number " + (i" i " - 3) * " stride[i]
			}
			printf "\t{\n#pragma omp ordered depend(sink : "
			for (i = 0; i < n; i++) printf "%si%d%s", i ? ", " : "", i, i == at ? " - 1" : ""
			print ")\n\t\tif (i" at " > 3 && !is_over[" number " - " stride[at] "])\n\t\t\tabort();"
			print "\t\tall++;\n\t\tis_over[" number "] = 1;\n#pragma omp ordered depend(source)\n\t}"
			calls += iterations + iterations / size[at] * (size[at] - 1)
			all_calls += 2 * iterations
		}
		print "\tprintf(\"%ld\\n\", all);\n\treturn 0;\n}"
		print "ORDERED|" (compiler == "clang" ? all_calls : calls) >"expected"
	}' >doacross.c
}
for seed in 1 2 3 4 5 6 7 8; do
	most=9
	[ $seed -le 4 ] || most=90
	make_doacross $seed $most gcc
	for level in -O0 -O2; do
		$CC -w -g $level -fopenmp doacross.c -o doacross
		measured doacross
		grep ORDERED found >ordered
		same "doacross loops, seed $seed, $level" expected ordered
	done
done
echo 'int main(void) { return 0; }' >it.c
if [ -n "$CLANG" ] && $CLANG -fopenmp it.c -o it 2>/dev/null && ./it; then
	for seed in 11 12; do
		make_doacross $seed 9 clang
		$CLANG -w -g -O1 -fopenmp doacross.c -o doacross
		measured doacross
		grep ORDERED found >ordered
		same "doacross loops by Clang, seed $seed" expected ordered
	done
fi

if ls /usr/src/gcc-12/gcc-12*.tar.xz >/dev/null 2>&1; then # GCC's own, of up to 64 loops in each other
	OMP_NUM_THREADS=2 "$srcdir/tests/corpus/libgomp.sh" --match='doacross-.\.c' --access=loaded >out C C++ || { cat out; fail "GCC's own doacross loops"; }
	grep -q '^C: 3 programs, .* 3 behave the same .* 3 measured whole' out || { cat out; fail "GCC's own doacross loops"; }
fi

# What waits is known to wait: a doacross loop in which each iteration takes 5 ms is as long as all of them; the threads
# that do not execute a single with copyprivate wait for it; cancelled teams do not wait, and others do.
cat >waits.c <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	long copied = 0, sum = 0;
#pragma omp parallel num_threads(2) firstprivate(copied) reduction(+ : sum)
	{
#pragma omp for ordered(1) schedule(static, 1)
		for (int i = 0; i < 40; i++) {
#pragma omp ordered depend(sink : i - 1)
			usleep(5000);
#pragma omp ordered depend(source)
		}
#pragma omp single copyprivate(copied)
		{
			usleep(200000);
			copied = 7;
		}
		sum += copied;
	}
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 2; i++) {
			if (i)
				usleep(200000);
#pragma omp cancel for if (sum < 0)
		}
#pragma omp sections
		{
#pragma omp section
			usleep(200000);
#pragma omp section
			{
#pragma omp cancel sections if (sum < 0)
			}
		}
#pragma omp cancel parallel if (sum < 0)
#pragma omp masked
		usleep(200000);
#pragma omp barrier
#pragma omp critical
		sum++;
	}
	printf("%ld\n", sum);
	return 0;
}
C
$CC -w -g -O1 -fopenmp waits.c -o waits
measured waits
cat >expected <<'END'
BARRIER|4
CANCEL|5
CRITICAL|2
LOOP|4
ORDERED|79
PARALLEL|4
SECTIONS|2
SINGLE|2
END
same 'waits: counts' expected found
# ms TYPE COLUMN
ms() {
	sum waits.csv "$1" "$2" | awk '{ printf "%d\n", 1000 * $1 }'
}
# at_least MS TYPE COLUMN: what the program waits by its own sleep; busy machines take longer
at_least() {
	[ "$(ms "$2" "$3")" -ge "$1" ] || fail "$2: $3 $(ms "$2" "$3") ms, at least $1"
}
at_least 150 ORDERED execT
at_least 350 SINGLE execT
at_least 150 LOOP exitBarT
at_least 150 SECTIONS exitBarT
at_least 150 BARRIER execT

# Regions of two calls: nested, combined with loops and sections, of one thread, and more of them than there is room for.
cat >two_calls.c <<'C'
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
typedef void body(void *);
void GOMP_parallel_start(body *, void *, unsigned);
void GOMP_parallel_loop_static_start(body *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_dynamic_start(body *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_guided_start(body *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_runtime_start(body *, void *, unsigned, long, long, long);
void GOMP_parallel_sections_start(body *, void *, unsigned, unsigned);
void GOMP_parallel_end(void);
bool GOMP_loop_static_next(long *, long *);
bool GOMP_loop_dynamic_next(long *, long *);
bool GOMP_loop_guided_next(long *, long *);
bool GOMP_loop_runtime_next(long *, long *);
void GOMP_loop_end_nowait(void);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);
void GOMP_critical_start(void);
void GOMP_critical_end(void);

static long sum;
static void add(long n)
{
	__atomic_fetch_add(&sum, n, __ATOMIC_RELAXED);
}
static void inner(void *n)
{
	add(*(long *)n);
}
static void outer(void *n)
{
	GOMP_parallel_start(inner, n, 2);
	inner(n);
	GOMP_parallel_end();
	GOMP_critical_start();
	sum += 100;
	GOMP_critical_end();
}
#define LOOP(kind) \
	static void kind(void *n) \
	{ \
		long i, end; \
		while (GOMP_loop_##kind##_next(&i, &end)) \
			for (; i < end; i++) \
				add(i); \
		GOMP_loop_end_nowait(); \
	}
LOOP(static)
LOOP(dynamic)
LOOP(guided)
LOOP(runtime)
static void sections(void *n)
{
	for (unsigned i = GOMP_sections_next(); i; i = GOMP_sections_next())
		add(i);
	GOMP_sections_end_nowait();
}
static void deep(void *depth)
{
	long less = *(long *)depth - 1;
	add(1);
	if (!less)
		return;
	GOMP_parallel_start(deep, &less, 1);
	deep(&less);
	GOMP_parallel_end();
}
/* The last call is at the very end of its function. */
static __attribute__((noinline)) void last(void *n)
{
	GOMP_parallel_start(inner, n, 3);
	inner(n);
	GOMP_parallel_end();
}
int main(int argc, char **argv)
{
	long n = 7, depth = argc > 1 ? 1100 : 20;
	omp_set_max_active_levels(2);
	for (int i = 0; i < 5; i++) {
		GOMP_parallel_start(outer, &n, 3);
		outer(&n);
		GOMP_parallel_end();
		last(&n);
	}
	GOMP_parallel_loop_static_start(static_, &n, 3, 0, 100, 1, 7);
	static_(&n);
	GOMP_parallel_end();
	GOMP_parallel_loop_dynamic_start(dynamic, &n, 3, 0, 100, 1, 7);
	dynamic(&n);
	GOMP_parallel_end();
	GOMP_parallel_loop_guided_start(guided, &n, 3, 0, 100, 1, 7);
	guided(&n);
	GOMP_parallel_end();
	GOMP_parallel_loop_runtime_start(runtime, &n, 3, 0, 100, 1);
	runtime(&n);
	GOMP_parallel_end();
	GOMP_parallel_sections_start(sections, &n, 3, 5);
	sections(&n);
	GOMP_parallel_end();
	printf("%ld\n", sum);
	deep(&depth);
	GOMP_parallel_start(outer, &n, 3);
	outer(&n);
	GOMP_parallel_end();
	printf("%ld\n", sum);
	return 0;
}
C
sed -i 's/^LOOP(static)/#define static_ loop_static\n#define GOMP_loop_loop_static_next GOMP_loop_static_next\nLOOP(loop_static)/' two_calls.c
$CC -w -g -O2 -fopenmp two_calls.c -o two_calls
measured two_calls
# 6 × (3 + 3 × 2) members, 5 × 3 more, and 19 regions in each other
cat >expected <<'END'
CRITICAL|18
PARALLEL LOOP|12
PARALLEL SECTIONS|3
PARALLEL|88
END
same 'regions of two calls' expected found
./two_calls deep >want
OMPP_REPORTFILE=none OMPP_QUIET=1 OMPP_PROFILE=0 ompp run ./two_calls deep >got 2>said || fail "regions in each other: $?"
same '1,100 regions in each other' want got

# Several OpenMP libraries: each call goes to the one to which it would go without us, which the number of threads shows.
# What a program's libraries load later is measured where that is known, and where it is not known that is said.
libgomp=$($CC -print-file-name=libgomp.so.1)
[ -f "$libgomp" ] || skip 'there is no shared libgomp'
mkdir other
sed 's/libgomp\.so\.1/libgomq.so.1/g' "$libgomp" >other/libgomq.so.1
cat >part.c <<'C'
#include <omp.h>
int part(int n)
{
	int s = 0;
	omp_set_num_threads(N);
	for (int i = 0; i < n; i++) {
#pragma omp parallel reduction(+ : s)
		{
#pragma omp critical
			s++;
#pragma omp for schedule(dynamic)
			for (int k = 0; k < 10; k++)
				s += 10;
#pragma omp cancel parallel if (i == 1)
#pragma omp barrier
		}
	}
	return s;
}
C
cat >loads.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		void *file = dlopen(argv[i], atoi(argv[i + 1]));
		int (*part)(int) = file ? (int (*)(int))dlsym(file, "part") : NULL;
		if (!part) {
			puts(dlerror());
			return 1;
		}
		printf("%s %d\n", argv[i], part(3));
	}
	return 0;
}
C
$CC -w -g -O1 -fopenmp -fPIC -shared -DN=6 part.c -o one.so
$CC -w -g -O1 -fopenmp -fPIC -shared -DN=3 part.c -o two.so -Wl,-rpath,"$PWD/other"
sed -i 's/libgomp\.so\.1/libgomq.so.1/g' two.so
$CC -w loads.c -o plain -ldl
$CC -w -fopenmp loads.c -o openmp -Wl,--no-as-needed -lgomp -ldl
./plain ./one.so 1 ./two.so 1 >want || skip "a copy of libgomp cannot be loaded: $(cat want)"
for program in plain openmp; do
	for cancellation in false true; do
		# RTLD_LAZY is 1, RTLD_NOW 2, RTLD_DEEPBIND 8
		for arguments in './one.so 1' './one.so 1 ./two.so 1' './one.so 2 ./two.so 2' './two.so 9 ./one.so 1' './one.so 2 ./two.so 10'; do
			# shellcheck disable=SC2086
			OMP_CANCELLATION=$cancellation ./$program $arguments >want
			# shellcheck disable=SC2086
			OMP_CANCELLATION=$cancellation measure loads.csv timeout 60 ompp run ./$program $arguments >got ||
				fail "$program $arguments: $?: $(cat got said)"
			same "$program $arguments, cancellation $cancellation" want got
			n=$(counts loads.csv | sed -n 's/^PARALLEL|//p')
			case "$program $arguments $(sed -n 's/.*two.so //p' want)" in
			*two.so*309 | *two.so*206)
				# the other library's own, by a file that was loaded later
				grep -q 'functions that several libraries here have' loads.csv || [ "$n" = 27 ] ||
					fail "$program $arguments: $n, and no word of it"
				;;
			*two.so*) [ "$n" ] || fail "$program $arguments: no regions" ;;
			*) [ "$n" = 18 ] || fail "$program $arguments: $n regions" ;;
			esac
		done
	done
done
