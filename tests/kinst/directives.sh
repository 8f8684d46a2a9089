# directives: kinst names what it does not know in the user's own directives, with the nearest right one, and the rest has its
# effect
. "$srcdir/tests/kinst/kinst.sh"
need gfortran

# a line "want: …" in a comment is the message about the line before it, in the order of the messages
cat >a.c <<'END'
int main(void)
{
	double a[3] = { 0 };
#pragma pomp inst dta(a)
	/* want: inst dta: unknown directive; did you mean inst data? */
#pragma omp inst dat(a)
	/* want: inst dat: unknown directive; did you mean inst data? */
#pragma pomp inst begn(x)
	/* want: inst begn: unknown directive; did you mean inst begin? */
#pragma omp inst stop
	/* want: inst stop: unknown directive; write inst begin, end, altend, data, on, off, init or finalize */
#pragma pomp inst once
	/* want: inst once: unknown directive; write inst begin, end, altend, data, on, off, init or finalize */
#pragma omp isnt data(a)
	/* want: omp isnt: unknown directive; did you mean omp inst? */
#pragma pomp data(a)
	/* want: pomp data: unknown directive; did you mean pomp inst data? */
#pragma pomp hello
	/* want: pomp hello: unknown directive; write pomp inst, instrument or noinstrument */
#pragma pomp inst
	/* want: inst: unknown directive; write inst begin, end, altend, data, on, off, init or finalize */
#pragma pomp inst begin
	/* want: inst begin: the name is missing; write inst begin(name) */
#pragma pomp inst end()
	/* want: inst end: the name is empty; write inst end(name) */
#pragma pomp inst begin("a*b")
	/* want: inst begin(a*b): a name cannot have a * in it; leave it out */
#pragma pomp inst begin(solve)
	a[0] = 1;
#pragma pomp inst end(slove)
	/* want: inst end(slove): no region of this name has begun; did you mean solve, which begins in line 28? */
#pragma pomp inst end(other)
	/* want: inst end(other): no region of this name has begun; write inst begin(other) before it, in the same file */
#pragma pomp INST Begin("q x")
	a[1] = 2;
#pragma pomp inst \
	altend ( q x )
#pragma pomp inst begin(open)
	/* want: inst begin(open): the region never ends; write inst end(open) behind it, in the same file */
	return a[0] + a[1] != 3;
}
END
sed 's|^\t*/\* want: .*||' a.c >a.cc
grep -n 'want: ' a.c | awk '{ line = $0; sub(/:.*/, "", line); sub(/.*want: /, ""); sub(/ \*\/$/, ""); print line - 1 ": " $0 }' >want
for compiler in gcc clang 'gcc -fopenmp' 'clang -fopenmp'; do
	command -v ${compiler%% *} >/dev/null || continue
	case $compiler in
	clang*) grep -v isnt a.c | sed 's/in line 28/in line 26/' >b.c ;;     # an error to clang
	*) cp a.c b.c ;;
	esac
	grep -n 'want: ' b.c | awk '{ line = $0; sub(/:.*/, "", line); sub(/.*want: /, ""); sub(/ \*\/$/, ""); print "kinst: b.c:" line - 1 ": " $0 }' >want
	"$kinst" $compiler b.c -o b 2>said || fail "$compiler: $(cat said)"
	same "$compiler: the messages" want said
	nm b | grep -q POMP2_Begin || fail "$compiler: the right region has no calls"
	./b || fail "$compiler: status $?"
done

cat >a.f90 <<'END'
program p
  real :: a(3)
  a = 0
  !$pomp inst dta(a)        ! want: inst dta: unknown directive; did you mean inst data?
  !$omp inst begn(x)        ! want: inst begn: unknown directive; did you mean inst begin?
  !$omp inst begin(solve)
  a(1) = 1
  !$pomp inst end(slove)    ! want: inst end(slove): no region of this name has begun; did you mean solve, which begins in line 6?
  !$pomp inst end           ! want: inst end: the name is missing; write inst end(name)
  !$pomp INST Begin("Q x")
  !$pomp inst end ( q X )
  !$pomp inst begin(open)   ! want: inst begin(open): the region never ends; write inst end(open) behind it, in the same file
  if (a(1) /= 1) stop 1
end program
END
awk '/want: / { sub(/.*want: /, ""); print "kinst: a.f90:" NR ": " $0 }' a.f90 >want
for options in '' -fopenmp; do
	"$kinst" gfortran $options a.f90 -o a 2>said || fail "gfortran: $(cat said)"
	same "gfortran $options: the messages" want said
	nm a | grep -qi ompp_f_begin || fail "gfortran: the right region has no calls"
	./a || fail "gfortran: status $?"
