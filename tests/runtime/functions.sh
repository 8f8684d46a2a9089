# functions: --functions=LIST at build time and OMPP_FUNCTIONS at run time choose which functions are regions
. "$srcdir/tests/lib.sh"
[ -n "$GXX" ] || skip "no C++ compiler"

kinst --functions=work,method $GXX -fopenmp "$srcdir/tests/runtime/functions.cpp" -o prog
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$PWD/report" OMPP_QUIET=1
calls() {
	awk -F, -v name="$1" '
		/^##BEG flat/ { flat = 1 }
		flat && $2 == "FUNCTION" && $6 == name { inside = 1 }
		inside && $1 == "SUM" { print $3; exit }' report
}

[ "$(./prog)" = 93 ] || fail "wrong result: $(./prog)"
[ "$(calls work)" = 24 ] || fail "work: $(calls work) calls"
[ "$(calls deep::thing::method)" = 6 ] || fail "method: $(calls deep::thing::method)"
! grep hidden report || fail "hidden is in the report"
OMPP_FUNCTIONS=hidden ./prog >out
[ "$(calls hidden)" = 18 ] || fail "hidden: $(calls hidden) calls"
! grep 'FUNCTION,.*,work$' report || fail "work is in the report"
OMPP_DISABLE_USER_REGION=1 ./prog >out
! grep 'FUNCTION' report || fail "functions are in the report"

# words that no function met are named, with the nearest right one, whoever made the list
unset OMPP_QUIET
unmet() {
	./prog >out 2>err || fail "$1: status"
	[ "$(grep -c 'no function' err)" = 1 ] && grep -qxF "ompp: $1" err || fail "$1: $(cat err)"
	[ "$(grep -c 'no function' report)" = 1 ] || fail "$1: the report does not say it"
}
what='was called in what kinst --functions compiled'
OMPP_FUNCTIONS=wrok,hidden unmet "OMPP_FUNCTIONS: no function 'wrok' $what; did you mean 'work'?"
OMPP_FUNCTIONS=metod unmet "OMPP_FUNCTIONS: no function 'metod' $what; did you mean 'method'?"
kinst --functions=hiden,work $GXX -fopenmp "$srcdir/tests/runtime/functions.cpp" -o prog
unmet "kinst --functions: no function 'hiden' $what; did you mean 'hidden'?"
OMPP_FUNCTIONS=work ./prog >out 2>err
! grep 'no function' err || fail "a list that is met"
kinst $GXX -fopenmp "$srcdir/tests/runtime/functions.cpp" -o prog
OMPP_FUNCTIONS=work unmet "OMPP_FUNCTIONS: no function 'work' $what"

# functions of system headers and of the C++ library are none of the program's, unless they are asked for
unset OMPP_FUNCTIONS
mkdir system
printf '%s\n' 'static int from_header(int x) { return x + 1; }' >system/system.h
cat >library.cpp <<'END'
#include <numeric>
#include <vector>
#include <system.h>
static int own(int n)
{
	std::vector<int> v(n, 2);
	v.push_back(3);
	return std::accumulate(v.begin(), v.end(), 0);
}
int main()
{
	return own(3) + from_header(1) != 11;
}
END
regions() {
	OMPP_REPORTFILE=report.csv OMPP_OUTFORMAT=CSV ./library 2>err || fail "library: status $?: $(cat err)"
	awk -F, '/^##BEG region overview/ { on = 1 } /^##END/ { on = 0 } on && $2 == "FUNCTION" { print $6 }' report.csv | sort | tr '\n' ' '
}
kinst --functions $GXX -isystem "$PWD/system" library.cpp -o library
case $GXX in
*clang*) want='from_header main own ' ;;        # it has no option to leave files out
*) want='main own ' ;;
esac
[ "$(regions)" = "$want" ] || fail "of the library: $(regions)"
kinst --functions=own,std::vector,accumulate $GXX -isystem "$PWD/system" library.cpp -o library
[ "$(regions)" = "own " ] || fail "by parts of names: $(regions)"
kinst --functions=own,std::accumulate $GXX -isystem "$PWD/system" library.cpp -o library
[ "$(regions | grep -c 'std::accumulate.*own')" = 1 ] || fail "by its whole name: $(regions)"

# folders that are named relative to where the compiler runs are the system's as well, but for files of the user's in them
mkdir -p third/include mine
echo 'static int from_third(int x) { return x + 1; }' >third/include/third.h
echo 'static int from_mine(int x) { return x + 1; }' >mine/third.h
printf '%s\n' '#include <third.h>' 'int main(void) { return from_third(1) != 2; }' >library.c
case $CC in
*clang*) ;;
*)
	kinst --functions $CC -isystem third/include library.c -o library
	[ "$(regions)" = 'main ' ] || fail "of a relative folder: $(regions)"
	;;
