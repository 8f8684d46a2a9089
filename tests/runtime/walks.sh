# walks: what the modelled caches show of how arrays are walked, and nothing that is not so
. "$srcdir/tests/lib.sh"

kinst --strict $CC -O1 -fopenmp "$srcdir/tests/runtime/walks.c" -o walks
export OMPP_REPORTFILE="$PWD/report" OMPP_OUTFORMAT=CSV OMPP_QUIET=1

# The array fits into the third level, and not into the second; two threads have half of it each.
caches=L1=4K/4/64,L2=64K/8/64,L3=64M/16/64

# of_loop COLUMN: of a in the loop
of_loop() {
	awk -F, -v column="$1" '
		/^##BEG data objects by region/ { getline; for (i = 1; i <= NF; i++) at[$i] = i; inside = 1; next }
		/^##END/ { inside = 0 }
		inside && $1 == "a" && /,PARALLEL LOOP,/ { print $at[column]; exit }' report
}
run() {
	OMPP_CACHE=$caches ./walks "$@" >out || fail "$*: status $?"
}

# A loop that is 8 times worse is not hidden behind a last level that has it all: the text has each level.
run rows
rows=$(of_loop 'L1 misses')
run columns
columns=$(of_loop 'L1 misses') last=$(of_loop 'L3 misses')
[ "$rows" -gt 0 ] && [ "$columns" -ge $((rows * 7)) ] || fail "L1 misses by rows $rows, by columns $columns"
[ "$last" = 0 ] || fail "$last L3 misses of data that was there"
OMPP_OUTFORMAT=TEXT run columns
for table in '^Data objects of R00001, all threads; misses are modelled:' '^Data objects by region, .*misses are modelled:'; do
	grep -A1 "$table" report | grep -q '^object .* L1 misses.* L2 misses.* L3 misses' || { cat report; fail "$table: not each level"; }
	grep -A20 "$table" report | grep -q "^a .* $(echo "$columns" | sed 's/...$/ &/') " || { cat report; fail "$table: $columns"; }
done
