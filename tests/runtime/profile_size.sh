# profile_size: how large profiles are of 64 threads that each have 300 functions on ten call paths: what is added to the
# times may add to the profile, within a bound; and the report has all of them
. "$srcdir/tests/lib.sh"

# Functions f0 to f299, which c0 to c9 call, one after another.
awk 'BEGIN {
	n = 300; callers = 10
	print "#include <stdio.h>\nstatic double a[64][4096];\n#define KEEP __attribute__((noinline))"
	for (i = 0; i < n; i++)
		printf "KEEP static double f%d(double *x) { x[%d] += 1; return x[%d]; }\n", i, i, i + 1
	for (c = 0; c < callers; c++) {
		printf "KEEP static double c%d(double *x) { double s = 0;\n", c
		for (i = 0; i < n; i++)
			printf "s += f%d(x);\n", i
		print "return s; }"
	}
	print "int main(void) { double s = 0;\n#pragma omp parallel for schedule(static, 1) reduction(+ : s)"
	print "for (int t = 0; t < 64; t++) {"
	for (c = 0; c < callers; c++)
		printf "s += c%d(a[t]);\n", c
	print "} printf(\"%g\\n\", s); return 0; }"
}' >wide.c
export OMP_NUM_THREADS=64 OMP_WAIT_POLICY=passive OMPP_OVERWRITE=1 OMPP_VIEW=summary OMPP_QUIET=1

# is_within WHAT MEGABYTES [VARIABLE=VALUE…]: the profile of a run of ./wide is at most so large, and has all call paths.
is_within() {
	what=$1
	most=$2
	shift 2
	rm -f wide.64.ompp
	env "$@" ./wide >out || fail "$what: status $?"
	bytes=$(wc -c <wide.64.ompp)
	echo "$what: $bytes bytes"
	[ "$bytes" -le $((most * 1000000)) ] || fail "$what: a profile of $bytes bytes"
	ompp report --view=callgraph --format=csv wide.64.ompp >tree
	n=$(grep -c ',f[0-9]*$' tree)
	[ "$n" -eq 3000 ] || fail "$what: $n call paths of functions"
}
kinst --functions $CC -O1 -fopenmp wide.c -o wide
is_within 'times' 28
kinst --functions --access $CC -O1 -fopenmp wide.c -o wide
is_within 'times and accesses' 48
is_within 'times, accesses and samples' 52 OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=100
