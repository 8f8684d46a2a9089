# libgomp_emulated: a part of libgomp's tests, built plainly, behaves by ompp run --emulate as without.
# PART=3/40 is the third of 40 parts (tests/slices); by itself it takes the first of 60.
. "$srcdir/tests/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip "programs for x86-64 are emulated on such machines alone"
need qemu-x86_64
need gfortran
need g++
export OMP_NUM_THREADS=3
"$srcdir/tests/corpus/libgomp.sh" --part="${PART:-1/60}" --jobs=2 --access=emulated || fail "libgomp.sh --access=emulated"
