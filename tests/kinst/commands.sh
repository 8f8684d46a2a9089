# commands: generated command lines of several sources, with modules in any order, warnings, and options that name
# files: by kinst they have the plain compiler's status, output, messages and files (commands.py); SEEDS='100 101' runs
# others
. "$srcdir/tests/lib.sh"
need python3
export KINST_PROGRAM=$builddir/kinst
unset KINST KINST_FLAGS GFORTRAN_FLAGS
mkdir programs
fortran=-
! command -v gfortran >/dev/null || fortran=gfortran
seeds=${SEEDS:-$(seq 1 50) 71 73 79 112 124 125 128 147 161 169 171 182 185 196}
python3 "$srcdir/tests/kinst/commands.py" programs gcc "$fortran" $seeds >said 2>&1 || { cat said; fail "a command"; }
if command -v clang >/dev/null; then
	python3 "$srcdir/tests/kinst/commands.py" programs clang - ${SEEDS:-$(seq 1 12) 22 27 35} >said 2>&1 ||
		{ cat said; fail "a command of clang's"; }
fi

# a module in a file that kinst does not read: that of an INCLUDE line
[ "$fortran" != - ] || exit 0
echo 'use late' >late.inc
printf '%s\n' 'program p' 'include "late.inc"' '!$omp parallel' '!$omp end parallel' 'end' >user.f90
printf '%s\n' 'module late' 'integer :: n' 'end module' >late.f90
! gfortran -fopenmp user.f90 late.f90 >plain.said 2>&1 || fail "gfortran takes user.f90"
rm -f late.mod
! "$KINST_PROGRAM" gfortran -fopenmp user.f90 late.f90 >kinst.said 2>&1 || fail "kinst takes user.f90"
same "messages of an included file" plain.said kinst.said
