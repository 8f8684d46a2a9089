# libraries: archives, shared objects and plug-ins with constructs, by each linker, whoever links the program
. "$srcdir/tests/systems/systems.sh"
cp "$project"/*.[ch] .
chmod u+w ./*
flags='-fopenmp -O1 -DNAME="n"'
kinst=$builddir/kinst
gcc $flags main.c work.c -o plain
./plain >plain.out
all="main.c work.c work.h"

# check WHAT: ./program does and measures what it should.
check() {
	measured $all -- ./program
	same "$1: output" plain.out out
	rm program
}

$kinst gcc $flags -fPIC -c main.c work.c plug.c
for linker in bfd gold lld; do
	$kinst gcc $flags main.o work.o -fuse-ld=$linker -o program || fail "$linker"
	check "$linker"
	$kinst gcc $flags main.o work.o -fuse-ld=$linker -Wl,--as-needed -Wl,--gc-sections -Wl,-z,now -s -o program || fail "$linker, --as-needed"
	check "$linker, --as-needed"
done
ar rcs libwork.a work.o
ar rcsT libthin.a work.o
for library in libwork.a libthin.a "-L. -l:libwork.a" "-Wl,--whole-archive libwork.a -Wl,--no-whole-archive" \
	       "-Wl,--start-group libwork.a -Wl,--end-group"; do
	$kinst gcc $flags main.o $library -o program || fail "$library"
	check "$library"
done
$kinst gcc $flags -static main.o work.o -o program || fail "-static"
check "-static"
$kinst gcc $flags -static-libgcc -no-pie main.c work.c -o program || fail "-static-libgcc -no-pie"
check "-static-libgcc -no-pie"
$kinst gcc -r -nostdlib main.o work.o -o both.o || fail "-r"
$kinst gcc $flags both.o -o program || fail "of a partial link"
check "of a partial link"

# the construct of a header is in both, but is one region
$kinst gcc -shared $flags work.o -o libwork.so || fail "-shared"
$kinst gcc $flags main.o -L. -lwork -Wl,-rpath,"$PWD" -o program || fail "with a shared library"
ldd program | grep -q libwork.so || fail "the shared library is not used"
check "with a shared library"
# the library alone is kinst's, and what is not shall not be measured here
export OMPP_INTERPOSE=0
all="work.c work.h"
gcc $flags main.c -L. -lwork -Wl,-rpath,"$PWD" -o program || fail "plain program, library of kinst"
check "plain program, library of kinst"

# plug-ins: of kinst in a plain program and in kinst's own, both by turns, loaded and unloaded twice
gcc $flags -fPIC -shared plug.c -o plug_plain.so
$kinst gcc -shared $flags plug.o -o plug.so || fail "plug-in"
cp plug.c plug2.c
$kinst gcc -shared -fPIC $flags plug2.c -o plug2.so || fail "plug-in"
gcc load.c -o load_plain
$kinst gcc load.c -o load
cmp -s load load_plain || fail "a program with nothing to measure is not the plain one"
$kinst gcc $flags load.c work.c -o load_openmp
./load_plain ./plug_plain.so ./plug_plain.so >plain.out
for load in load_plain load load_openmp; do
	measured plug.c plug2.c -- ./$load ./plug.so ./plug2.so
	same "$load: output" plain.out out
done

# link-time optimisation
./plain >plain.out
all="main.c work.c work.h"
for fat in -fno-fat-lto-objects -ffat-lto-objects; do
	$kinst gcc $flags -O2 -flto $fat main.c work.c -o program || fail "gcc -flto"
	check "gcc -flto $fat"
	$kinst gcc $flags -O2 -flto $fat -c work.c -o lto.o
	gcc-ar rcs liblto.a lto.o
	$kinst gcc $flags -O2 -flto main.c liblto.a -o program || fail "gcc -flto with an archive"
	check "gcc -flto with an archive"
done
for lto in full thin; do
	$kinst clang $flags -O2 -flto=$lto -fuse-ld=lld main.c work.c -o program || fail "clang -flto=$lto"
	check "clang -flto=$lto"
done

# without kinst at the link: the linker's message names what README explains
! gcc $flags main.o work.o -o program 2>said || fail "linked without kinst"
grep -q 'undefined reference to .POMP2_' said || fail "linked without kinst: $(head -3 said)"
# and that the library is enough
gcc $flags main.o work.o -L"$builddir/.libs" -lompp -Wl,-rpath,"$builddir/.libs" -o program || fail "linked with -lompp"
check "linked with -lompp"
clean
