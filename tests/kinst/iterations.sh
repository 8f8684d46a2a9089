# iterations: generated loops in C, C++ and Fortran, of both forms, whose iterations are told (kinst --iterations): they
# print what the plain build prints, each loop that can be told is told, and what the compiler rejects is rejected
# (iterations.py).
. "$srcdir/tests/lib.sh"
need python3
need objdump
export KINST_PROGRAM=$builddir/kinst
unset KINST KINST_FLAGS
mkdir programs
fortran=${GFORTRAN:--}
cxx=${GXX:--}
python3 "$srcdir/tests/kinst/iterations.py" programs "${CC:-gcc}" "$cxx" "$fortran" 1 2 3 >said ||
	{ cat said; fail "a program"; }
