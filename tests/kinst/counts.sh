# counts: what compilers write and say of counts and of themselves is of the user's own text: gcov's lines, branches and
# calls, profiles that optimise, and what takes how long in clang
. "$srcdir/tests/kinst/kinst.sh"
sources() {
	mkdir -p other
	for name in src/a.c src/b.c other/a.c; do
		cat >$name <<'C'
#include <stdio.h>
static double work(int n)
{
	double s = 0;
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < n; i++)
		s += i * 0.5;
#pragma omp critical
	s += 1;
	return s;
}
int main(void)
{
	double t = 0;
	for (int i = 0; i < 2; i++)
		t += work(100);
	printf("%g\n", t);
	return 0;
}
C
	done
	cat >src/f.f90 <<'F'
program p
  integer :: i, n
  n = 0
  !$omp parallel do reduction(+:n)
  do i = 1, 10
    n = n + i
  end do
  print *, n
end program
F
}
mkdir src
sources

# Coverage: the plain counts, and the reason, also where hooks are asked for; nothing is said of a source without
# constructs, though it has the letters.
echo 'int f(void) { return sizeof("computer"); }' >computer.c
for case in gcc:src/a.c:--coverage gcc:src/a.c:-coverage 'gcc:src/a.c:-fprofile-arcs -ftest-coverage' clang:src/a.c:--coverage \
	gfortran:src/f.f90:--coverage; do
	compiler=${case%%:*} options=${case##*:} source=${case#*:}
	source=${source%:*}
	command -v $compiler >/dev/null && command -v gcov >/dev/null || continue
	tool=gcov
	[ $compiler != clang ] || { tool='llvm-cov gcov'; command -v llvm-cov >/dev/null || continue; }
	for run in "$compiler" "$kinst $compiler" "$kinst --access $compiler"; do
		rm -f *.gc* ./*.o
		$run -fopenmp $options -c $source -o object.o 2>said || fail "$run $options: $(cat said)"
		name=
		case $run in $kinst*)
			name=-kinst
			grep -q "^kinst: $source: not instrumented: ${options#*arcs } is given, which counts in the user's own text; the" said ||
				fail "$run $options: $(cat said)"
			plain object.o ;;
		esac
		OMP_NUM_THREADS=1
		$run -fopenmp $options object.o -o prog 2>said && ./prog >/dev/null || fail "$run $options: $(cat said)"
		$tool -b -c object.gcda >/dev/null 2>&1
		cat *.gcov >"counts-$(echo "${run#"$kinst "}" | tr ' ' _)$name"
	done
	grep -q 'call  *0 \|function\|  2:' counts-$compiler || fail "$compiler $options: gcov counts nothing"
	same "$compiler $options" counts-$compiler counts-$compiler-kinst
	same "$compiler $options --access" counts-$compiler counts---access_$compiler-kinst
	rm counts-*
done
"$kinst" gcc -fopenmp --coverage -c computer.c 2>said && [ ! -s said ] || fail "a source without constructs: $(cat said)"
"$kinst" gcc -fopenmp -ftest-coverage -fno-test-coverage -c src/a.c -o a.o && instrumented a.o
! "$kinst" --strict gcc -fopenmp --coverage -c src/a.c 2>said && grep -q -- '--strict makes this an error' said ||
	fail "--strict: $(cat said)"
rm -rf other src/*

# compare WORDS: gcc's messages plainly and by kinst, in the same folder.
compare() {
	for run in gcc "$kinst gcc"; do
		rm -rf src other obj
		mkdir -p src obj
		sources
		status=0
		eval "$run $1" 2>said.new || status=$?
		echo "status $status" >>said.new
		[ ! -e said.plain ] || same "gcc $1" said.plain said.new
		mv said.new said.plain
	done
	mv said.plain plain.said
}

# Profiles that are not there: gcc's words, with the names that the plain output has.
for words in '-c src/a.c' '-c src/a.c -o obj/x.o' '-c src/a.c -o obj/x.y.o' 'src/a.c -o obj/prog' 'src/a.c -o obj/a' '-S src/a.c' \
	'-c src/a.c other/a.c' '-fprofile-use=obj -c src/a.c' '-fprofile-use=obj/none.gcda -c src/a.c'; do
	compare "-fopenmp -O2 -Wall -fprofile-use -Wmissing-profile $words"
done
grep -q 'x.y.gcda\|a.gcda' plain.said || fail "gcc names no profile: $(cat plain.said)"

# A profile of what kinst built is used where kinst builds again, without a word.
rm -rf src
mkdir src
sources
for place in '' '=counts'; do
	"$kinst" gcc -fopenmp -O2 -fprofile-generate$place src/a.c -o prog
	instrumented prog
	./prog >/dev/null
	[ -n "$(find . -name '*.gcda')" ] || fail 'no profile is written'
	"$kinst" gcc -fopenmp -O2 -Wall -fprofile-use$place -Wmissing-profile src/a.c -o prog 2>said && [ ! -s said ] ||
		fail "-fprofile-use$place: $(cat said)"
	instrumented prog
	find . -name '*.gcda' -delete
done

# Counts of an older source: what does not fit is said as plainly, whoever built what was run.  Of counts of a plain build
# kinst says that functions with calls have none.
rm -rf src obj other ./*.gc* prog
# write VERSION FILE: a function with constructs, and one without, which differ from the first version in their loops
write() {
	host='s += i;' team='s += i * 0.5;'
	[ "$1" != host ] || host='if (i % 3) s += i; else s--;'
	[ "$1" != team ] || team='if (i % 3) s += i * 0.5; else s--;'
	case $2 in
	*.f90)
		host='s = s + i' team='s = s + i * 0.5'
		[ "$1" != host ] || host='if (mod(i, 3) > 0) s = s - i'
		[ "$1" != team ] || team='if (mod(i, 3) > 0) s = s - i'
		printf '%s\n' 'real function work(n)' '  integer :: i, n' '  real :: s' '  s = 0' '  !$omp parallel do reduction(+:s)' \
			'  do i = 1, n' "    $team" '  end do' '  !$omp critical' '  s = s + 1' '  !$omp end critical' '  work = s' 'end function' \
			'real function host(n)' '  integer :: i, n' '  real :: s' '  s = 0' '  do i = 1, n' "    $host" '  end do' '  host = s' \
			'end function' 'program p' '  real :: work, host' '  print *, work(100) + host(7)' 'end program' >"$2" ;;
	*)
		printf '%s\n' '#include <stdio.h>' 'double work(int n)' '{' 'double s = 0;' '#pragma omp parallel for reduction(+ : s)' \
			'for (int i = 0; i < n; i++) {' "$team" '}' '#pragma omp critical' 's++;' 'return s;' '}' 'double host(int n)' '{' \
			'double s = 0;' 'for (int i = 0; i < n; i++) {' "$host" '}' 'return s;' '}' 'int main(void)' '{' \
			'printf("%g\n", work(100) + host(7));' 'return 0;' '}' >"$2" ;;
	esac
}
# use RUN OPTIONS FILE: what is said, and the status; the numbers of counters are those of the text that was counted, as is
# the column of a directive in Fortran, where several constructs stand in one
use() {
	status=0
	$1 -fopenmp -O1 -fno-inline $2 -c "$3" -o a.o >said.all 2>&1 || status=$?
	[ $status != 0 ] || case $1 in *kinst*) instrumented a.o ;; esac
	grep -v '^[0-9]* warnings* generated\.' said.all | sed 's/, expected [0-9]* and have [0-9]*//; s/ Hash = [0-9]*//
		s/^\(a\.f90:5\):[0-9]*/\1/; s/^\( *| \) *^$/\1^/'
	echo "status $status"
}
for case in gcc:c:-fprofile gcc:f90:-fprofile gcc:cpp:-fprofile clang:c:-fprofile clang:c:-fprofile-instr; do
	IFS=: read -r compiler language kind <<-E
		$case
	E
	command -v "$compiler" >/dev/null || continue
	case $compiler$language in gccf90) compiler=gfortran ;; gcccpp) compiler=g++ ;; esac
	for generate in "$compiler" "$kinst $compiler"; do
		rm -f *.gc* *.prof*
		write first a.$language
		$generate -fopenmp -O1 -fno-inline ${kind}-generate -c a.$language -o a.o
		$generate -fopenmp ${kind}-generate a.o -o prog
		OMPP_REPORTFILE=none OMPP_PROFILE=0 ./prog >/dev/null
		[ $compiler != clang ] || "$(command -v llvm-profdata || command -v llvm-profdata-14)" merge -o default.profdata *.profraw
		for options in '' -Wno-error=coverage-mismatch -Wno-coverage-mismatch; do
			[ "$compiler" = gcc ] || [ ! "$options" ] || continue
			for version in first host team; do
				[ "$kind$version" != -fprofile-instrteam ] || continue # clang looks at no part of a nested construct
				write $version a.$language
				expected=expected_$language$kind-$version-${options#-W}
				[ "$generate" != "$compiler" ] || use "$compiler" "$kind-use $options" a.$language >"$expected"
				for run in "$kinst $compiler" "$kinst --access $compiler"; do
					[ ! "$options" ] || [ "$run" = "$kinst $compiler" ] || continue
					use "$run" "$kind-use $options" a.$language | tee said.us |
						grep -v '^kinst: a\..*optimised without counts: these are of a build without kinst' >said.got
					same "counts by $generate, $version source, $run $kind-use $options" "$expected" said.got
					[ "$generate" = "$compiler" ] || same 'its own counts' said.us said.got
				done
			done
		done
	done
	case $kind in -fprofile)
		! grep -q 'status 1\|mismatch' expected_*first* && grep -q mismatch expected_*host- ||
			fail "$case: plainly: $(cat expected_*)" ;;
	esac
	rm a.$language expected_*
