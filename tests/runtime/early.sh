# early: what a program does before the constructors of libraries is measured, too, whatever comes first: a construct, a
# region of its own, by a directive or by calls, or a function
. "$srcdir/tests/lib.sh"

cat >early.c <<'C'
#include <ompp.h>

static int sum;

static __attribute__((noinline)) void part(void)
{
	sum++;
}

static void before(void)
{
#if defined(CONSTRUCT)
#pragma omp critical(early)
	part();
#elif defined(USER)
#pragma pomp inst begin(early)
	part();
#pragma pomp inst end(early)
#elif defined(CALLS)
	ompp_region_begin("early");
	part();
	ompp_region_end("early");
#else
	part();
#endif
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = before;

int main(void)
{
	before();
	return sum != 2;
}
C
export OMPP_OUTFORMAT=CSV OMPP_QUIET=1 OMPP_REPORTFILE="$PWD/report"

# twice TYPE OPTIONS: both visits are counted.
twice() {
	type=$1
	shift
	rm -f report
	kinst "$@" $CC -fopenmp $define early.c -o early || fail "$type: not built"
	./early || fail "$type: the program fails"
	[ "$(csv_field report "$type" SUM execC)" = 2 ] || fail "$type: $(cat report)"
}
define=-DCONSTRUCT twice CRITICAL
define=-DUSER twice 'USER REGION'
define=-DCALLS twice 'USER REGION'
define= twice FUNCTION --functions=part
