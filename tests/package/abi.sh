# abi: what programs are linked with stays while the soname does: each symbol of the last release is there (the symbols
# files of the packages), each function and struct is as it was (tests/package/ABI), and a program that was linked with
# that release's libraries runs with these.
. "$srcdir/tests/lib.sh"
[ -f "$builddir/.libs/libompp.so" ] || skip 'there is no shared library'
here=$srcdir/tests/package

# stub PACKAGE: a library of the soname and the names that the symbols file has; adds its names to the program's.
stub() {
	symbols=$srcdir/env/debian/$1.symbols
	soname=$(sed -n '1s/ .*//p' "$symbols")
	sed -n 's/^ \([^ ]*\)@Base .*/\1/p' "$symbols" >names
	[ "$(wc -l <names)" -ge 15 ] || fail "$symbols has hardly a symbol"
	awk '{ printf ".globl %s\n.type %s, @function\n%s: .byte 0\n", $1, $1, $1 }' names >stub.s
	mkdir -p stub
	"$CC" -shared -nostdlib stub.s -Wl,-soname,"$soname" -o "stub/${soname%.so.*}.so" || fail "a library of $symbols"
	ln -sf "${soname%.so.*}.so" "stub/$soname"
	cat names >>all
	own=$(readelf -d "$builddir/.libs/${soname%.so.*}.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
	[ "$own" = "$soname" ] || fail "the soname is $own; the packages have $soname"
}
: >all
stub libompp1
stub libompp-mem0
stub libompp-flow0

{
	echo '#include <stddef.h>'
	awk '{ printf "extern const char of%d[] __asm__(\"%s\");\n", NR, $1 }' all
	echo 'extern const void *const abi_symbols[];'
	echo 'extern const size_t abi_n_symbols;'
	echo 'const void *const abi_symbols[] = {'
	awk '{ printf "of%d,\n", NR }' all
	echo '};'
	echo 'const size_t abi_n_symbols = sizeof(abi_symbols) / sizeof(*abi_symbols);'
} >symbols.c
"$CC" -O1 -fPIE -pie "$here/abi.c" symbols.c -o abi -Lstub -lompp -lompp_mem -lompp_flow -Wl,--no-as-needed ||
	fail 'the program of the last release cannot be linked'
LD_LIBRARY_PATH=stub ldd ./abi | grep -q "stub/libompp.so.1" || fail 'it is not linked with the library of names'

LD_BIND_NOW=1 LD_LIBRARY_PATH=$builddir/.libs OMPP_REPORTFILE=report OMPP_OUTFORMAT=CSV OMPP_QUIET=1 ./abi >said 2>err ||
	fail "the program of the last release does not run: $(cat err)"
[ "$(cat said)" = "$(wc -l <all)" ] || fail "it says $(cat said)"
[ "$(csv_field report 'USER REGION:11' SUM execC)" = 3 ] || fail 'visits of its region'
! grep -q 'USER REGION,[^,]*,12,' report || fail 'a region is measured while measuring is off'
for name in a b c d; do
	grep -q "^$name," report || { cat report; fail "its data object $name"; }
done

# No type of a function or member has changed, nor what hooks read, which are linked into programs.  Where they read
# nothing any more, as the member of their per-thread data stays NULL, there is no structure.  Offsets are x86-64's.
if command -v gdb >/dev/null && [ "$(uname -m)" = x86_64 ]; then
	sh "$here/abi_types.sh" "$srcdir" >types || fail 'types of the headers'
	[ "$(grep -c '^== ' types)" -ge 40 ] && [ "$(grep -c '^== hooks' types)" -ge 60 ] || fail "types of the headers: $(cat types)"
	awk '/^== / { key = $0 } { text[FILENAME, key] = text[FILENAME, key] "\n" $0; keys[key] = 1 }
		END { for (key in keys) if ((ARGV[1], key) in text &&
			((ARGV[2], key) in text || key !~ /^== hooks ompp_access_tally.*: struct/) &&
			text[ARGV[1], key] != text[ARGV[2], key]) { print text[ARGV[1], key] "\nis now" text[ARGV[2], key]; bad = 1 }
		exit bad }' "$here/ABI" types >changed ||
		fail "programs that were compiled before break: $(cat changed)"
fi

# A program with hooks of the first builds counts exactly with this libompp, whatever looks at each access.
"$CC" -O2 -pthread "$here/abi_hooks.c" -o hooks -rdynamic -L"$builddir/.libs" -lompp || fail 'the program with hooks cannot be linked'
for how in NONE=1 SHARING=1 CACHE=1 PAGES=auto REUSE=1 'CACHE=1 OMPP_SHARING=1'; do
	eval "OMPP_$how" 'LD_LIBRARY_PATH=$builddir/.libs OMPP_REPORTFILE=report OMPP_OUTFORMAT=CSV OMPP_QUIET=1 ./hooks' >said ||
		fail "hooks, OMPP_$how"
	[ "$(cat said)" = '4000 4000' ] || fail "hooks, OMPP_$how: $(cat said)"
	grep -q '^line,24000,8000,0,32000,' report || { cat report; fail "hooks, OMPP_$how: accesses"; }
	case $how in
	*SHARING*) grep -q '^line,.*,8000,7999,"0: 0-7, h[0-9]*:0: 8-15"' report || { cat report; fail "hooks, OMPP_$how: stores"; } ;;
	esac
done
