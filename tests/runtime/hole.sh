# hole: libompp's memory never lies in holes of the program's, which may map something there by MAP_FIXED
. "$srcdir/tests/lib.sh"
OMPP_REPORTFILE=report.csv OMPP_OUTFORMAT=CSV OMPP_QUIET=1 OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive
export OMPP_REPORTFILE OMPP_OUTFORMAT OMPP_QUIET OMP_NUM_THREADS OMP_WAIT_POLICY

awk 'function region(name) {
		print "static unsigned int " name "(void)\n{\n\tunsigned int sum = 0;\n"
		print "#pragma omp parallel for reduction(+ : sum)"
		print "\tfor (int i = 0; i < 1000; i++)\n\t\tsum += squares[i] += (unsigned int)i;\n\treturn sum;\n}\n"
	}
	BEGIN {
		region("first")
		for (i = 0; i < 100; i++) {
			region("region_" i)
			list = list "region_" i ", "
		}
		print "enum { N_REGIONS = " i " };\nstatic unsigned int (*const regions[N_REGIONS])(void) = { " list "};"
	}' >regions.h
cp "$srcdir/tests/runtime/hole.c" .
$CC -fopenmp hole.c -o plain
kinst --access $CC -fopenmp hole.c -o ours
./plain >want

# calm COMMAND…: runs it, and compares.
calm() {
	"$@" >got 2>err || fail "$*: ends with $?: $(head -n 3 err)"
	same "$*" want got
	[ "$(csv_field report.csv "PARALLEL LOOP" SUM execC)" = 8 ] || fail "$*: the report"
}
calm ./ours
calm env OMPP_CACHE=1 ./ours
calm env OMPP_PAGES=hooks OMPP_OBJECTS=all ./ours
calm env OMPP_SAMPLE=touch OMPP_TRACE=1 ./ours
! setarch -R true 2>/dev/null || calm setarch -R ./ours
