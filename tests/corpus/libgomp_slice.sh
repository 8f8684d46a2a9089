# libgomp_slice: a part of libgomp's tests behaves as the plain build and is measured, without access hooks, also while all
# blocks of memory are named and the kernel watches what is written, with hooks, and with hooks that sample, trace accesses and
# pages, and name all blocks; and accesses are counted the same by loops as by hooks; also
# as it is without kinst, with libompp loaded into it.
# PART=3/40 is the third of 40 parts (tests/slices); by itself it takes the first of them.
. "$srcdir/tests/lib.sh"
need gfortran
need g++
export OMP_NUM_THREADS=3
part=${PART:-1/40}
"$srcdir/tests/corpus/libgomp.sh" --part="$part" --jobs=2 || fail "libgomp.sh --part=$part"
OMPP_OBJECTS=all OMPP_PAGES=uffd OMPP_PAGES_INTERVAL=5ms "$srcdir/tests/corpus/libgomp.sh" --part="$part" --jobs=2 ||
	fail "libgomp.sh --part=$part, blocks of memory, written pages"
"$srcdir/tests/corpus/libgomp.sh" --part="$part" --jobs=2 --access=yes || fail "libgomp.sh --part=$part --access=yes"
OMPP_OBJECTS=all OMPP_TRACE=1 OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=20 OMPP_PAGES=auto "$srcdir/tests/corpus/libgomp.sh" --part="$part" --jobs=2 --access=yes ||
	fail "libgomp.sh --part=$part --access=yes, blocks of memory, sampled, traced, pages"
"$srcdir/tests/corpus/libgomp.sh" --part="$part" --jobs=2 --access=loaded >out || { cat out; fail "libgomp.sh --part=$part --access=loaded"; }
cat out
awk '/ measured whole/ { for (i = 1; i <= NF; i++) if ($i == "measured") n += $(i - 1) } END { exit n < 10 }' out ||
	fail "libgomp.sh --part=$part --access=loaded: few programs have regions"
"$srcdir/tests/corpus/libgomp.sh" --part="$part" --jobs=2 --access=ways >out || { cat out; fail "libgomp.sh --part=$part --access=ways"; }
cat out
awk '/ measured whole/ { for (i = 1; i <= NF; i++) if ($i == "measured") n += $(i - 1) } END { exit n < 10 }' out ||
	fail "libgomp.sh --part=$part --access=ways: few programs have counts"
