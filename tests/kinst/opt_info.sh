# opt_info: kinst --opt-info keeps what the compiler says of each loop of the plain source, and reports show it: loops of
# known answer by gcc, clang and gfortran, with and without access hooks, in an archive, too.  What the compiler writes and
# returns stays as it is.
. "$srcdir/tests/lib.sh"
export OMPP_QUIET=1 OMP_NUM_THREADS=1

# Each loop stands in a line that ends with what is to be said of it: yes, or a word of the reason.
cat >loops.c <<'END'
#include <stdlib.h>
void plain(float *restrict a, const float *restrict b, int n)
{
#pragma omp parallel for
	for (int i = 0; i < n; i++) /* yes */
		a[i] = b[i] * 2;
}
int called(int *a, int n)
{
	int s = 0;
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < n; i++) /* no */
		s += rand() + a[i];
	return s;
}
int found(const int *a, int n)
{
	for (int i = 0; i < n; i++) /* no */
		if (a[i] == 7)
			return i;
	return -1;
}
double chain(double *a, int n)
{
	for (int i = 1; i < n; i++) /* no */
		a[i] = a[i - 1] * 0.5 + a[i];
	return a[n - 1];
}
END
cat >main.c <<'END'
void plain(float *, const float *, int);
int  called(int *, int), found(const int *, int);
double chain(double *, int);
static float x[5000], y[5000];
static int z[5000];
static double w[5000];
int main(void)
{
	plain(x, y, 5000);
	called(z, 5000);
	found(z, 5000);
	chain(w, 5000);
	return 0;
}
END
cat >loops.f90 <<'END'
program loops
  implicit none
  integer, parameter :: n = 5000
  real :: a(n), b(n), r
  integer :: i
  b = 1
  a = 0
  !$omp parallel do
  do i = 1, n ! yes
     a(i) = b(i) * 2 + a(i)
  end do
  do i = 2, n ! no
     a(i) = a(i - 1) * 0.5 + a(i)
  end do
  do i = 1, n ! no
     call random_number(r)
     b(i) = b(i) + r
  end do
  print *, sum(a) > 0, sum(b) > 0
end program
END

# check NAME SOURCE: the report of what NAME has run has the answers of the source.  gcc names a worksharing loop by the
# line in which its body begins, or the loop's.
check() {
	ompp report --view=loops --format=csv "$1"*.ompp >report.csv || fail "$1: report"
	awk -F, -v source="$2" '
		FILENAME == source {
			if (match($0, /(\/\*|!) (yes|no)( |$)/))
				want[FNR] = $0 ~ /(\/\*|!) yes/ ? "yes" : "no"
			next
		}
		/^loop file/ || (/loop line/ && !n_columns) { for (i = 1; i <= NF; i++) at[$i] = i; n_columns = NF; next }
		n_columns && $at["loop file"] ~ source "$" { said[$at["loop line"]] = $at["vectorised"] }
		END {
			for (line in want) {
				n++
				got = line in said ? said[line] : (line + 1) in said ? said[line + 1] : "nothing"
				got = got == "nothing" && (line - 1) in said ? said[line - 1] : got
				if (got != want[line]) {
					print source ":" line ": " got ", not " want[line]
					bad = 1
				}
			}
			exit bad || n < 3
		}' "$2" report.csv || { cat report.csv; fail "$1: $2"; }
}

n=0
for compiler in gcc ${CLANG:-}; do
	for access in '' --access; do
		kinst --opt-info $access $compiler -O3 -fopenmp -c loops.c -o loops.o 2>err || fail "$compiler $access"
		kinst $access $compiler -O3 -fopenmp -c loops.c -o bare.o 2>err.plain || fail "$compiler $access"
		same "$compiler $access: messages" err.plain err
		ar rc libloops.a loops.o
		kinst $access $compiler -O3 -fopenmp main.c libloops.a -o prog || fail "$compiler: link"
		rm -f prog*.ompp
		./prog || fail "$compiler $access: prog"
		check prog loops.c
		! grep -q 'does not say why' report.csv || { cat report.csv; fail "$compiler: a loop without a reason"; }
		kinst $access $compiler -O3 -fopenmp main.c bare.o -o without || fail "$compiler: link"
		rm -f without*.ompp
		./without
		ompp report --view=loops --format=csv without*.ompp >report.csv
		! grep -q loops.c report.csv || fail "loops without --opt-info"
		n=$((n + 1))
	done
done
# with -flto it says what the compiler does without, which vectorises at the link else, where nobody asks it; objects of
# Fortran cannot be given that, and it says so, unless accesses are counted
for compiler in gcc ${CLANG:-}; do
	kinst --opt-info $compiler -O3 -flto -fopenmp main.c loops.c -o linked 2>err || { cat err; fail "$compiler -flto"; }
	rm -f linked*.ompp
	./linked || fail "$compiler -flto: linked"
	check linked loops.c
done
if [ -n "${FC:-}" ] && command -v "$FC" >/dev/null; then
	kinst --opt-info "$FC" -O3 -flto -fopenmp -c loops.f90 -o lto.o 2>err || { cat err; fail "$FC -flto"; }
	grep -q 'loops.f90: loops are not known: with -flto objects of Fortran cannot be given' err || { cat err; fail "$FC -flto"; }
	# hooks leave -flto out, and so the object can
	kinst --opt-info --access "$FC" -O3 -flto -fopenmp loops.f90 -o hooked 2>err || { cat err; fail "$FC -flto --access"; }
	! grep -q 'loops are not known' err || { cat err; fail "$FC -flto --access"; }
	rm -f hooked*.ompp
	./hooked >out || fail "$FC -flto --access: hooked"
	check hooked loops.f90
fi
# an error is the compiler's alone
printf 'int main(void) { for (int i = 0; i < n; i++) ; }\n' >wrong.c
"${CC:-gcc}" -O3 -fopenmp -c wrong.c 2>plain.err && fail "wrong.c compiles"
status=0
kinst --opt-info "${CC:-gcc}" -O3 -fopenmp -c wrong.c 2>err || status=$?
[ $status -eq 1 ] && grep -q 'error:' err || fail "wrong.c: status $status"
! grep -q 'loops are not known' err || fail "a second message for what does not compile"
if [ -n "${FC:-}" ] && command -v "$FC" >/dev/null; then
	kinst --opt-info "$FC" -O3 -fopenmp loops.f90 -o fortran || fail "$FC"
	./fortran >out || fail "fortran"
	check fortran loops.f90
	n=$((n + 1))
fi
[ $n -ge 2 ]
