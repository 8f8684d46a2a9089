# large pages: what a region misses in TLBs with small and with large pages is what lists of pages in LRU order miss, to
# within 1 %: between that of whole TLBs and of such in which the stack and other data have some pages. Walks are made by
# chance: down columns, to any place, in order. Where large pages spare a tenth of some thousand misses the section says so, else it does not.
. "$srcdir/tests/lib.sh"
need python3
make="python3 $srcdir/tests/access/large_pages.py"
export OMPP_QUIET=1 OMPP_OBJECTS=all OMPP_OVERWRITE=1 OMPP_SAMPLE=off OMPP_HOT=0 OMPP_CACHE=L1=32K/8/64 OMPP_LAYOUTS=1
export OMP_NUM_THREADS=1

seed=${SEED:-$(date +%s)}
n_said=0
for i in 1 2 3 4; do
	what="seed $((seed + i))"
	tlb=$($make make $((seed + i)) program.c)
	kinst --access "${CC:-gcc}" -w -g -O1 -fopenmp program.c -o program || fail "$what: program"
	rm -f program.*.ompp*
	OMPP_TLB=$tlb ./program >out 2>err || fail "$what: $tlb: $(cat err)"
	ompp report --format=json program.*.ompp >program.json || fail "$what: no profile"
	ompp report --format=CSV --view=layouts program.*.ompp >program.csv || fail "$what: no report"
	$make check $((seed + i)) program.json program.csv >said || fail "$what: $tlb: $(cat said)"
	n_said=$((n_said + $(cat said)))
done
[ $n_said -ge 2 ] || fail "seeds from $seed on: said of $n_said regions alone"

# without TLBs there is nothing; what is wrong with a list is told, and all else is there
rm -f program.*.ompp*
OMPP_TLB=0 ./program >out.none || fail "without TLBs"
ompp report --format=json program.*.ompp | grep -q '"translations":{"region":\[\]' || fail "TLBs that nobody asked for"
rm -f program.*.ompp*
OMPP_QUIET=0 OMPP_TLB=L1=64/4 ./program >out 2>err || fail "a wrong list"
same "what it prints with a wrong list" out.none out
grep -q 'OMPP_TLB: L1=64/4: three numbers are needed' err || fail "a wrong list: $(cat err)"
ompp report --format=json program.*.ompp | grep -q '"kind":\["' || fail "a wrong list: no other layouts"
