# symbols: OMPP_DATA_NAME finds the data that the program says it has, by all ways to build it, and ompp objects lists
# what nm lists.
. "$srcdir/tests/lib.sh"
need nm
[ -e "$builddir/ompp-symbols" ] || skip "the helper ompp-symbols was not built (elfutils)"
here=$srcdir/tests/runtime

# build OUT COMPILER OPTIONS… SOURCE…
build() {
	out=$1
	shift
	kinst --no-access "$@" -o "$out" -I"$builddir/include" >build.log 2>&1 || { cat build.log; fail "$out: $*"; }
}

# ask PROGRAM NAMES: the objects of its report as "name address bytes" in the file found, complaints in the file said.
ask() {
	OMPP_DATA_NAME=$2 OMPP_REPORTFILE=report OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 timeout 60 "./$1" >printed 2>said ||
		{ cat said; fail "$1: exit status"; }
	awk -F, '/^Data Address,/ { address = tolower($2) }
		/^Data Size,/ { size = $2 }
		/^Data Name,/ { sub(/^Data Name,/, ""); gsub(/^"|"$/, ""); print $0, address, size }' report | sort >found
}

# names FILE: the first words of its lines, as a comma list.
names() {
	cut -d' ' -f1 "$1" | paste -sd, -
}

# all PROGRAM: each object that the program prints is found by its name, at its place, with its size.
all() {
	OMPP_REPORTFILE=none OMPP_PROFILE=0 "./$1" >printed
	[ -s printed ] || fail "$1 prints nothing"
	ask "$1" "$(names printed)"
	tr 'A-FX' 'a-fx' <printed | sort >expected.lower
	tr 'A-FX' 'a-fx' <found | sort >found.lower
	same "$1: objects found" expected.lower found.lower
	! grep OMPP_DATA_NAME said || fail "$1: a complaint without a reason"
}

says() {
	grep -q "$1" said || { cat said; fail "no complaint '$1'"; }
}

# C, by two compilers, PIE or not, with and without debug information, link-time optimisation.
library() {
	$CC -O2 "$@" -fPIC -shared "$here/symbols_library.c" -o libsymbols.so || fail "library"
}
c="$here/symbols.c $here/symbols_other.c -L. -lsymbols -Wl,-rpath,$work"
library -g
# shellcheck disable=SC2086
{
	build gcc.pie $CC -O2 -g -fPIE -pie $c
	build gcc.nopie $CC -O2 -g -fno-pie -no-pie $c
	build gcc.split $CC -O2 -g -gsplit-dwarf $c
	build gcc.lto $CC -O1 -g -flto $c
	build plain $CC -O2 $c
	[ -z "$CLANG" ] || build clang.pie "$CLANG" -O2 -g $c
	[ -z "$CLANG" ] || build clang.plain "$CLANG" -O2 $c
}
all gcc.pie
all gcc.nopie
all gcc.split
all gcc.lto
[ -z "$CLANG" ] || all clang.pie
[ -z "$CLANG" ] || all clang.plain          # its symbols name the function

# Without debug information gcc's symbols do not: what is unique is found, and the rest is said.
ask plain only_f,inner,global,hidden
[ "$(names found)" = global,hidden,inner,only_f ] || fail "without -g: $(names found)"
grep -q ' 5600$' found || fail "size of only_f"
ask plain f.buf,buf
if nm plain | grep -q ' buf\.[0-9]'; then
	says 'f.buf: no symbol says which function it is in; compile with -g, or write buf\.[0-9]*, buf\.[0-9]*$'
	says 'OMPP_DATA_NAME: buf: not unique; write one of buf\.[0-9]*, buf\.[0-9]*$'
else
	says 'OMPP_DATA_NAME: buf: not unique; write one of f.buf, g.buf$'
fi
ask plain "$(sed -n 's/.*write one of \([^,]*\),.*/\1/p' said | head -1)"
[ "$(wc -l <found)" = 1 ] || fail "the name of the complaint is not found"

# Complaints: not unique, nearest, thread-local, of the library, nothing like it; and the rest is found all the same.
ask gcc.pie buf,globla,own,nothing_like_it,symbols.c:same,of_file,gcc.pie:same
says 'buf: not unique; write one of f.buf, g.buf$'
says "globla: no such global or static data in the program or its libraries; did you mean 'global'$"
says 'own: thread-local, each thread has its own'
says "nothing_like_it: no such .*'ompp objects gcc.pie' lists what there is$"
[ "$(names found)" = gcc.pie:same,of_file,symbols.c:same ] || fail "beside complaints: $(names found)"

# "*" takes what the program has, and nothing else; the same names as ompp objects.
ask gcc.pie '*'
says '\*: 1 thread-local left out'
elsewhere='^hidden|^libsymbols'
nm gcc.pie | grep -q ' [BD] of_library$' || elsewhere="$elsewhere|^of_library"     # no copy in the program
grep -v -E "$elsewhere" printed | awk '$3 >= 4096 { print $2, $3 }' | sort >expected
cut -d' ' -f2,3 found | sort >places
same "what '*' takes" expected places
ompp objects --format=csv --min-bytes=4K gcc.pie 2>/dev/null | sed 1d | cut -d, -f1 | sort >listed
cut -d' ' -f1 found | sort >taken
same "what ompp objects lists" listed taken
ask gcc.pie '*,global'
[ "$(grep -c ' 4000$' found)" = 1 ] || fail "a name beside '*'"

