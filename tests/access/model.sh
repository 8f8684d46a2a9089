# model: the cache model finds the same misses, to the last one, when it sees each access as when hooks count by themselves
# what is in front of its set, and when loops are handed over as a whole.  The search for shared lines needs each store,
# so that the model sees each access beside it.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/access/kernels.sh"
setarch -R true 2>/dev/null || skip "setarch -R does not keep addresses here"

# The data; which region is found first depends on the threads
data='/^##BEG data (objects|patterns)/ { on = 1; next } /^##END/ { on = 0 } on'
export OMPP_QUIET=1 OMPP_PROFILE=0 OMPP_OUTFORMAT=CSV

# compare NAME CACHES: both reports of NAME.hooked are the same
n=0
compare() {
	for shared in 0 1; do
		OMPP_CACHE=$2 OMPP_SHARING=$shared OMPP_REPORTFILE=report$shared setarch -R ./$1.hooked >out$shared || fail "$1"
		awk "$data" report$shared >all$shared
		sed 's/,R[0-9]*,/,/' all$shared | sort >data$shared
	done
	same "$1, $2: output" out1 out0
	same "$1, $2: by each access (left) and as it is counted" data1 data0
	misses=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "L1 misses") at = i; next } { n += $at } END { print n }' all1)
	[ "${misses:-0}" -gt 20 ] || fail "$1, $2: $misses misses"
	n=$((n + 1))
}

for compiler in gcc ${CLANG:-}; do
	kinst $compiler -w -O2 -fopenmp "$srcdir/tests/access/model.c" -o model.hooked || fail "$compiler model.c"
	for caches in L1=1K/2/64,L2=8K/4/64 L1=32K/8/64,L2=256K/4/64 L1=1K/1/16,L2=3K/3/32 L2=4K/4/64; do
		OMP_NUM_THREADS=2 compare model $caches
	done
done
# loops that come again, with what the model adds for them
for compiler in gcc ${CLANG:-}; do
	kinst $compiler -w -O2 -fopenmp "$srcdir/tests/access/repeat.c" -o repeat.hooked || fail "$compiler repeat.c"
	for caches in L1=1K/2/64,L2=8K/4/64 L1=2K/2/64,L2=16K/4/64,L3=64K/16/64 L1=2K/8/64,L2=4K/8/64,L3=8K/8/64 \
		L1=4K/8/64,L3=16K/8/64 L1=4K/8/64,L2=4K/1/64,L3=16K/8/64 L1=2K/1/64; do
		OMP_THREAD_LIMIT=1 compare repeat $caches
	done
done
# no first level of a thread's own, and sets that are no power of two, have no fronts
for caches in L3=8K/4/64 L1=3K/4/64; do
	OMP_THREAD_LIMIT=1 compare model $caches
done
frame
for source in $(sources); do
	for compiler in $(compilers "$source"); do
		name=${source%.*}
		level=-O2
		build "$name.hooked" "$source" "$compiler" --access
		OMP_THREAD_LIMIT=1 compare $name L1=2K/2/64,L2=16K/4/64,L3=64K/16/64
	done
done
[ $n -gt 20 ] || fail "only $n comparisons"
