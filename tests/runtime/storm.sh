# storm: ten million blocks that sixteen threads allocate and free, some of them each other's, and chains of realloc: no
# block is lost and none is invented, with glibc, jemalloc and mimalloc
. "$srcdir/tests/lib.sh"

kinst $CC -g -O1 -fno-builtin -fopenmp "$srcdir/tests/runtime/storm.c" -o storm
pairs=$(grep -n 'pairs \*/' "$srcdir/tests/runtime/storm.c" | cut -d: -f1)
chain=$(grep -n 'chain \*/' "$srcdir/tests/runtime/storm.c" | cut -d: -f1)
# sums LINE: blocks, live, bytes and live bytes of all places of a line together
sums() {
	awk -F, -v place="storm.c:$1" '
		/^allocated at,/ { for (i = 1; i <= NF; i++) col[$i] = i; inside = 1; next }
		/^##/ { inside = 0 }
		inside && index($1, place) == 1 {
			blocks += $col["blocks"]; live += $col["live"]; bytes += $col["bytes"]; now += $col["live bytes"]
		}
		END { printf "%d %d %d %d\n", blocks, live, bytes, now }' report
}
export OMPP_OBJECTS=all OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=report OMPP_QUIET=1 OMPP_VIEW=data,general
for allocator in '' libjemalloc.so.2 libmimalloc.so.2; do
	[ -z "$allocator" ] || ! LD_PRELOAD=$allocator true 2>&1 | grep -q . || { missing=$allocator; continue; }
	LD_PRELOAD=$allocator ./storm >out || fail "$allocator: ends with $?"
	[ "$(cat out)" = $((16 * 1001)) ] || fail "$allocator: prints $(cat out)"
	# sizes from 1 to 200, 3,125 times each and thread
	[ "$(sums "$pairs")" = "10000000 0 $((16 * 3125 * 20100)) 0" ] || fail "$allocator: pairs: $(sums "$pairs")"
	[ "$(sums "$chain")" = "16000 0 $((16 * 16 * 500500)) 0" ] || fail "$allocator: chain: $(sums "$chain")"
	! grep -i 'blocks.*lost\|no room' report || fail "$allocator: losses"
done
[ -z "${missing:-}" ] || skip "$missing is not installed"
