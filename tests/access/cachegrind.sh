# cachegrind: the cache model and valgrind's own, on the same accesses.
# When instruction fetches go into a last level that both share, the model has cachegrind's misses, one by one.  As the
# runtime uses it, with data alone, it is within 1 %, as the kernels' instructions fit into I1 and few lines of LL.
. "$srcdir/tests/lib.sh"
need "${VALGRIND:=valgrind}"

"$CC" -O1 -g -static "$srcdir/tests/access/cache_kernels.c" -o kernels 2>/dev/null ||
	"$CC" -O1 -g "$srcdir/tests/access/cache_kernels.c" -o kernels || fail "kernels do not compile"

# I1 D1 LL
geometries='32768,8,64 32768,8,64 131072,16,64
32768,8,64 4096,4,64 65536,8,64
16384,4,32 2048,64,32 131072,4,128
32768,8,64 1024,1,32 262144,16,64'

valgrind_run() {
	timeout 60 "$VALGRIND" "$@" >valgrind.out 2>&1 || { tail -5 valgrind.out; fail "valgrind $1"; }
}

n=0
for kernel in rows columns stencil transpose histogram unaligned; do
	valgrind_run --tool=lackey --trace-mem=yes --log-file=trace ./kernels $kernel
	# shellcheck disable=SC2046
	"$builddir/tests/access/cache_trace" $(echo "$geometries" | tr , /) <trace >model || fail "model"
	echo "$geometries" >list
	while read -r I1 D1 LL; do
		valgrind_run --tool=cachegrind --cache-sim=yes --I1=$I1 --D1=$D1 --LL=$LL --cachegrind-out-file=out \
			./kernels $kernel
		# Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw
		sed -n 's/^summary: *//p' out | awk '{ print $2, $3, $5 + $8, $6 + $9 }' >>theirs
	done <list
	paste -d ' ' theirs model >both
	rm theirs
	# Start-up code may see its stack elsewhere in the other tool: a few lines.
	awk -v kernel=$kernel '
		function near(a, b, part) { d = a < b ? b - a : a - b; return d <= 4 || d <= b * part }
		function same(a, b) { return near(a, b, 0.001) }
		{ right = same($5, $1) && same($6, $2) && same($7, $3) && same($8, $4) && near($9, $4, 0.01) }
		!right || $3 < 1000 { print kernel ", geometry " NR ": " $0; bad = 1 }
		END { exit bad || NR != 4 }' both || bad="${bad-} $kernel"
	n=$((n + 1))
done
[ -z "${bad-}" ] || fail "misses of I1, LLi, D1, LLd by cachegrind; by the model: $bad"
[ $n -eq 6 ]
