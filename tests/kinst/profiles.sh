# profiles: what compilers say of and count for the user's own source: gcc's messages name the profile of an earlier run as
# plainly, and gcov's counts are those of the plain build, as such a source is not instrumented, which is said
. "$srcdir/tests/lib.sh"
kinst=$builddir/kinst
mkdir sub out
cat >a.c <<'C'
#include <stdio.h>
static int f(int i)
{
	return i * 2;
}
int main(void)
{
	int s = 0;
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < 2; i++)
		s += f(i);
	printf("%d\n", s);
	return 0;
}
C
cp a.c sub/b.c
cat >a.f90 <<'F'
program p
  integer :: i, s
  s = 0
!$OMP PARALLEL DO REDUCTION(+:s)
  do i = 1, 4
    s = s + i
  end do
  print *, s
end program
F

# gcc's profiles: each way to name the output, with a profile that is missing, and with one that is there
while read -r options; do
	for build in '' "$kinst"; do
		rm -f ./*.gcda out/*.gcda
		# words of the options
		# shellcheck disable=SC2086
		$build $CC -O2 -fopenmp -fprofile-use -Wmissing-profile $options 2>"said.${build:+ours}" || fail "$options: $(cat "said.${build:+ours}")"
	done
	grep -q gcda said. || fail "plain $options names no profile: $(cat said.)"
	same "$options" said. said.ours
done <<'END'
-c a.c
-c a.c -o out/q.o
a.c -o prog
-c sub/b.c
-S a.c -o z.s
-c out/../a.c -o out/a.b.o
-fprofile-use=out -c a.c
END

# gcov: the same counts as plainly, by gcc, clang and gfortran, for each way to ask for them
for compiler in "$CC a.c" "${CLANG:+$CLANG a.c}" "${GFORTRAN:+$GFORTRAN a.f90}"; do
	[ -n "$compiler" ] || continue
	source=${compiler#* } compiler=${compiler% *}
	for options in --coverage '-fprofile-arcs -ftest-coverage'; do
		for build in plain ours; do
			rm -rf $build && mkdir $build
			# shellcheck disable=SC2086
			(cd $build && cp ../$source . && { [ $build = plain ] || set -- "$kinst"; } &&
				"$@" $compiler -O0 -fopenmp $options -c $source -o x.o 2>../$build.said && "$@" $compiler -fopenmp $options x.o -o x 2>>../$build.said &&
				OMP_NUM_THREADS=2 OMPP_QUIET=1 ./x >/dev/null && ls >../$build.files &&
				case $compiler in
				*clang*) [ -s x.gcno ] && [ -s x.gcda ] && cp x.gcno ../$build.counts ;;
				*) gcov -t x.gcda | sed 's/Runs:.*//' >../$build.counts ;;
				esac) || fail "$compiler $options: $(cat $build.said)"
		done
		grep -v 'ompp' ours.files >ours.own || :
		same "$compiler $options: files" plain.files ours.own
		case $compiler in
		*clang*) ;; # its notes have the time of the compile
		*) same "$compiler $options: counts" plain.counts ours.counts ;;
		esac
		grep -q "^kinst: $source: not instrumented: -.*coverage is given, which needs the user's own text" ours.said ||
			fail "$compiler $options: $(cat ours.said)"
	done
done
"$kinst" $CC -fopenmp -ftest-coverage -fno-test-coverage -c a.c -o x.o 2>said
! grep -q 'not instrumented' said || fail "taken back: $(cat said)"
