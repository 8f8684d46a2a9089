# foreign: a program with functions of its own under all names of the C library's, linked or preloaded, in shared and static
# programs: libompp calls none of them
. "$srcdir/tests/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip "not an x86-64 machine"
here=$srcdir/tests/runtime

# a program that does most of what there is: regions, tasks, locks, named data, threads of its own, an incremental report
cat >use.c <<'END'
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <ompp.h>
static double grid[1000];
static omp_lock_t lock;
static void *host(void *arg)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		++*(int *)arg;
	}
	return NULL;
}
int main(void)
{
	int n = 0, m = 0;
	pthread_t thread;
	double *block = malloc(8000);
	omp_init_lock(&lock);
#pragma omp inst data(block, 8000, "block")
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 1000; i++) {
		grid[i] = block[i] = i;
		omp_set_lock(&lock);
		n++;
		omp_unset_lock(&lock);
	}
	ompp_dump();
	pthread_create(&thread, NULL, host, &m);
	pthread_join(thread, NULL);
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 10; i++)
#pragma omp task
		ompp_region_begin("task"), ompp_region_end("task");
	free(block);
	printf("%d %d %g\n", n, m, grid[999]);
	return 7;
}
END

# run PROGRAM: as plainly, and with a report that has all of it; OMPP_* as given
run() {
	rm -rf there && mkdir there
	rc=0
	OMPP_OUTDIR=there OMPP_OUTFORMAT=PLAIN,CSV OMPP_OVERWRITE=1 OMPP_APPNAME=app OMPP_DATA_NAME=grid,lock \
		OMPP_CTR=page-faults,PAPI_TOT_INS OMPP_CLOCK=monotonic OMP_NUM_THREADS=2 TZ=Europe/Berlin "$@" >out 2>err || rc=$?
	[ $rc = 7 ] && [ "$(cat out)" = "1000 2 999" ] || fail "$*: status $rc: $(cat out err)"
	[ -s there/app.2.ompp.txt ] && [ -s there/app.2.ompp ] || fail "$*: no report: $(ls there; cat err)"
	[ "$(csv_field there/app.2.ompp.csv 'PARALLEL LOOP' SUM execC)" = 2 ] || fail "$*: counts"
	[ "$(csv_field there/app.2.ompp.csv CRITICAL SUM execC)" = 2 ] || fail "$*: counts of the other thread"
	! grep -q 'libompp has called' err || fail "$*: $(cat err)"
	rm -rf there                    # what calls cost here is not what they cost where the own cost was calibrated
}

# ---- all functions of the shared C library ----
libc=$($CC -print-file-name=libc.so.6)
allowed=$(sed -n 's/^\([a-z_][a-zA-Z_0-9]*\) .*/\1/p' "$here/IMPORTS" | tr '\n' '|')
nm -D --defined-only "$libc" 2>/dev/null | awk '$2 ~ /^[TWi]$/ { sub("@.*", "", $3); if ($3 !~ /^_/) print $3 }' | sort -u |
	grep -vxE "${allowed}none" | awk '{ print "STUB(" NR - 1 ", " $1 ")" }' >names.h
[ "$(wc -l <names.h)" -gt 1500 ] && grep -q ' read)' names.h && grep -q ' memcpy)' names.h || fail "names of the C library"
$CC -O2 -w -fPIC -fno-stack-protector -fno-builtin -I. -c "$here/foreign.c" -o foreign.o || fail "foreign.c"
if [ -f "$builddir/.libs/libompp.so" ]; then
	kinst $CC -fopenmp -O1 -g use.c foreign.o -rdynamic -o own || fail "own: does not build"
	nm -D own | grep -q ' T read$' || fail "read is not the program's"
	run ./own
	kinst $CC -fopenmp -O1 -g use.c -o use || fail "use: does not build"
	$CC -shared foreign.o -o foreign.so || fail "foreign.so"
	run env LD_PRELOAD="$PWD/foreign.so" ./use
	kinst $GXX -fopenmp -O1 -w -x c++ -fpermissive --functions use.c -o usexx 2>err && run env LD_PRELOAD="$PWD/foreign.so" ./usexx
	# it is seen when somebody does
	printf 'unsigned alarm(unsigned);\nunsigned test_calls(void) { return alarm(0); }\n' >calls.c
	$CC -shared -fPIC calls.c -o libompp.so
	printf 'unsigned test_calls(void);\nint main(void) { return test_calls(); }\n' >main.c
	$CC main.c foreign.o -rdynamic ./libompp.so -Wl,-rpath,. -o seen
	! ./seen 2>err && grep -q 'libompp has called alarm' err || fail "a call is not seen: $(cat err)"
fi

# ---- a static program ----
archive=$($CC -print-file-name=libc.a)
if [ -f "$builddir/.libs/libompp.a" ] && [ -f "$archive" ] && $CC -static -fopenmp -w "$here/ends.c" -o plain 2>/dev/null; then
	sed 's/#include <ompp.h>/#define ompp_region_begin(a) (void)0\n#define ompp_region_end(a) (void)0\n#define ompp_dump()/' use.c >plain.c
	# What the plain program, or its libraries, do not need themselves: found by trying.
	sed -n 's/.*, \(.*\))/\1/p' names.h >rest
	nm "$archive" 2>/dev/null | awk '$2 ~ /^[TWi]$/ { print $3 }' | sort -u | comm -12 - rest >both && mv both rest
	nm "$($CC -print-file-name=libgomp.a)" "$archive" 2>/dev/null | awk '$1 == "U" { print $2 }' | sort -u | comm -13 - rest >free
	# what is pulled in with the members that are needed, and defined there as such
	# The plain program finds out what is pulled in with the members that it needs, and what of the rest it calls itself.
	rc=98
	for try in $(seq 40); do
		{
			cat <<'END'
static long call(long number, long a, const void *b, long c)
{
	long result;
	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return result;
}
static void die(const char *name, int n) { call(1, 2, name, n); call(1, 2, "\n", 1); call(231, 98, 0, 0); }
END
			awk '{ print "void " $1 "(void) { die(\"" $1 "\", " length($1) "); }" }' free
		} >wrong.c
		$CC -w -fno-builtin -c wrong.c -o wrong.o || fail "wrong.c"
		if $CC -w -static -fopenmp plain.c wrong.o -o plain 2>link.err; then
			rc=0
			OMP_NUM_THREADS=2 ./plain >out 2>bad || rc=$?
			[ $rc = 98 ] || break
		else
			sed -n 's/.*multiple definition of [^A-Za-z_]*\([A-Za-z_0-9]*\).*/\1/p' link.err | sort -u >bad
		fi
		[ -s bad ] || { tail -3 link.err; fail "the plain static program does not link"; }
		comm -23 free bad >less && mv less free
	done
	[ $rc = 7 ] || fail "the plain static program: status $rc"
	[ "$(wc -l <free)" -gt 300 ] && grep -qx getcwd free || fail "static: only $(wc -l <free) names"
	kinst $CC -w -static -fopenmp use.c wrong.o -o still 2>/dev/null || fail "the static program does not link"
	run ./still
else
	echo "no static libraries: static programs are not tested"
fi
