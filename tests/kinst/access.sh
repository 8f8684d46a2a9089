# access: which sources get access hooks, what they are compiled and linked with, and what does not change by it
. "$srcdir/tests/kinst/kinst.sh"
cat >named.c <<'END'
#include <stdio.h>
#if defined(__SANITIZE_THREAD__)
#error the program sees the hooks
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#error the program sees the hooks
#endif
#endif
static double a[100];
int main(void)
{
	double sum = 0;
#pragma omp inst data(a, sizeof a, "a")
	for (int i = 0; i < 100; i++)
		a[i] = i;
	for (int i = 0; i < 100; i++)
		sum += a[i];
	printf("%g\n", sum);
	return 0;
}
END
grep -v 'inst data' named.c >unnamed.c
compilers=gcc
! command -v clang >/dev/null || compilers="gcc clang"

hooked() {
	for file; do
		nm "$file" | grep -q ' U __tsan_read' || fail "$file is not hooked"
		! nm "$file" | grep -q '__tsan_func' || fail "$file: entries and exits of functions are hooked"
	done
}
unhooked() {
	for file; do
		! nm "$file" | grep -q '__tsan_' || fail "$file is hooked"
	done
}
# says TEXT: the last message of kinst, and only one.
says() {
	grep -q -- "$1" err || fail "no message '$1': $(cat err)"
	[ "$(wc -l <err)" = 1 ] || fail "more than one message: $(cat err)"
}
silent() {
	[ ! -s err ] || fail "$1 says: $(cat err)"
}

# hooks go into the sources that name data, into all, or into none
for c in $compilers; do
	"$kinst" $c -O2 -fopenmp -c named.c unnamed.c 2>err
	silent "$c"
	hooked named.o
	unhooked unnamed.o
	"$kinst" --access $c -O2 -c named.c unnamed.c 2>err
	silent "$c --access"
	hooked named.o unnamed.o
	nm named.o | grep -q "__tsan_init_$c\$" || fail "$c: the object does not tell who made it"
	"$kinst" --access=source $c -O2 -c unnamed.c 2>err
	silent "$c --access=source"
	nm unnamed.o | grep -q "__tsan_init_${c}_source\$" || fail "$c: the object does not tell that it counts by source"
	"$kinst" --no-access $c -fopenmp -c named.c 2>err
	unhooked named.o
	KINST_FLAGS=--access "$kinst" $c -c unnamed.c
	hooked unnamed.o
	KINST_FLAGS=--access "$kinst" $c --kinst-no-access -c unnamed.c
	unhooked unnamed.o
	"$kinst" --access $c -O2 -S named.c
	grep -q __tsan_read named.s || fail "$c -S: not hooked"
	echo 'void *memcpy(void *, const void *, unsigned long); void f(char *a, char *b) { memcpy(a, b, 100); }' >copy.c
	"$kinst" --access $c -O2 -S copy.c
	$c -c copy.s && nm copy.o | grep -q "__tsan_init_$c\$" || fail "$c -S: names"
	nm copy.o | grep -q ' U __wrap_memcpy$' && ! nm copy.o | grep -q ' U memcpy$' || fail "$c -S: memcpy"
	"$kinst" --access $c -O2 -c copy.c
	nm copy.o | grep -q ' U __wrap_memcpy$' && ! nm copy.o | grep -q ' U memcpy$' || fail "$c: memcpy"
done
! "$kinst" --access=sorce gcc -c named.c 2>err || fail "--access=sorce"
says 'did you mean source?'
! "$kinst" --acces gcc -c named.c 2>err || fail "--acces"
says 'did you mean --access?'

# what is linked, and that it runs: all ways to link
for c in $compilers; do
	for way in "" -no-pie -pie -static -static-pie; do
		echo 'int main(void) { return 0; }' >try.c
		$c -fopenmp $way try.c -o try 2>/dev/null && ./try || continue
		"$kinst" $c -O2 -fopenmp $way named.c -o prog 2>err || fail "$c $way: $(cat err)"
		! grep -q kinst err || fail "$c $way: $(cat err)"
		[ "$(./prog)" = 4950 ] || fail "$c $way: wrong result"
		nm prog | grep -q ' [tT] __tsan_read8$' || fail "$c $way: the hooks are not in the program"
		! ldd prog 2>/dev/null | grep -q tsan || fail "$c $way: libtsan is linked"
	done
done

