# cache: the misses that the model finds in a hooked program are within 1 % of cachegrind's in the plain one, also while the
# hooks sample.
. "$srcdir/tests/lib.sh"
need "${VALGRIND:=valgrind}"

# without OpenMP's library, which touches other memory
"$CC" -O1 "$srcdir/tests/access/cache.c" -o plain || fail "plain"
kinst "$CC" -O1 -fopenmp "$srcdir/tests/access/cache.c" -o hooked || fail "kinst"

# misses ORDER D1 LL: of the plain program, data alone
misses() {
	timeout 60 "$VALGRIND" --tool=cachegrind --cache-sim=yes --I1=32768,8,64 --D1=$2 --LL=$3 \
		--cachegrind-out-file=out ./plain $1 >valgrind.out 2>&1 || { tail -5 valgrind.out; fail "cachegrind"; }
	sed -n 's/^summary: *//p' out | awk '{ print $5 + $8, $6 + $9 }'
}

n=0
sample=off
for caches in '4096,4,64 65536,16,64' '16384,8,64 262144,16,64'; do
	D1=${caches% *} LL=${caches#* }
	start=$(misses nothing $D1 $LL)
	for order in columns rows; do
		whole=$(misses $order $D1 $LL)
		OMPP_CACHE=L1=$(echo $D1 | tr , /),L3=$(echo $LL | tr , /) OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=report.csv \
			OMPP_SAMPLE=$sample ./hooked $order 2>/dev/null || fail "hooked $order"
		modelled=$(awk -F, '
			/^##BEG data objects/ { getline; for (i = 1; i <= NF; i++) at[$i] = i; on = 1; next }
			/^##END/ { if (on) exit }
			on { first += $at["L1 misses"]; last += $at["L3 misses"] }
			END { print first, last }' report.csv)
		echo "$order $D1 $LL: start $start whole $whole modelled $modelled"
		echo "$start $whole $modelled" | awk '
			function near(a, b) { d = a < b ? b - a : a - b; return d <= b / 100 && b > 1000 }
			{ exit !(near($5, $3 - $1) && near($6, $4 - $2)) }' || fail "misses by cachegrind; by the model"
		n=$((n + 1))
	done
	sample=hook
done
[ $n -eq 4 ]
