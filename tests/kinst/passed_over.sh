# passed_over: one line says that OpenMP directives are passed over, as -fopenmp is not given; all else is as without kinst
. "$srcdir/tests/kinst/kinst.sh"
need gfortran

mkdir system
printf '%s\n' 'static inline int in_system(int n) {' '#pragma omp atomic' 'n++; return n; }' >system/system.h
printf '%s\n' '#include <system.h>' '#pragma omp declare simd' 'int f(int n) { return in_system(n); }' \
	'int g(int n) {' '#pragma omp simd' 'for (int i = 0; i < n; i++) n++; return n; }' >none.c
printf '%s\n' '#include "mine.h"' 'int main(void) { return mine(0) != 1; }' >some.c
printf '%s\n' '' 'static inline int mine(int n) {' '_Pragma("omp critical")' 'n++; return n; }' >mine.h
printf '%s\n' 'int other(void)' '{' '#pragma omp parallel' '; return 0; }' >other.c
printf '%s\n' 'program p' '  integer :: i' '  !$omp simd' '  do i = 1, 2' '  end do' '  !$OMP Parallel do &' '  !$omp private(i)' \
	'  do i = 1, 2' '  end do' 'end program' >f.f90
tail='passed over: -fopenmp is not given; give it to compile and link, or -fno-openmp where this is meant'

# says PLACE COMMAND…: one line, which begins so; and nothing for PLACE "".  The output is what the plain compiler makes.
says() {
	place=$1
	shift
	rm -f out
	"$kinst" "$@" -o out 2>said || fail "$*: $(cat said)"
	sed -i 's|^kinst: \./|kinst: |' said # as clang names files beside the source
	echo "kinst: $place: $tail" >want
	[ -n "$place" ] || : >want
	same "$*" want said
	mv out got
	"$@" -o out 2>/dev/null
	nm got >got.names
	nm out >out.names
	same "$*: what is in the object" out.names got.names
}

for c in gcc clang; do
	command -v $c >/dev/null || continue
	says mine.h:3:\ critical $c some.c
	says mine.h:3:\ critical $c some.c other.c
	says other.c:3:\ parallel $c -c other.c
	says '' $c -isystem system -c none.c
	for flag in -w -Wno-unknown-pragmas -fno-openmp -fopenmp-simd; do
		says '' $c $flag some.c
	done
	KINST=off says '' $c some.c
	KINST_FLAGS=--disable=omp says '' $c some.c
	$c -E other.c >other.i
	says other.c:3:\ parallel $c -c other.i
done
says f.f90:6:\ parallel\ do gfortran f.f90
says '' gfortran -fno-openmp f.f90

# -fopenmp that goes past the driver: clang's words for it are measured, of the others it is said
handed() {
	place=$1
	shift
	"$kinst" "$@" -c other.c -o got 2>said || fail "$*: $(cat said)"
	echo "kinst: other.c:3: parallel: not measured: -fopenmp is given by way of $place; give it by itself, to compile and" \
		link >want
	same "$*" want said
	"$@" -c other.c -o out
	nm got >got.names
	nm out >out.names
	grep -q 'GOMP\|kmpc' out.names || fail "$*: no OpenMP"
	same "$*: what is in the object" out.names got.names
}
handed -Xpreprocessor gcc -Xpreprocessor -fopenmp
handed -Wp gcc -Wp,-fopenmp
if command -v clang >/dev/null; then
	handed -Wp clang -Wp,-DX,-fopenmp
	handed -Xarch_host clang -Xarch_host -fopenmp
	for words in '-Xclang -fopenmp' '-Xpreprocessor -fopenmp' '-fno-openmp -Xclang -fopenmp'; do
		"$kinst" clang $words -c other.c -o got 2>said || fail "clang $words: $(cat said)"
		[ ! -s said ] || fail "clang $words: $(cat said)"
		instrumented got
		nm got | grep -q kmpc || fail "clang $words: no OpenMP"
	done
fi

# Compilers of other names and options, as this machine has none: what they are given is as plainly.
for name in flang nvc ifx; do
	printf '%s\n' '#!/bin/sh' 'case $1 in' '-v | -V | --version) echo "some compiler 1.0"; exit 1 ;;' 'esac' \
		'for word; do' 'case $word in -qopenmp | -mp | -fopenmp) set -- "$@" -fopenmp ;; *) set -- "$@" "$word" ;; esac' \
		'shift' 'done' 'exec gcc "$@"' >$name
	chmod +x $name
done
for words in './flang -fopenmp' './nvc -mp' './ifx -qopenmp'; do
	case $words in
	./nvc*) whose="it is NVIDIA's, " ;;
	./ifx*) whose="it is Intel's, " ;;
	*) whose= ;;
	esac
	for mode in '-c other.c' some.c; do
		"$kinst" $words $mode -o got 2>said || fail "$words $mode: $(cat said)"
		echo "kinst: ${words% *}: passed on as it is: ${whose}not a compiler that kinst knows, so nothing is measured;" \
			'use gcc, gfortran or clang' >want
		same "$words $mode" want said
		$words $mode -o out
		nm got >got.names
		nm out >out.names
		same "$words $mode: what is in the object" out.names got.names
		KINST=off "$kinst" $words $mode -o got 2>said
		[ ! -s said ] || fail "KINST=off $words $mode: $(cat said)"
	done
	"$kinst" ${words% *} -c other.c -o got 2>said
	[ ! -s said ] || fail "${words% *} without OpenMP: $(cat said)"
done
"$kinst" env -mp true 2>said || [ -s said ] || fail 'env -mp passed'
! grep '^kinst: ' said || fail 'it speaks of what is no compile'

status=0
printf '%s\n' 'int f(void) {' '#pragma omp parallel' 'return x; }' >wrong.c
"$kinst" gcc -c wrong.c 2>said || status=$?
[ $status = 1 ] && grep -q 'wrong.c:3:8: error: ' said && [ "$(grep -c '^kinst: ' said)" = 1 ] || fail "status $status: $(cat said)"
clean
