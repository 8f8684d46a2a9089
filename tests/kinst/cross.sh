# cross: a command for another machine than libompp's is the plain one, and kinst says so once; where a libompp for that
# machine is in the folder of its name, it is taken
. "$srcdir/tests/kinst/kinst.sh"
printf '%s\n' 'int main(void)' '{' '#pragma omp parallel' '	;' '	return 0;' '}' >a.c

# cross COMMAND…: makes the same object and program as plainly, and says so in one line.
cross() {
	for output in '-c a.c -o out.o' 'a.c -o out.o'; do
		rm -f out.o
		"$@" $output 2>said || skip "no compiler for another machine: $*"
		mv out.o plain.o
		"$kinst" "$@" $output 2>said || fail "$* $output: $(cat said)"
		cmp plain.o out.o || fail "$* $output: another file"
		[ "$(wc -l <said)" = 1 ] && grep -q '^kinst: [a-z0-9_-]*: not instrumented: libompp in .* is not for this machine; ' said ||
			fail "$* $output: $(cat said)"
		! "$kinst" --strict "$@" $output 2>said || fail "$* $output: --strict"
		KINST=off "$kinst" "$@" $output 2>said
		[ ! -s said ] || fail "$* $output: KINST=off: $(cat said)"
	done
}
[ "$(uname -m)" = x86_64 ] || skip 'this machine is not an x86-64 one'
need aarch64-linux-gnu-gcc
cross aarch64-linux-gnu-gcc -fopenmp
# The folder of the machine's name, within libompp's folder or beside it.
mkdir lib lib/aarch64-linux-gnu x86_64-linux-gnu aarch64-linux-gnu
gcc -shared -nostdlib -o lib/libompp.so -x c /dev/null
cp lib/libompp.so x86_64-linux-gnu
aarch64-linux-gnu-gcc -shared -nostdlib -o lib/aarch64-linux-gnu/libompp.so -x c /dev/null
cp lib/aarch64-linux-gnu/libompp.so aarch64-linux-gnu
for library in lib x86_64-linux-gnu x86_64-linux-gnu// lib/aarch64-linux-gnu; do
	case $library in
	lib) found=$work/lib/aarch64-linux-gnu ;;
	x86_64-linux-gnu*) found=$work/aarch64-linux-gnu ;;
	*) found=$work/$library ;;
	esac
	KINST_LIBDIR=$work/$library "$kinst" --dry-run aarch64-linux-gnu-gcc -fopenmp a.c -o out >said 2>&1 ||
		fail "$library: $(cat said)"
	grep -q -- "-rpath,$found'\{0,1\} " said || fail "$library: $(cat said)"
	grep -q -- " '\{0,1\}-L$found'\{0,1\} " said || fail "$library: $(cat said)"
	! grep 'not instrumented' said || fail "$library"
	KINST_LIBDIR=$work/$library "$kinst" --dry-run gcc -fopenmp a.c -o out >said 2>&1 || fail "$library: $(cat said)"
	case $library in
	lib/*) grep -q 'not instrumented' said || fail "$library, gcc: $(cat said)" ;;
	*) grep -q -- "-L$work/$library'\{0,1\} " said || fail "$library, gcc: $(cat said)" ;;
	esac
done
if command -v clang >/dev/null; then
	KINST_LIBDIR=$work/lib "$kinst" --dry-run clang --target=aarch64-unknown-linux-gnu -fopenmp a.c -o out >said 2>&1 || :
	grep -q -- "-L$work/lib/aarch64-linux-gnu'\{0,1\} " said || fail "clang: $(cat said)"
	rm -r aarch64-linux-gnu
	cp lib/libompp.so lib/aarch64-linux-gnu
	KINST_LIBDIR=$work/lib "$kinst" clang --target=aarch64-unknown-linux-gnu -fopenmp -c a.c -o out.o 2>said ||
		fail "$(cat said)"
	grep -q 'not instrumented' said || fail "a libompp for another machine in the folder of its name: $(cat said)"
fi
# Where there is nothing to measure, nothing is said, which probes would take for a warning.
echo 'int main(void) { return 0; }' >empty.c
for words in '-c empty.c' 'empty.c' '-c -x c /dev/null' '-S empty.c'; do
	for strict in '' --strict; do
		aarch64-linux-gnu-gcc $words -o plain.o
		"$kinst" $strict aarch64-linux-gnu-gcc $words -o out.o 2>said || fail "$words: $(cat said)"
		[ ! -s said ] || fail "$words: $(cat said)"
		cmp plain.o out.o || fail "$words: another file"
	done
done
# Directives of the user's ask for measuring, in any language, without any option.
printf '%s\n' 'int main(void)' '{' '	int x = 1;' '#pragma pomp inst begin(all)' '	x--;' '#pragma pomp inst end(all)' '	return x;' '}' >region.c
printf '%s\n' 'int x[4];' 'int main(void)' '{' '#pragma omp inst data(x)' '	return x[0];' '}' >data.c
cp data.c data.cc
printf '%s\n' '      program p' '!$omp inst begin(all)' '      print *, 1' '!$omp inst end(all)' '      end program' >region.f
printf '%s\n' 'program p' 'integer :: a(4)' 'a = 0' '!$pomp inst data(a)' 'end program' >data.f90
printf '%s\n' '/* #pragma omp inst data(x) */ int main(void) { return "#pragma pomp"[0] == 0; }' >none.c
directives() {
	file=$1
	shift
	"$kinst" "$@" -S $file -o out.s 2>said || fail "$* $file: $(cat said)"
	[ "$(grep -c '^kinst: ' said)" = 1 ] && grep -q '^kinst: .*: not instrumented: libompp in .* is not for this machine; ' said ||
		fail "$* $file: $(cat said)"
	! "$kinst" --strict "$@" -S $file -o out.s 2>said || fail "$* $file: --strict"
	KINST=off "$kinst" "$@" -S $file -o out.s 2>said
	! grep '^kinst: ' said || fail "$* $file: KINST=off"
}
for file in region.c data.c; do
	directives $file aarch64-linux-gnu-gcc
