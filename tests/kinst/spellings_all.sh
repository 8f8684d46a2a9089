# spellings_all: every long spelling and every option of two words that the compilers' own lists have: the status, the
# files and the messages are the plain compiler's.
. "$srcdir/tests/kinst/kinst.sh"
. "$srcdir/tests/kinst/spellings_of"

# fitting OPTION: a value that it takes
fitting() {
	case $1 in
	*directory* | *prefix* | --sysroot* | --dumpdir | --include-with* | *path) echo folder ;;
	-i*dir* | -isys* | -iquote | -imulti* | -I* | -L | -B) echo folder ;;
	*include* | *macros*) echo value.h ;;
	*macro* | -D | -U) echo OTHER ;;
	--std*) echo gnu11 ;;
	--language* | -x) echo c ;;
	--machine*) echo avx ;;
	--entry* | --force-link*) echo main ;;
	--param*) echo max-inline-insns-auto=10 ;;
	--for-linker*) echo --as-needed ;;
	--for-assembler*) echo --noexecstack ;;
	--optimize*) echo 2 ;;
	--help*) echo common ;;
	--assert*) echo machine=x ;;
	*) echo value.h ;;
	esac
}

# takes COMPILER OPTION: whether it takes the next word for its value, so that no source is left
takes() {
	! "$1" -### "$2" a.c -c 2>&1 | grep -q 'cc1'
}

# gcc's driver has its spellings in its own text, as its --help leaves some out.
driver=$(gcc -print-prog-name=gcc)
[ -e "$driver" ] || driver=$(command -v gcc)
{
	grep -ao -e '--[a-z][a-z-]*=\{0,1\}' "$driver"
	for list in common undocumented c joined separate; do
		gcc --help=$list 2>/dev/null || :
	done | grep -o '^ *--[a-z][a-z-]*=\{0,1\}' | tr -d ' '
	gcc --help=separate | sed -n 's/^  *\(-[A-Za-z][A-Za-z+-]*\)[ <].*/\1/p'
} | sort -u >words
# Of other programs or languages, what says which commands gcc runs, and one whose messages have no order.
grep -vx -e '--jobserver.*' -e '-gnat.*' -e '--time' -e '--verbose' -e '--dump' -e '-MF\|-MT\|-MQ' words >gcc_words
[ "$(wc -l <gcc_words)" -ge 90 ] || fail "gcc has $(wc -l <gcc_words) spellings: $(cat gcc_words)"
n=0
while read -r word; do
	case $word in
	*=) same_as_plain gcc -fopenmp "$word$(fitting "$word")" a.c -c ;;
	*) if takes gcc "$word"; then
			same_as_plain gcc -fopenmp "$word" "$(fitting "$word")" a.c -c
		else
			same_as_plain gcc -fopenmp "$word" a.c -c
		fi ;;
	esac
done <gcc_words
# What dependencies are like, where nothing asks for them.
for words in '-MF x.d' '-MT t' '-MQ t' -MG -MP '-MP -MF x.d' '-MD -MG' '-Wp,-MD,x.d -MT t' '-MD -MF x.d -MP'; do
	same_as_plain gcc -fopenmp $words -c a.c
done

command -v clang >/dev/null && {
	# What clang completes: long spellings, and short ones of its driver, but not those of code and of warnings.
	clang --autocomplete=- | cut -f 1 | grep -v -e '^-[A-Zfgmw]' -e '=$' -e ':' -e '^-\(cl\|objcmt\)-' | sort -u >clang_words
	clang --autocomplete=-- | cut -f 1 | grep -v '=$' >>clang_words
	[ "$(wc -l <clang_words)" -ge 100 ] || fail "clang completes $(wc -l <clang_words) options"
	while read -r word; do
		# What it says of an unused option has the short spelling; a driver's own files of a compile that it takes apart.
		case $word in -o | -x | -v | -l | -b | -u | -e | -z | --shared | --save-temps* | -save-temps*) continue ;; esac
		# unused with C, of another language, or about clang's own steps
		case $word in -imultilib | -isystem-after | -stdlib++-isystem | -arcmt-* | -rewrite-* | -ccc-*) continue ;; esac
		if takes clang "$word"; then
			same_as_plain clang -fopenmp "$word" "$(fitting "$word")" a.c -c
		else
			same_as_plain clang -fopenmp "$word" a.c -c
		fi
	done <clang_words
}
# clang leaves files of its own where it crashes.
ls "$TMPDIR" | grep '^kinst' >left || :
[ ! -s left ] || fail "temporary files are left: $(cat left)"
