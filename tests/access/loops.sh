# loops: whole loops that a plug-in counts at once are counted as hooks count them; when it is used, and when it is not;
# what needs single accesses gets them.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/access/kernels.sh"
. "$srcdir/tests/access/ways.sh"

compilers=$(with_plugin)
[ "$compilers" ] || skip "no compiler has headers for plug-ins here"

# verbose WHAT WORD…: kinst says how the accesses of x.c are counted
verbose() {
	what=$1
	shift
	kinst --verbose "$@" 2>&1 | grep -q "^kinst: x.c: accesses are counted by $what" || fail "kinst $*: not '$what'"
}

cat >x.c <<'END'
double a[1000], b[1000];
void f(void);
void f(void)
{
	for (int i = 0; i < 1000; i++)
		a[i] += b[i];
}
END
mkdir bare
for file in "$builddir"/.libs/libompp*; do
	ln -s "$file" bare/
done
export HOME="$work"

for compiler in $compilers; do
	case $compiler in
	clang) set -- "$builddir"/.libs/kinst/loops_clang_*.so ;;
	gcc) set -- "$builddir"/.libs/kinst/loops_[0-9]*.so ;;
	esac
	plugin=$1

	# which way, and that it shows in the code
	verbose "$plugin" --access $compiler -O2 -c x.c
	nm x.o | grep -q ' U ompp_access_run$' || fail "$compiler: no runs"
	verbose 'hooks: --access=hooks is given' --access=hooks $compiler -O2 -c x.c
	! nm x.o | grep -q 'ompp_access_run' || fail "$compiler: --access=hooks counts by runs"
	verbose 'hooks: nothing is optimised' --access $compiler -O2 -O0 -c x.c
	KINST_LIBDIR=$work/bare verbose "hooks: there is no plug-in for this $compiler" --access $compiler -O2 -c x.c

	# a plug-in that does not work is no error
	mkdir bare/kinst
	echo 'no plug-in' >"bare/kinst/${plugin##*/}"
	KINST_LIBDIR=$work/bare kinst --strict --access $compiler -O2 -c x.c 2>err ||
		fail "$compiler: a broken plug-in stops the compile: $(cat err)"
	grep -q '^kinst: x.c: accesses are counted one by one, not by loops: .*; the counts are the same$' err || fail "$(cat err)"
	nm x.o | grep -q ' U __tsan_read8$' || fail "$compiler: not hooked"

	# a plug-in for another compiler
	rm -r bare/kinst
	KINST_LIBDIR=$work/bare KINST_PLUGINDIR=$srcdir/opari/hooks/plugin kinst --build-plugin=$compiler 2>err ||
		fail "$(cat err)"
	grep -q "^kinst: $work/bare/kinst/${plugin##*/}: built for $compiler$" err || fail "$(cat err)"
	KINST_LIBDIR=$work/bare verbose "$work/bare/kinst/" --access $compiler -O2 -c x.c
	rm -r bare/kinst
done

# compilers for which there can be none
! kinst --build-plugin=nosuchgcc 2>err || fail "built for nosuchgcc"
grep -qx 'kinst: --build-plugin=nosuchgcc: no such compiler; write the name of a gcc or clang' err || fail "$(cat err)"
! kinst --build-plugin 2>err || fail "built for nothing"
grep -qx 'kinst: --build-plugin: the value is missing; write --build-plugin=gcc' err || fail "$(cat err)"
cat >clang-99 <<'END'
#!/bin/sh
echo 'clang version 99.0.1 (https://example.com)
Target: x86_64-pc-linux-gnu' >&2
END
chmod +x clang-99
! kinst --build-plugin=./clang-99 2>err || fail "built for clang-99"
grep -qx 'kinst: ./clang-99: no headers of LLVM; install them (Debian: llvm-99-dev)' err || fail "$(cat err)"
other=aarch64
[ "$(uname -m)" != aarch64 ] || other=x86_64
mkdir bin
for target in $other-linux-gnu $other-unknown-linux-gnu; do
	cat >other-gcc <<END
#!/bin/sh
case \$1 in
-print-file-name=plugin) echo $work/plugin ;;
*)
	echo 'Target: $target
Configured with: ../src/configure
gcc version 12.2.0 (Debian 12.2.0-14)' >&2
	;;
esac
END
	chmod +x other-gcc
	! kinst --build-plugin=./other-gcc 2>err || fail "built for a cross compiler without headers"
	package=gcc-12-plugin-dev-$(echo $target | sed 's/-unknown//; s/_/-/')
	grep -qx "kinst: ./other-gcc: no headers for plug-ins; install them (Debian: $package)" err || fail "$(cat err)"
done
# one whose plug-in needs this machine's g++
mkdir -p plugin/include
touch plugin/include/gcc-plugin.h
ln -s "$(command -v sh)" bin
! PATH=$work/bin "$(command -v kinst)" --build-plugin=./other-gcc 2>err || fail "built without g++"
grep -qx 'kinst: ./other-gcc: no plug-in: there is no g++, which builds it; install it (Debian: g++)' err ||
	fail "no g++: $(cat err)"