done
command -v gfortran >/dev/null && for file in region.f data.f90; do
	directives $file gfortran -m32
done
command -v clang++ >/dev/null && directives data.cc clang++ --target=aarch64-linux-gnu
"$kinst" aarch64-linux-gnu-gcc -S none.c -o out.s 2>said && [ ! -s said ] || fail "none.c: $(cat said)"

command -v clang >/dev/null && {
	"$kinst" clang -m32 -fopenmp -S a.c -o out.s 2>said || fail "clang -m32: $(cat said)"
	grep -q '^kinst: i386: not instrumented' said || fail "clang -m32: $(cat said)"
	# The same machine with another system, for which there is a compiler but no program can be linked here.
	for target in x86_64-w64-mingw32 x86_64-unknown-freebsd x86_64-apple-darwin x86_64-elf; do
		clang --target=$target -fopenmp -S a.c -o plain.s 2>said || fail "clang for $target: $(cat said)"
		"$kinst" clang --target=$target -fopenmp -S a.c -o out.s 2>said || fail "$target: $(cat said)"
		[ "$(wc -l <said)" = 1 ] && grep -q "^kinst: $target: not instrumented" said || fail "$target: $(cat said)"
		same "$target" plain.s out.s
	done
	for target in x86_64-linux-gnu x86_64-pc-linux-gnu x86_64-unknown-linux-gnu; do
		"$kinst" clang --target=$target -fopenmp a.c -o here 2>said || fail "$target: $(cat said)"
		[ ! -s said ] || fail "$target: $(cat said)"
		nm here | grep -q ompp_ || fail "$target: not instrumented"
	done
}
"$kinst" gcc -fopenmp a.c -o here 2>said
[ ! -s said ] || fail "gcc: $(cat said)"
clean
