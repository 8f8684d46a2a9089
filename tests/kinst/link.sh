# link: what is linked, and how
. "$srcdir/tests/kinst/kinst.sh"
small_c a.c
echo 'int main(void) { return 0; }' >nothing.c
cat >lib.c <<'EOF'
int work(int n)
{
	int s = 0;
#pragma omp parallel for reduction(+:s)
	for (int i = 0; i < n; i++)
		s++;
	return s;
}
EOF
echo 'int work(int); int main(void) { return work(7) != 7; }' >main.c

uses() {
	ldd "$1" | grep -q libompp || fail "$1 is not linked with libompp"
}
uses_not() {
	! ldd "$1" | grep -q libompp || fail "$1 is linked with libompp"
}

# a program with nothing to measure is the plain one
gcc nothing.c -o p && "$kinst" gcc nothing.c -o k
same "nothing to instrument" p k
gcc -fopenmp nothing.c -o p && "$kinst" gcc -fopenmp nothing.c -o k
same "nothing to instrument, with -fopenmp" p k

# from objects, an archive, -l, a shared object, a response file, without LD_LIBRARY_PATH
unset LD_LIBRARY_PATH
"$kinst" gcc -fopenmp -fPIC -c lib.c main.c
plain main.o
instrumented lib.o
ar rcs libwork.a lib.o
"$kinst" gcc -fopenmp main.o lib.o -o objects
"$kinst" gcc -fopenmp main.o libwork.a -o archive
"$kinst" gcc -fopenmp main.o -L. -lwork -o library
echo '-fopenmp main.o "lib.o" -o response' >list
"$kinst" gcc @list
for program in objects archive library response; do
	uses $program
	./$program || fail "$program"
done
# a folder of libompp whose name has a comma, which -Wl would take for the end of a word
ln -s "$(dirname "$(ldd objects | awk '/libompp/ { print $3 }')")" 'a,b'
KINST_LIBDIR=$work/a,b "$kinst" gcc -fopenmp main.o lib.o -o comma
uses comma
ldd comma | grep -q "$work/a,b/libompp" || fail "a folder with a comma: $(ldd comma | grep libompp)"
./comma || fail "comma"
rm libwork.a
"$kinst" gcc -fopenmp -shared lib.o -o libwork.so
uses libwork.so
gcc main.o -L. -lwork -Wl,-rpath,"$work" -o shared
./shared || fail "a plain program with an instrumented library"

# a relocatable object is no program
"$kinst" gcc -r lib.o main.o -o both.o
"$kinst" gcc -fopenmp both.o -o both
./both || fail "-r"

# link-time optimisation hides the symbols in intermediate code
"$kinst" gcc -fopenmp -O2 -flto -c lib.c main.c
"$kinst" gcc -fopenmp -O2 -flto lib.o main.o -o lto
uses lto
./lto || fail "-flto"

# static, with several sources in one call
if "$kinst" gcc -fopenmp -static lib.c main.c -o static 2>/dev/null; then
	./static || fail "-static"
else
	gcc -static -fopenmp lib.c main.c -o p 2>/dev/null && fail "-static"
fi

# static, where the plain program has no threads: libraries find all of the functions of threads, or none
cat >alone.f90 <<'END'
integer :: i = 0
!$omp atomic
i = i + 1
print *, i
end
END
if [ -n "$GFORTRAN" ] && $GFORTRAN -fopenmp -static alone.f90 -o alone 2>/dev/null; then
	./alone >want
	"$kinst" $GFORTRAN -fopenmp -static alone.f90 -o alone 2>/dev/null
	./alone >have || fail "-static, Fortran: status $?"
	same "static Fortran's output" want have
fi

# the functions that end or replace the process are wrapped where the runtime has a wrapper
"$kinst" --verbose gcc -fopenmp a.c -o a 2>steps
for name in _exit execve sigaction; do
	! nm -D "$builddir/.libs/libompp.so" | grep -q "__wrap_$name\$" ||
		grep -q -- "--wrap=$name " steps || fail "$name is not wrapped"
done

# --functions
"$kinst" --functions=work gcc -fopenmp lib.c main.c -o functions
./functions || fail "--functions=work"
nm functions | grep -q __cyg_profile_func_enter || fail "--functions: not instrumented"
nm functions | grep -q ompp_functions_default || fail "--functions: the list is not handed on"
"$kinst" gcc -fopenmp lib.c main.c -o functions
! nm functions | grep -q __cyg_profile_func_enter || fail "functions are instrumented unasked"
clean