done
write first a.c
gcc -fopenmp -O1 -fprofile-generate a.c -o prog
./prog >/dev/null
"$kinst" gcc -fopenmp -O1 -fprofile-use a.c -o prog 2>said
grep -q '^kinst: a.c: 2 functions are optimised without counts: these are of a build without kinst; build with kinst before' said ||
	fail "counts of a plain build: $(cat said)"
instrumented prog
gcc -fopenmp -O1 -fprofile-generate -x c - -o prog <a.c
./prog >/dev/null
write host a.c
for run in gcc "$kinst gcc"; do
	! $run -fopenmp -O1 -fprofile-use -x c - -o prog <a.c 2>said.new || fail "$run: a source from a pipe is taken"
	[ ! -e said.pipe ] || same 'a source from a pipe' said.pipe said.new
	mv said.new said.pipe
done
rm -f *.gc* *.prof* a.* said.*
mkdir src
sources

# What takes how long: the headers of the user's own text; gcc rejects the option.
if command -v clang >/dev/null; then
	for words in '-c src/a.c -o trace.o' '-S src/a.c -o trace.s'; do
		for run in clang "$kinst clang"; do
			rm -f trace.*
			$run -fopenmp -ftime-trace -ftime-trace-granularity=0 $words 2>said && [ ! -s said ] || fail "-ftime-trace: $(cat said)"
			[ -s trace.json ] || fail "$run $words: no trace"
			grep -o '"detail":"[^"]*\.h"' trace.json | sort -u >headers
			[ -e want ] || mv headers want
		done
		grep -q stdio.h want || fail 'no headers plainly'
		same "-ftime-trace $words" want headers
		rm want headers
		[ ! -e trace.o ] || instrumented trace.o
		[ ! -e trace.s ] || grep -q POMP2 trace.s || fail '-ftime-trace: not instrumented'
	done
fi
for run in gcc "$kinst gcc"; do
	! $run -fopenmp -ftime-trace -c src/a.c 2>said.new || fail "$run takes -ftime-trace"
	[ ! -e said.gcc ] || same 'gcc rejects' said.gcc said.new
	mv said.new said.gcc
done
clean