# A size and a section of each as nm has them; where it is declared.
ompp objects --format=csv gcc.pie 2>/dev/null | awk -F, 'NR > 1 { print $1, $2, $3 }' | sort >listed
nm -S gcc.pie | awk '$3 ~ /[bdrBDR]/ && $4 !~ /^_|@|^completed|^stdout$/ && NF == 4 {
		kind = tolower($3); place = kind == "b" ? "bss" : kind == "d" ? "data" : "rodata"
		print $4, $2, place }' | while read -r name size place; do
	case $name in
	buf.*|*.buf|*cache*) continue ;;
	only_f.*) name=f.only_f ;;
	inner.*) name=g.inner ;;
	own) continue ;;
	esac
	echo "$name $((0x$size)) $place"
done | sort >expected
grep -v -e '\.buf ' -e cache listed >others || true
same "sizes and sections as of nm" expected others
for line in f.buf,5200,bss g.buf,5000,bss symbols.c:show_cache.cache,4096,bss \
	symbols_other.c:show_cache.cache,4496,bss; do
	ompp objects --format=csv gcc.pie 2>/dev/null | grep -q "^$line,.*symbols\.[ch],[0-9]" || fail "ompp objects: $line"
done
line=$(grep -n '^float\|^static float of_file' "$here/symbols.c" | cut -d: -f1)
ompp objects gcc.pie 2>/dev/null | grep -q "^ *6 000 bss .* of_file .*/symbols\.c:$line$" || fail "ompp objects: text"
ompp objects libsymbols.so | grep -q '^ *7 200 bss .* hidden ' || fail "ompp objects of a library"

# Stripped: what libraries may refer to is still there; separate debug information brings all back.
objcopy --only-keep-debug gcc.pie gcc.debug
cp gcc.pie stripped
strip stripped
ask stripped global,of_library
says 'global: no symbol table: strip removed it; link without -s or name the data with inst data$'
[ "$(names found)" = of_library ] || fail "of a stripped program's library"
ask stripped '*'
says '\*: no symbol table: strip removed it'
status=0
ompp objects stripped >out 2>said || status=$?
says 'stripped: no symbol table: strip removed it'
objcopy --add-gnu-debuglink=gcc.debug stripped
all stripped
printf 'wrong' | dd of=gcc.debug bs=1 seek=0 conv=notrunc 2>/dev/null
ask stripped global
says 'global: no symbol table'

# A static program has its symbols.
if [ -e "$builddir/.libs/libompp.a" ]; then
	$CC -O2 -g -c "$here/symbols_library.c" -o library.o
	build static $CC -O2 -g -static "$here/symbols.c" "$here/symbols_other.c" library.o
	! grep -i warning build.log || fail "a warning for static programs"
	ask static global,of_file,of_library,nothing.buf
	[ "$(wc -l <said)" -le 2 ] || { cat said; fail "static: complaints without a reason"; }
	[ "$(names found)" = global,of_file,of_library ] || fail "static: $(names found)"
	says 'nothing.buf: no '
	ask static '*'
	awk '$3 >= 4096 { print $2, $3 }' printed | sort >expected
	cut -d' ' -f2,3 found | sort | comm -23 expected - >missing
	[ ! -s missing ] || { cat missing; fail "what '*' takes of a static program"; }
	ompp objects static >out 2>said
	grep -q ' f.buf ' out || fail "ompp objects of a static program"
	! grep -E "/(runtime/[a-z]+|reports/(profile|analysis|findings|views|writers))/[a-z_]+\.c:" out || fail "data of kinst itself is listed"
fi

# C++: "address bytes name" is printed, as names have blanks and commas.
cpp() {
	OMPP_REPORTFILE=none OMPP_PROFILE=0 "./$1" >printed
	ask "$1" "$(cut -d' ' -f3- printed | paste -sd, -)"
	sed 's/^\([^ ]*\) \([^ ]*\) \(.*\)$/\3 \1 \2/' printed | sort >expected
	same "$1: objects found" expected found
	! grep OMPP_DATA_NAME said || fail "$1: a complaint without a reason"
	ask "$1" member,convert\<short\>.table,buf,ns::f.buf
	says 'ns::f.buf: not unique; write one of ns::f(int)::buf, ns::f(double)::buf$'
	says ' buf: not unique; write one of .*ns::Class::method.buf'
	[ "$(cut -d' ' -f1 found | paste -sd, -)" = 'convert<short>.table,member' ] || fail "$1: shortened names"
	ompp objects --min-bytes=16 "$1" >out 2>/dev/null
	! grep -i -e vtable -e typeinfo -e std:: out || fail "$1: names of the compiler"
}
# A name that is whole goes before those of which it is the end, whichever comes first.
if [ -n "$GXX" ]; then
	cat >ranks.cpp <<'EOF'
