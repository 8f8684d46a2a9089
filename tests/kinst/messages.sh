# messages: what is printed, and the exit status, are those of a compile of the original
. "$srcdir/tests/kinst/kinst.sh"

sources() {
	small_c src/a.c
	cat >src/warn.c <<'EOF'
#include <stdio.h>
int f(int n, int unused)
{
	int result, x;
#pragma omp parallel for private(x)
	for (x = 0; x < n; x++)
		printf("%s\n", x);
	switch (n) {
	case 1:
		n++; /* fall through */
	case 2:
		n++;
	}
	return result;
}
EOF
	cat >src/quiet.c <<'EOF'
int f(int n)
{
	int s = 0, pomp2_old_task = 0;
#pragma omp parallel num_threads(2)
#pragma omp parallel for reduction(+:s) schedule(static)
	for (int x = 0; x < n; x++)
		s += x + pomp2_old_task;
	switch (n) {
	case 1:
		n++; /* fall through */
	case 2:
		n++;
	}
	return s + n;
}
EOF
	cat >src/error.c <<'EOF'
#include <nowhere.h>
EOF
	cat >src/error2.c <<'EOF'
void f(void)
{
#pragma omp parallel
	{
		undeclared = 1;
	}
#pragma omp parallel nonsense
	;
}
EOF
	echo 'void missing(void); int main(void) {' >src/undefined.c
	echo '_Pragma("omp parallel") missing(); }' >>src/undefined.c
}

for c in gcc clang; do
	command -v $c >/dev/null || continue
	for flags in "" "-Wall -Wextra" "-Wall -Wextra -Werror" "-O2 -Wall -Wshadow -Werror=shadow" -w; do
		for file in a warn quiet error error2; do
			both $c "-fopenmp $flags -c src/$file.c -o obj/x.o"
		done
	done
	both $c "-fopenmp -std=c99 -pedantic-errors -Wall -Wextra -Werror -Wmissing-prototypes -Wstrict-prototypes -c src/a.c"
	both $c "-fopenmp -c src/none.c"
	both $c "-fopenmp src/a.c -lno-such-library -o prog"
	both $c "-fopenmp -c src/a.c src/error.c src/warn.c"
	both $c "--bogus-option -fopenmp -c src/a.c"
done

# no rule of the user's project is broken by what kinst puts in: nothing is compiled twice
rm -rf *
mkdir src obj tmp
sources
"$kinst" --verbose gcc -fopenmp -O2 -Wall -Wextra -Wshadow -Werror -c src/a.c 2>steps
[ "$(grep -c ' -c ' steps)" = 1 ] && ! grep -q judged steps || fail "compiled twice: $(cat steps)"
# a comment that preprocessing takes away must not become an error
"$kinst" --strict gcc -fopenmp -Wextra -Werror=implicit-fallthrough -c src/quiet.c
instrumented quiet.o

# the linker speaks for itself
! gcc -fopenmp src/undefined.c -o prog 2>plain.said || fail "undefined.c links"
! "$kinst" gcc -fopenmp src/undefined.c -o prog 2>kinst.said || fail "undefined.c links with kinst"
grep -q "undefined reference to .missing'" kinst.said || fail "the linker's message is lost"
[ ! -e prog ] || fail "prog exists"

# configure probes fail and succeed as they do without us
for body in "int main(void) { return 0; }" "int main(void) { return no_such(); }" "int main(void) { syntax"; do
	echo "$body" >conftest.c
	p=0 k=0
	gcc -fopenmp -Werror=implicit-function-declaration conftest.c -o conftest >p.txt 2>&1 || p=$?
	"$kinst" gcc -fopenmp -Werror=implicit-function-declaration conftest.c -o conftest >k.txt 2>&1 || k=$?
	[ $p = $k ] || fail "$body: status $p and $k"
	same "$body" p.txt k.txt
done
clean

# where our directives are in a source that clang warns of, it says the same but that it does not know them
if command -v clang >/dev/null; then
	mkdir -p 'odd "name'
	cat >'odd "name/ours.c' <<'END'
void f(double *a)
{
#pragma pomp inst data(a, 8, "a")
#pragma pomp inst begin(x)
	int unused;
	a[0] = 1;
#pragma pomp inst end(x)
}
END
	cp 'odd "name/ours.c' ours.c
	for name in ours.c "$PWD/ours.c" 'odd "name/ours.c'; do
		clang -Wall -Wno-unknown-pragmas -c "$name" -o o.o 2>p.txt
		"$kinst" clang -Wall -c "$name" -o o.o 2>k.txt || fail "$name: status $?"
		same "clang, $name" p.txt k.txt
		grep -q "unused variable" k.txt || fail "clang, $name: no warning"
	done
	clean
fi

# gfortran warns of loops that share a label, which kinst's text does not have
command -v gfortran >/dev/null || exit 0
cat >shared.f90 <<'END'
do 10 i = 1, 5
!$omp parallel do
do 10 j = 1, 5
k = i * j
10 continue
end program
END
gfortran -fopenmp -c shared.f90 -o s.o 2>p.txt
"$kinst" gfortran -fopenmp -c shared.f90 -o s.o 2>k.txt
instrumented s.o
same "the warning of a shared label" p.txt k.txt
clean
