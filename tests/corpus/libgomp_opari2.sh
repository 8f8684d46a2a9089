# libgomp_opari2: a part of libgomp's tests behaves as the plain build with calls that opari2 put in, and what is not measured
# is named and stands in OPARI2.  PART=3/40 is the third of 40 parts (tests/slices); by itself it takes the first of them.
. "$srcdir/tests/lib.sh"
need opari2
need gfortran
need g++
export OMP_NUM_THREADS=3
part=${PART:-1/40}
"$srcdir/tests/corpus/libgomp.sh" --part="$part" --jobs=2 --engine=opari2 || fail "libgomp.sh --part=$part --engine=opari2"
