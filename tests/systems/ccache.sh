# ccache: in front of kinst and behind it; the second build comes from the cache and is the same
. "$srcdir/tests/systems/systems.sh"
need ccache
cp "$project"/*.[ch] "$project"/*.[ch]pp .
chmod u+w ./*
CCACHE_DIR=$work/cache
export CCACHE_DIR
gcc -fopenmp -DNAME='"c"' main.c work.c -o plain && ./plain >plain.c.out
g++ -fopenmp main.cpp halves.cpp -o plain && ./plain >plain.cxx.out

hits() {
	ccache --print-stats | awk '/^(direct|preprocessed)_cache_hit/ { n += $2 } END { print n + 0 }'
}
misses() {
	ccache --print-stats | awk '/^cache_miss/ { print $2 + 0 }'
}

# build CC CXX: compile and link into objects and programs
build() {
	for source in main.c work.c; do
		$1 -g -O1 -fopenmp -DNAME='"c"' -MMD -c $source -o ${source%.c}.o || fail "$1 $source"
	done
	for source in main.cpp halves.cpp; do
		$2 -g -O1 -fopenmp -c $source -o ${source%.cpp}_cxx.o || fail "$2 $source"
	done
	$1 -fopenmp main.o work.o -o c || fail "$1: link"
	$2 -fopenmp main_cxx.o halves_cxx.o -o cxx || fail "$2: link"
	measured main.c work.c work.h -- ./c
	same "$1: output" plain.c.out out
	measured main.cpp halves.cpp sum.hpp -- ./cxx
	same "$2: output" plain.cxx.out out
}

for order in "ccache,$builddir/kinst-" "$builddir/kinst,ccache,"; do
	for family in gcc:g++ clang:clang++; do
		ccache -C -z >/dev/null 2>&1
		cc=$(echo "$order${family%:*}" | tr , ' ')
		cxx=$(echo "$order${family#*:}" | tr , ' ')
		build "$cc" "$cxx"
		mkdir first
		mv ./*.o ./*.d first
		before=$(hits) missed=$(misses)
		build "$cc" "$cxx"
		[ $(($(hits) - before)) -ge 4 ] || fail "$cc: $(($(hits) - before)) of 4 objects came from the cache: $(ccache -s)"
		[ "$(misses)" = "$missed" ] || fail "$cc: compiled again: $(ccache -s)"
		for file in *.o *.d; do
			same "$cc: $file of the cache" first/$file $file
		done
		# a changed header is seen
		echo '/* changed */' >>work.h
		sed -i 's/s += 2/s += 3/' work.h
		(build "$cc" "$cxx") >/dev/null 2>&1 && fail "$cc: the old object is taken"
		sed -i 's/s += 3/s += 2/; /changed/d' work.h
		rm -r first
	done
done

# In front of kinst ccache tells apart what kinst makes by its variables and by what is behind it.
cat >a.c <<'C'
int main(void)
{
	int n = 0, a[10] = { 0 };
#pragma omp parallel for reduction(+ : n)
	for (int i = 0; i < 10; i++)
		n += a[i] + 1;
	return n != 10;
}
C
key() {
	CCACHE_DISABLE=1 "$@" -fopenmp -O1 -c a.c -o plain.o
	ccache "$@" -fopenmp -O1 -c a.c -o cached.o || fail "ccache $*"
	nm -u plain.o >want
	nm -u cached.o >got
	same "ccache $* ($what): undefined symbols" want got
}
for compiler in kinst-gcc kinst-clang; do
	for round in 1 2; do
		what=default
		key $builddir/$compiler
		for value in off on; do
			what=KINST=$value
			KINST=$value key $builddir/$compiler
		done
		for value in --access --access=hooks --disable=omp '--access --functions'; do
			what=KINST_FLAGS=$value
			KINST_FLAGS=$value key $builddir/$compiler
		done
		[ $round = 1 ] || [ "$(hits)" -ge $((before + 7)) ] || fail "$compiler: $(($(hits) - before)) of 7 from the cache"
		before=$(hits)
	done
done

# What a cross compiler made before there was a libompp for its machine is compiled again.
if [ "$(uname -m)" = x86_64 ] && command -v aarch64-linux-gnu-gcc >/dev/null; then
	mkdir library library/aarch64-linux-gnu
	gcc -shared -nostdlib -o library/libompp.so -x c /dev/null
	ln -s "$builddir/kinst" kinst-aarch64-linux-gnu-gcc
	export KINST_LIBDIR="$work/library"
	what='plain, as libompp is not for it'
	key "$work/kinst-aarch64-linux-gnu-gcc"
	aarch64-linux-gnu-gcc -shared -nostdlib -o library/aarch64-linux-gnu/libompp.so -x c /dev/null
	what='with a libompp for it'
	key "$work/kinst-aarch64-linux-gnu-gcc"
	grep -q POMP2_ got || fail "not instrumented $what: $(cat got)"
	unset KINST_LIBDIR
fi

# Where ccache does not preprocess, its check of the compiler heeds the variables, as README says.
CCACHE_COMPILERCHECK='%compiler% -v; env'
export CCACHE_COMPILERCHECK
grep -q "CCACHE_COMPILERCHECK='$CCACHE_COMPILERCHECK'" "$srcdir/README" || fail 'README has another check'
for compiler in gcc clang; do
	$compiler -fopenmp -E a.c >pre.i
	for words in '-c pre.i' '-MD -c a.c'; do
		ccache -C >/dev/null 2>&1
		case $words in -MD*) CCACHE_DEPEND=1 ;; *) CCACHE_DEPEND=0 ;; esac
		[ $CCACHE_DEPEND = 1 ] && export CCACHE_DEPEND || unset CCACHE_DEPEND
		for round in 1 2; do
			before=$(hits)
			for value in on off; do
				KINST=$value CCACHE_DISABLE=1 $builddir/kinst-$compiler -fopenmp $words -o plain.o
				KINST=$value ccache $builddir/kinst-$compiler -fopenmp $words -o cached.o || fail "ccache $words"
				nm -u plain.o >want
				nm -u cached.o >got
				same "ccache kinst-$compiler $words, KINST=$value" want got
			done
		done
		[ $(($(hits) - before)) = 2 ] || fail "kinst-$compiler $words: $(($(hits) - before)) of 2 from the cache"
	done
done
clean
