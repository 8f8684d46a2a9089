# examples: what is planted in each example stands in the first screen of its page, and a click on it shows its threads
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/browser/browser.sh"

export OMP_NUM_THREADS=2 OMPP_QUIET=1 OMPP_OVERWRITE=1
# planted EXAMPLE PROPERTY: on a busy machine a run may have lost too much to other programs to show it
planted() {
	OMPP_APPNAME=$1 ./$1.program >printed || return 1
	ompp report --format=csv --view=properties $1.2.ompp | grep -q ",$2,"
}
for pair in barrier:WaitAtBarrier critical:CriticalSectionContention imbalance:ImbalanceInParallelLoop \
	locks:LockContention sections:ImbalanceDueToUnevenSectionDistribution single:UnparallelizedInSingleRegion; do
	example=${pair%:*} property=${pair#*:}
	kinst $CC -O2 -g -fopenmp "$srcdir/examples/$example.c" -o $example.program
	retry 10 planted $example $property || fail "$example: no $property"
	ompp report --format=html $example.2.ompp >$example.html
	set -- "$@" $example.html "$property" "$example.c"
done
browse "$srcdir/tests/browser/examples.py" "$@"