sed "s/gcc version 12.2.0/clang version 14.0.6/" other-gcc >other-clang
chmod +x other-clang
! kinst --build-plugin=./other-clang 2>err || fail "built for a clang of another machine"
grep -q '^kinst: ./other-clang: no plug-in: the compiler makes code for another machine' err || fail "$(cat err)"

# accesses without hooks are named in either way, and gcc's own vectors are none of them
cat >vectors.c <<'END'
#include <immintrin.h>
__attribute__((target("avx2"))) void f(double *p, const double *q, __m256i m);
void f(double *p, const double *q, __m256i m)
{
	_mm256_maskstore_pd(p, m, _mm256_maskload_pd(q, m));
	_mm256_stream_pd(p + 4, _mm256_setzero_pd());
}
END
case $(uname -m) in
x86_64)
	for compiler in $compilers; do
		other='streaming stores'
		[ $compiler != clang ] || other='vectors of more than 16 bytes'
		for way in --access --access=hooks; do
			kinst $way $compiler -O2 -c vectors.c 2>err
			for kind in 'masked or gathering vector instructions' "$other"; do
				grep -q "some accesses are not counted: .*$kind" err || fail "$compiler: $way: $(cat err)"
			done
		done
	done
	cat >gather.c <<'END'
void f(double *restrict a, const double *restrict b, const int *restrict at, int n);
void f(double *restrict a, const double *restrict b, const int *restrict at, int n)
{
	for (int i = 0; i < n; i++)
		if (at[i] > 3)
			a[i] = b[at[i]];
}
END
	for compiler in $compilers; do
		kinst --access $compiler -O3 -march=skylake-avx512 -c gather.c 2>err
		[ ! -s err ] || fail "gather.c: $(cat err)"
	done
	;;
esac

# what looks at single accesses gets them; oracle.sh compares the counts of all kernels
same_counts() {
	told hooks
	told loops
	reported hooks >one
	reported loops >two
	[ -s one ] || fail "$1: no counts"
	diff one two || fail "$1: by loops (right) not what hooks count"
}
frame
level=-O3
for source in csr.c soa.c matrix.f90; do
	case $source in
	*.f90) with=${GFORTRAN:-} ;;
	*) with=$compilers ;;
	esac
	for compiler in $with; do
		build hooks "$source" "$compiler" --access=hooks
		build loops "$source" "$compiler" --access
		OMPP_CACHE=1 same_counts "$source, $compiler, OMPP_CACHE"
		OMPP_SHARING=1 same_counts "$source, $compiler, OMPP_SHARING"
		OMPP_SAMPLE=hook same_counts "$source, $compiler, OMPP_SAMPLE"
	done
done

# another gcc of the machine
if command -v g++-11 >/dev/null && [ -f "$(gcc-11 -print-file-name=plugin)/include/gcc-plugin.h" ]; then
	KINST_LIBDIR=$work/bare KINST_PLUGINDIR=$srcdir/opari/hooks/plugin kinst --build-plugin=gcc-11 2>err || fail "$(cat err)"
	KINST_LIBDIR=$work/bare verbose "$work/bare/kinst/loops_11_" --access gcc-11 -O2 -c x.c
	export KINST_LIBDIR="$work/bare"
	build hooks fft.c gcc-11 --access=hooks
	build loops fft.c gcc-11 --access
	same_counts "fft.c, gcc-11"
	unset KINST_LIBDIR
fi

# the model's misses, to the last one, where addresses are the same
cat >misses.c <<'END'
#include <stdio.h>
#include <sys/mman.h>
enum { N = 300 };
int main(void)
{
	double (*a)[N] = mmap((void *)0x10000000, N * N * 8, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	double *x = mmap((void *)0x20000000, N * 8, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	double *y = mmap((void *)0x30000000, N * 8, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
#pragma pomp inst data(a, N * N * 8, "a")
#pragma pomp inst data(x, N * 8, "x")
#pragma pomp inst data(y, N * 8, "y")
	for (int i = 0; i < N; i++) {
		x[i] = i;
		for (int j = 0; j < N; j++)
			a[j][i] = i - j;
	}
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			y[j] += a[i][j] * x[(i * 7 + j * 3) % N];
	for (int i = 0; i < N; i++)
		if (x[i] > 10)
			y[i] = a[i][0];
	printf("%g\n", y[N / 2]);
	return 0;
}
END
for compiler in $compilers; do
	for way in hooks loops; do
		kinst $([ $way = loops ] || echo --access=hooks) $compiler -w -O2 -fopenmp misses.c -o $way || fail "misses.c, $compiler"
		OMPP_CACHE=L1=4K/4/64,L2=32K/8/64 OMPP_QUIET=1 OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_REPORTFILE=$way.csv ./$way >$way.out
		awk '/^##BEG data objects/ { on = 1; next } /^##END/ { on = 0 } on && /^(object|a|x|y),/' $way.csv >$way.rows
	done
	same "$compiler: output" hooks.out loops.out
	same "$compiler: misses" hooks.rows loops.rows
	[ "$(wc -l <hooks.rows)" = 8 ] || fail "$(cat hooks.rows)"
done
