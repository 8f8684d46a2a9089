# object_lines: blocks that are allocated in one line are an object each, with the name of their own declarator or
# assignment: bytes, blocks and loads are what programs made by chance (object_lines.py) print of themselves, also by pages
# and by samples.  Calls of the same line that only return addresses tell apart are never one.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/runtime/object_lines_lib.sh"
need python3

lines c 1 "$CC -O2"
[ -z "$GXX" ] || lines c++ 2 "$GXX -O0"
[ -z "$GXX" ] || lines c++ 3 "$GXX -O3"
! command -v clang >/dev/null || lines c 4 'clang -O2'
[ -z "$GFORTRAN" ] || lines fixed 7 "$GFORTRAN -O1 -ffixed-line-length-none"
[ -z "$GFORTRAN" ] || lines fortran 5 "$GFORTRAN -O2"

# Samples and pages go to the same objects.
OMPP_QUIET=1 OMPP_OBJECTS=all OMPP_TRACE=1 OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=83 OMPP_PAGES=hooks ./lines >out
ompp report --format=json lines.*.ompp >json
ompp pages --format=csv-raw lines.*.pages >pages
ompp flow --view=events --format=csv lines.*.flow >events
python3 "$lines" check json out pages events >wrong || fail "samples and pages: $(cat wrong)"
python3 -c 'import csv, sys
rows = csv.DictReader(sys.stdin)
out = csv.DictWriter(sys.stdout, rows.fieldnames)
out.writeheader()
out.writerows(dict(r, object="other") if r["kind"] == "load" else r for r in rows)' <events >mixed
! python3 "$lines" check json out pages mixed >wrong || fail 'other objects of samples are not found'

# Without columns nobody knows which calls the compiler copied: each is an object, and none has another's bytes.
cat >blind.c <<'C'
#include <stdlib.h>
int main(void)
{
	double *a = malloc(1000), *b = malloc(2000); for (int i = 0; i < 3; i++) free(malloc(5000));
#pragma omp parallel
	{ }
	free(a); free(b);
	return 0;
}
C
"$builddir/kinst" $CC -g -gno-column-info -O0 -fopenmp blind.c -o blind
OMPP_QUIET=1 OMPP_OBJECTS=all ./blind
ompp report --format=json blind.*.ompp | python3 -c '
import json, sys
a = json.load(sys.stdin)["allocations"]
rows = [r for r in zip(a["all_bytes"], a["blocks"], a["name"]) if r[2].startswith("blind.c:4 ")]
assert sorted(r[:2] for r in rows) == [(1000, 1), (2000, 1), (15000, 3)], rows
assert len(set(a["name"])) == len(a["name"]), a' || fail 'calls without columns'