# objects, an archive, -l; which files are not hooked is handed on
cat >part.c <<'END'
int part(int *p) { return *p; }
END
echo 'int part(int *); int main(void) { int x = 7; return part(&x) - 7; }' >main.c
echo 'int table[3];' >table.c
cat >loop.c <<'END'
int a[99], sum(const int *at, int n);
struct { long part[5]; } to[99], from[99];
int sum(const int *at, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += a[at[i]];
	for (int i = 0; i < n; i++)
		a[i] += at[i];
	for (int i = 0; i < n; i++)
		__builtin_memcpy(&to[i], &from[i], sizeof(to[i]));
	return s;
}
END
"$kinst" --access gcc -fPIC -c part.c
"$kinst" gcc -c main.c table.c
ar rcs libpart.a part.o
told() {
	kept=$(sed -n 's/.*kept in //p' err)
	text=$(cat "$kept"/*/files.c)
	rm -rf "$kept"
	case $text in
	*"ompp_access_files($1)"*) ;;
	*) fail "$2: $text" ;;
	esac
}
"$kinst" --keep gcc main.o part.o table.o -o prog 2>err
told '1, 1, "main.o"' objects
./prog || fail "objects"
"$kinst" --keep gcc main.o libpart.a -o prog 2>err
told '1, 1, "main.o"' "an archive"
"$kinst" --keep gcc main.o -L. -lpart -o prog 2>err
told '1, 1, "main.o"' -l
"$kinst" --keep --access gcc main.c part.o -o prog 2>err
told '2, 0, ""' "all hooked"
./prog || fail "all hooked"
"$kinst" gcc -c part.c -o plain.o
"$kinst" gcc main.o plain.o -o prog
! nm prog | grep -q ompp_ || fail "a program without hooks is linked with libompp"

# a shared object has its own hooks, also when a plain program opens it
rm libpart.a
"$kinst" gcc -shared part.o -o libpart.so
! nm -D libpart.so | grep -q '__tsan' || fail "the hooks of a shared object are visible"
gcc main.o -L. -lpart -Wl,-rpath,"$work" -o prog && ./prog || fail "-shared"
cat >open.c <<'END'
#include <dlfcn.h>
int main(void)
{
	void *lib = dlopen("./libpart.so", RTLD_NOW);
	int (*part)(int *) = lib ? (int (*)(int *))dlsym(lib, "part") : 0, x = 3;
	return part ? part(&x) - 3 : 9;
}
END
gcc open.c -o prog -ldl && ./prog || fail "dlopen"

# a relocatable object
"$kinst" gcc -r part.o main.o -o both.o
"$kinst" gcc both.o -o prog && ./prog || fail "-r"

cat >exchange.c <<'END'
#include <stdint.h>
/* The functions that compilers call, for each size; what stands beside an integer stays. */
#define CHECK(n_bytes, type) \
	extern _Bool exchange##n_bytes(void *p, void *expected, type wanted, int, int) \
		__asm__("__atomic_compare_exchange_" #n_bytes); \
	static int check##n_bytes(void) \
	{ \
		type a[3] = { (type)-1, (type)-2, (type)-3 }, expected = (type)-2, other = 7; \
		return !exchange##n_bytes(&a[1], &expected, (type)-9, 5, 5) || a[1] != (type)-9 || \
		       exchange##n_bytes(&a[1], &other, 0, 5, 5) || other != (type)-9 || a[0] != (type)-1 || a[2] != (type)-3; \
	}
CHECK(1, uint8_t)
CHECK(2, uint16_t)
CHECK(4, uint32_t)
CHECK(8, uint64_t)
int main(void)
{
	return check1() + check2() + check4() + check8();
}
END

# the user's own sanitizer wins
for c in $compilers; do
	for sanitizer in thread address undefined,address leak; do
		"$kinst" --access $c -fsanitize=$sanitizer -c part.c 2>err
		says "part.c: not hooked: -fsanitize=$sanitizer is given"
		! nm part.o | grep -q __tsan_init_$c || fail "$c -fsanitize=$sanitizer: hooked"
	done
	"$kinst" --access $c -fsanitize=undefined -c part.c 2>err
	silent "$c -fsanitize=undefined"
	hooked part.o
	"$kinst" --access $c -fsanitize=address -fno-sanitize=address -c part.c
	hooked part.o
	# hooked objects in a program with the real thing
	if echo 'int main(void) { return 0; }' | $c -fsanitize=thread -xc - -o try 2>/dev/null && ./try 2>/dev/null; then
		"$kinst" --access $c -O2 -c part.c main.c loop.c
		"$kinst" $c -fsanitize=thread part.o main.o loop.o -o prog 2>err
		says 'not linked: -fsanitize=thread is given'
		./prog || fail "$c: hooked objects with libtsan"
		"$kinst" --access $c -O2 -c exchange.c
		nm exchange.o | grep -q __wrap___atomic_compare_exchange_2 || fail "$c: exchange.c is not hooked"
		"$kinst" $c -fsanitize=thread exchange.o -o prog 2>err && ./prog || fail "$c: exchanges with libtsan"
	fi
done

# link-time optimisation would drop the hooks
"$kinst" --access gcc -O2 -flto -c part.c main.c 2>err
[ "$(grep -c 'compiled without -flto' err)" = 2 ] || fail "-flto: $(cat err)"
hooked part.o
"$kinst" gcc -O2 -flto part.o main.o -o prog && ./prog || fail "-flto"

# tail calls stay jumps
cat >deep.c <<'END'
#include <stdio.h>
long a[10];
__attribute__((noinline)) long odd(long n);
__attribute__((noinline)) long even(long n) { a[n % 10]++; return n ? odd(n - 1) : 1; }
__attribute__((noinline)) long odd(long n) { a[n % 10]++; return n ? even(n - 1) : 0; }
int main(void) { printf("%ld\n", even(10000000)); return a[3] != 1000000; }
END
for c in $compilers; do
	"$kinst" --access $c -O2 deep.c -o prog
	[ "$(./prog)" = 1 ] || fail "$c: deep tail recursion"
done
"$kinst" --access=source gcc -O2 deep.c -o prog
[ "$(./prog)" = 1 ] || fail "gcc --access=source: deep tail recursion"

# a compiler that cannot hook, or not by source: less, and that is said; --strict makes it an error
mkdir bin
cat >bin/gcc <<'END'
#!/bin/sh
case "$*" in
*$REFUSED*) echo 'cc1: error: sorry, no hooks here' >&2; exit 1 ;;
esac
exec /usr/bin/gcc "$@"
END
chmod +x bin/gcc
REFUSED=-fsanitize=thread
export REFUSED
if [ -x /usr/bin/gcc ]; then
	"$kinst" bin/gcc -fopenmp -O2 named.c -o prog 2>err
	says '^kinst: named.c: not hooked: error: sorry, no hooks here; its accesses are not counted'
	[ "$(./prog)" = 4950 ] || fail "without hooks"
	! "$kinst" --strict bin/gcc -fopenmp -c named.c 2>err || fail "--strict"
	REFUSED=-fno-tree-pre
	"$kinst" --access=source bin/gcc -O2 -c unnamed.c 2>err
	says 'not hooked by source: .*; the accesses of the optimised code are counted'
	nm unnamed.o | grep -q '__tsan_init_gcc$' || fail "the second best hooks"
fi

# accesses that get no hook are found, said, and handed on from the object to the program
uncounted() {
	"$kinst" --access $1 -O2 -c uncounted.c 2>err
	if [ "$2" ]; then
		says "^kinst: uncounted.c: some accesses are not counted: $2; see kinst(1)"
		echo 'int main(void) { return 0; }' >main.c
		"$kinst" --keep gcc main.c uncounted.o -o prog 2>err || fail "$1: $2: $(cat err)"
		kept=$(sed -n 's/.*kept in //p' err)
		grep -q "ompp_access_uncounted(\"uncounted.o: $2\")" "$kept"/*/files.c || fail "$1: $2 is lost"
		rm -rf "$kept"
	else
		silent "$1: nothing is uncounted"
	fi
}
for c in $compilers; do
	only_clang=
	[ $c != clang ] || only_clang=1
	echo 'void f(long *x) { __asm__ volatile("incq %0" : "+m"(*x)); }' >uncounted.c
	uncounted $c "inline assembler"
	echo 'void f(long *x) { __asm__ volatile("" : : "r"(x) : "memory"); x[1]++; } extern int g __asm__("h");' >uncounted.c
	uncounted $c ""
	echo 'void f(long double *x) { x[1] = -x[2]; }' >uncounted.c
	uncounted $c "${only_clang:+long double}"
	echo 'typedef double v __attribute__((vector_size(32))); void f(v *x) { x[1] = -x[2]; }' >uncounted.c
	uncounted $c "${only_clang:+vectors of more than 16 bytes}"
	if [ "$(uname -m)" = x86_64 ]; then
		echo '#include <immintrin.h>' >uncounted.c
		echo '__attribute__((target("avx"))) void f(double *x, __m128i m) { x[0] = _mm_maskload_pd(x, m)[1]; }' >>uncounted.c
		uncounted $c "masked or gathering vector instructions"
	fi
done
clean