#include <cstdio>
namespace a { long first[600]; }
long first[500], second[700];
namespace b { long second[800]; }
int main()
{
#pragma omp parallel
	first[1] = second[1];
	std::printf("first %p %zu\na::first %p %zu\nsecond %p %zu\nb::second %p %zu\n", (void *)first, sizeof(first),
	            (void *)a::first, sizeof(a::first), (void *)second, sizeof(second), (void *)b::second,
	            sizeof(b::second));
}
EOF
	build ranks "$GXX" -O1 -fopenmp ranks.cpp
	all ranks
fi

if [ -n "$GXX" ]; then
	build cpp.gcc "$GXX" -std=c++17 -O2 "$here/symbols.cpp"
	cpp cpp.gcc
fi
if [ -n "$CLANG" ] && [ -n "$GXX" ]; then
	build cpp.clang "$CLANG++" -std=c++17 -O2 -g "$here/symbols.cpp"
	cpp cpp.clang
fi

# Fortran: case does not matter; common blocks, and with debug information their members and the functions.
[ -n "$GFORTRAN" ] || exit 0
build f.debug "$GFORTRAN" -O1 -g "$here/symbols.f90"
all f.debug
ask f.debug FIELD::GRID,Hidden,/Block/,OF_PROGRAM,moving
[ "$(names found)" = /Block/,FIELD::GRID,Hidden,OF_PROGRAM ] || fail "Fortran, other case: $(names found)"
says 'moving: allocatable or pointer: its memory comes and goes; name it with inst data after ALLOCATE$'
ask f.debug '*'
awk '$1 != "q" && $3 >= 4096 { print tolower($2), $3 }' printed | sort >expected
cut -d' ' -f2,3 found | sort >places
same "what '*' takes in Fortran" expected places
build f.plain "$GFORTRAN" -O1 "$here/symbols.f90"
ask f.plain grid,hidden,/block/,of_program,//,moving
says 'moving: maybe allocatable: .* compile with -g, or name it with inst data$'
awk '$1 ~ /grid|hidden|block|of_program|^\/\/$/ { print tolower($2), $3 }' printed | sort >expected
cut -d' ' -f2,3 found | sort >places
same "Fortran without debug information" expected places
ompp objects --format=csv f.plain 2>/dev/null | grep -q '^/block/,5604,bss,' || fail "ompp objects: common block"

# members of common blocks, and what may be no data itself, with and without debug information
ask f.debug /block/q,P
[ "$(cut -d' ' -f1,3 found | paste -sd, -)" = '/block/q 5600,P 4' ] || fail "members: $(cat found)"
ask f.plain /block/q,P
[ ! -s found ] || fail "members without debug information: $(cat found)"
says '/block/q: no debug information says what is in the common block; compile with -g, '
says ' P: no such .* if it is in a common block, compile with -g$'
cat >kinds.f90 <<'KINDS'
module kinds
  real(8), allocatable :: a(:), c(:, :)
  real(8), allocatable :: s
  real(8), pointer :: p(:) => null()
  real(8) :: b(8), scalar
end module
program main
  use kinds
  use ompp
  call ompp_region_begin('r')
  allocate(a(1000), c(2, 2), s, p(10))
  a = 1; c = 2; s = 3; p = 4; b = 5; scalar = 6
  print *, sum(a) + sum(c) + s + sum(p) + sum(b) + scalar
end program
KINDS
build kinds.debug "$GFORTRAN" -g -O1 kinds.f90
build kinds.plain "$GFORTRAN" -O1 kinds.f90
ask kinds.debug kinds::a,kinds::c,kinds::s,kinds::p,kinds::b,kinds::scalar
[ "$(names found)" = kinds::b,kinds::scalar ] || fail "kinds: $(cat found)"
[ "$(grep -c '^ompp: .*: allocatable or pointer: ' said)" = 4 ] || fail "kinds: $(cat said)"
ask kinds.plain kinds::a,kinds::c,kinds::p,kinds::b,kinds::scalar
[ "$(names found)" = kinds::scalar ] || fail "kinds without debug information: $(cat found)"
[ "$(grep -c '^ompp: .*: maybe allocatable: ' said)" = 4 ] || fail "kinds without debug information: $(cat said)"
says 'kinds::scalar: if it is allocatable, this is only its address; '
OMPP_DATA_MIN_BYTES=8 ask kinds.plain '*'
says '4 left out that may be allocatable; '

# What cannot be read, and wrong options.
status=0
ompp objects "$here/symbols.c" 2>said || status=$?
[ $status = 1 ] || fail "status of no program: $status"
says 'symbols.c: cannot be read: not a program or library of this machine; give a program or shared library$'
status=0
ompp objects --min-byte=1 gcc.pie 2>said || status=$?
[ $status = 2 ] || fail "status of a wrong option: $status"
says 'did you mean --min-bytes'