done

# one wrong `inst data` is one directive without effect: the others and the constructs have theirs
cat >w.c <<'END'
double g[3];
int f(double *p)
{
#pragma omp inst data(p)
#pragma omp inst data(g, no)
#pragma omp inst data(g, p)
#pragma omp inst data(no, 8)
#pragma omp inst data(g)
#pragma omp parallel
	g[1] = 3;
	return !p;
}
int main(void)
{
	return f(g);
}
END
cp w.c w.cc
cat >w.f90 <<'END'
program p
  implicit none
  real :: a(3)
  a = 0
  !$pomp inst data(nono)
  !$pomp inst data(a)
  !$pomp inst data(a, xxxx, 'a name that is so long that the call does not fit into one line of the text that the compiler gets')
  !$omp parallel
  if (a(1) /= 0) stop 1
  !$omp end parallel
end program
END
no_bytes='inst data: its type does not tell how much memory it names; write data(pointer, bytes); the directive has no effect'
for compiler in gcc 'gcc -std=c90' clang g++ 'g++ -std=c++98' clang++ gfortran; do
	command -v ${compiler%% *} >/dev/null || continue
	case $compiler in
	gfortran) file=w.f90 lines='5 7 ' ;;
	*++*) file=w.cc lines='4 5 6 7 ' ;;
	*) file=w.c lines='4 5 6 7 ' ;;
	esac
	for options in --no-access --access; do
		"$kinst" $options $compiler -fopenmp $file -o w 2>said || fail "$compiler: $(cat said)"
		[ "$(awk -F: '/inst data: .*the directive has no effect/ { print $3 }' said | sort | tr '\n' ' ')" = "$lines" ] ||
			fail "$compiler: $(cat said)"
		! grep -q 'not instrumented\|not measured' said || fail "$compiler: $(cat said)"
		[ $file = w.f90 ] || grep -q "^kinst: $file:4: $no_bytes" said || fail "$compiler: $(cat said)"
		OMPP_REPORTFILE=report.txt ./w || fail "$compiler: status $?"
		grep -q '^R.*PARALLEL' report.txt || fail "$compiler: the region"
		grep -q '^Data Name *: [ga]$' report.txt || fail "$compiler: the right directive: $(cat report.txt)"
	done
done

# so is a region's begin or end where nothing can be called
printf '%s\n' '#pragma pomp inst begin(all)' 'int main(void) {' '#pragma pomp inst begin(right)' ';' '#pragma pomp inst end(right)' \
	'return 0; }' '#pragma pomp inst end(all)' '#pragma pomp inst off' >o.c
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	"$kinst" $compiler o.c -o o 2>said || fail "$compiler: $(cat said)"
	[ "$(sed 's/: [^:]*:[0-9]*:[0-9]*: error: .*; / /; s/^kinst: o.c://' said | tr '\n' ' ')" = "1: inst begin(all) the directive has no effect 7: inst end(all) the \
directive has no effect 8: inst off the directive has no effect " ] || fail "$compiler: $(cat said)"
	OMPP_REPORTFILE=report.txt ./o
	grep -q '(right)' report.txt || fail "$compiler: the right region"
done

# a pointer in a template, which is wrong with one type alone
printf '%s\n' 'template <class T> T f(T p)' '{' '#pragma omp inst data(p)' 'return p;' '}' \
	'int main() { int x = 0; return f(x) + *f(&x); }' >t.cc
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	"$kinst" --no-access $compiler t.cc -o t 2>said || fail "$compiler, a template: $(cat said)"
	grep -q "^kinst: t.cc:3: $no_bytes" said || fail "$compiler, a template: $(cat said)"
done

# options: what they do not know
refused() {
	what=$1
	shift
	! "$kinst" "$@" gcc -fopenmp -c w.c 2>said || fail "$*"
	grep -q -- "$what" said || fail "$*: $(cat said)"
}
refused 'did you mean omp:atomic?' --disable=omp:critical,atmoic
refused 'did you mean omp:atomic?' --disable=atomic
refused 'did you mean pomp?' --disable=omp+pompp
refused 'write omp' --disable=all
KINST=of "$kinst" gcc -c w.c -fopenmp 2>said || fail "KINST=of"
grep -q '^kinst: KINST=of: ' said || fail "KINST=of: $(cat said)"
"$kinst" --disable=omp:parallel+pomp gcc -fopenmp b.c -c -o b.o 2>said
! nm b.o | grep -q POMP2_Begin || fail "--disable=pomp"
"$kinst" -h | grep -q -- --functions || fail "-h"
clean
