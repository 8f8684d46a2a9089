# main_ends: where the main thread has ended by pthread_exit(), the report has all names of variables, blocks and
# lines as where it waits for the thread that goes on
. "$srcdir/tests/lib.sh"
"$builddir/kinst" --access "${CC:-gcc}" -g -O1 -fopenmp "$srcdir/tests/runtime/main_ends.c" -o main_ends
export OMPP_QUIET=1 OMPP_OBJECTS=all
for how in joined alone; do
	OMPP_REPORTFILE=$how ./main_ends $how
	"$builddir/ompp" report --format=csv $how.ompp >$how.csv
	grep -oE '(table_of_all|make_block|compute|main_ends\.c:[0-9]+)' $how.csv | sort -u >$how.names || :
done
grep -qx table_of_all joined.names || fail "no name of a variable where main waits: $(cat joined.names)"
grep -q 'make_block\|main_ends\.c' joined.names || fail "no name of a block where main waits: $(cat joined.names)"
comm -23 joined.names alone.names >lost
[ ! -s lost ] || fail "names that are lost when main has ended: $(cat lost)"