esac

# files of one name are told apart by their folders
mkdir -p one/x two/x
for folder in one two; do
	printf '%s\n' '#include <omp.h>' "void in_$folder(void)" '{' '#pragma omp parallel' 'omp_get_num_threads();' '}' >$folder/x/x.c
done
printf '%s\n' 'void in_one(void), in_two(void);' 'int main(void)' '{' 'in_one();' 'in_two();' '#pragma omp parallel' ';' 'return 0;' '}' >main.c
kinst $CC -fopenmp main.c one/x/x.c "$PWD/two/x/x.c" -o apart
OMPP_QUIET=1 OMPP_OUTDIR=. OMPP_APPNAME=apart OMPP_OUTFORMAT=TEXT OMPP_REPORTFILE='' ./apart
names() {
	sed -n 's/^ \* R[0-9]* //; t name; d; :name; s/ \[.*//; p' "$1" | sort | tr '\n' ' '      # without marks, as [costly]
}
[ "$(names apart.*.txt)" = 'main.c (6-7) one/x/x.c (4-5) two/x/x.c (4-5) ' ] || fail "files of one name: $(names apart.*.txt)"
ompp report --view=overview --region=two/x/x.c apart.*.ompp >out
[ "$(names out)" = 'two/x/x.c (4-5) ' ] || fail "one of them: $(cat out)"
! ompp report --view=overview --region=o/x/x.c apart.*.ompp >out 2>err || fail "a part of a folder's name"
grep -q "no region .o/x/x.c." err || fail "what is not there: $(cat err)"

# functions have their place in the source, without -g too, so that those of one name are told apart, and lambdas have a line
for folder in one two; do
	printf '%s\n' '' 'static int help(int n) { return n + 1; }' "extern \"C\" int in_$folder(int n) {" 'return help(n);' '}' >$folder/x/x.cpp
done
cat >main.cpp <<'END'
extern "C" int in_one(int), in_two(int);
struct shape { virtual ~shape() {} };
struct square : virtual shape { square() {} };
int main() {
	square s;
	auto twice = [](int n) { return 2 * n; };
	return in_one(1) + in_two(2) + twice(3) != 11;
}
END
want='main.cpp (2) (shape::shape) main.cpp (2) (shape::~shape) main.cpp (3) (square::square) main.cpp (3) (square::~square)'
want="$want main.cpp (4) (main) main.cpp (6) (LAMBDA)"
want="$want one/x/x.cpp (2) (help) one/x/x.cpp (3) (in_one) two/x/x.cpp (2) (help) two/x/x.cpp (3) (in_two) "
for compiler in $GXX clang++; do
	command -v "${compiler%% *}" >/dev/null || continue
	kinst --functions $compiler main.cpp one/x/x.cpp "$PWD/two/x/x.cpp" -o apart
	OMPP_QUIET=1 OMPP_OUTFORMAT=TEXT OMPP_REPORTFILE=report.txt ./apart || fail "$compiler: status $?"
	got=$(names report.txt | sed 's/ \[costly\]//g; s/main::[^ ]*::operator()/LAMBDA/; s/main::{lambda(int)#1}::operator()/LAMBDA/')
	[ "$got" = "$want" ] || fail "$compiler: places: $got"
done
# -g0 is the user's word
kinst --functions $GXX -g0 main.cpp one/x/x.cpp two/x/x.cpp -o apart
OMPP_QUIET=1 OMPP_OUTFORMAT=TEXT OMPP_REPORTFILE=report.txt ./apart
grep -q ' (main)' report.txt && ! grep -q 'x\.cpp' report.txt || fail "-g0: $(names report.txt)"

if [ -n "$GFORTRAN" ]; then
	cat >solver.f90 <<'END'
module solver
contains
  integer function step(n)
    integer, intent(in) :: n
    step = n + 1
  end function
end module
program p
  use solver
  if (step(1) /= 2) stop 1
end program
END
	kinst --functions $GFORTRAN solver.f90 -o apart
	OMPP_QUIET=1 OMPP_OUTFORMAT=TEXT OMPP_REPORTFILE=report.txt ./apart || fail "a module's procedures: status $?"
	names report.txt | grep -qF 'solver.f90 (3) (solver::step)' || fail "a module's procedures: $(names report.txt)"
	kinst --functions=step $GFORTRAN solver.f90 -o apart
	OMPP_QUIET=1 OMPP_OUTFORMAT=TEXT OMPP_REPORTFILE=report.txt ./apart
	names report.txt | sed 's/ \[costly\]//' | grep -qxF 'solver.f90 (3) (solver::step) ' || fail "one by its name: $(names report.txt)"
fi
