# mem: the examples of ompp_mem.h and of its Fortran module are built as their headers say, and say why there are no samples
# where there are none; tests/vm/mem-pmu.sh runs them where there are
. "$srcdir/tests/lib.sh"

libs="-L$builddir/.libs -lompp_mem -Wl,-rpath,$builddir/.libs"
judge() {
	./"$1" >out 2>err || fail "$1: status $?: $(cat out err)"
	[ ! -s err ] || fail "$1: $(cat err)"
	case $(cat out) in
	'no samples of '*'; '* | 'no counts of memory controllers: '*'; '*) ;;
	'thread '*samples* | *' calls, '*' samples, '* | *' bytes were written'*) ;;
	*) fail "$1: $(cat out)" ;;
	esac
}
for compiler in "$CC" ${GXX:+"$GXX -x c++"}; do
	printf '%s\n' '#include <ompp_mem.h>' 'int main(void) { return ompp_mem_level_name(OMPP_MEM_LEVEL_L2)[0] != 76; }' >header.c
	# shellcheck disable=SC2086
	$compiler -Wall -Wextra -Wpedantic -Werror -I"$builddir/include" header.c -x none $libs -o header || fail "$compiler: the header"
	./header || fail "$compiler: the header's functions"
done
for name in loads stores overflow traffic; do
	# shellcheck disable=SC2086
	$CC -O1 -fopenmp -Wall -Wextra -Werror -I"$builddir/include" "$srcdir/examples/mem_$name.c" $libs -o "mem_$name" ||
		fail "mem_$name.c"
	judge "mem_$name"
done
if [ -n "${GFORTRAN:-}" ]; then
	# shellcheck disable=SC2086
	$GFORTRAN -O1 -I"$builddir/include" "$srcdir/examples/mem_loads.f90" -L"$builddir" -lompp_mem_fortran $libs -o mem_fortran ||
		fail 'mem_loads.f90'
	judge mem_fortran
fi
