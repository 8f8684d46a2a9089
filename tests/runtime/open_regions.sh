# open_regions: a region that is begun in a function which returns is open until its end, with ompp_region_open() from the
# first time on, with ompp_region_begin() from the second one; OMPP_REGION is one to the end of its block at -O0, too
. "$srcdir/tests/lib.sh"
[ -n "$GXX" ] || skip "no C++ compiler"

# paths: the regions below each other, with the number of executions
paths() {
	ompp report --format=json it.*.ompp >json || fail 'no profile'
	python3 "$srcdir/tests/call_paths.py" json | grep -v '|CRITICAL|' | LC_ALL=C sort
}

cat >expected <<'END'
scope|PARALLEL|40
scope|scope|20
timed|PARALLEL|20
|PARALLEL|20
|scope|10
|timed|10
END
for level in -O0 -O2; do
	kinst $GXX $level -w -g -fopenmp "$srcdir/tests/runtime/open_regions.cpp" -o it
	rm -f it.*.ompp*
	OMPP_QUIET=1 ./it || fail "$level: $?"
	paths >found
	same "$level: regions" expected found
	! grep -q 'left without their end\|came without a begin' it.*.txt || fail "$level: $(grep -A2 ^Note it.*.txt)"

	# What is begun far below its end is lost the first time: of that the report tells.
	kinst $GXX $level -w -g -fopenmp -DBEGIN=ompp_region_begin "$srcdir/tests/runtime/open_regions.cpp" -o it
	rm -f it.*.ompp*
	OMPP_QUIET=1 ./it || fail "$level, begin: $?"
	paths >found
	n=$(awk -F'|' '$1 == "scope" && $2 == "PARALLEL" { print $3 }' found)
	[ "$n" -ge 36 ] && [ "$n" -lt 40 -o $level != -O0 ] || fail "$level, begin: $(cat found)"
	[ "$n" -lt 40 ] || continue # optimised, the functions may have no frames in which more fits
	grep -q 'left without their end' it.*.txt && grep -q 'came without a begin' it.*.txt || fail "$level, begin: not said"
done

cat >block.c <<'C'
#include <ompp.h>
static int n;
int main(void)
{
	for (int i = 0; i < 5; i++) {
		OMPP_REGION("outer");
#pragma omp parallel num_threads(2)
#pragma omp critical
		n++;
	}
	return n != 10;
}
C
printf 'outer|PARALLEL|10\n|outer|5\n' >expected
for compiler in "$CC" "$CLANG"; do
	[ -n "$compiler" ] || continue
	kinst $compiler -O0 -w -fopenmp block.c -o it
	rm -f it.*.ompp*
	OMPP_QUIET=1 ./it || fail "$compiler: $?"
	paths >found
	same "$compiler: OMPP_REGION at -O0" expected found
done
