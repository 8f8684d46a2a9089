# spellings: options of two words, and long spellings of options, of the compilers' own lists: the status, the files and
# the messages are the plain compiler's, also where an option lacks its value, and behind clang's --
. "$srcdir/tests/kinst/kinst.sh"
. "$srcdir/tests/kinst/spellings_of"

n=0
command -v clang >/dev/null && {
	# Options that clang's help shows with a value behind a blank, but those whose value is the compile's own output.
	clang --help-hidden | sed -n 's/^ *\(-[^ ,=<]*\) <[^>]*>.*/\1/p' | sort -u >two
	while read -r option; do
		case $option in
		-o | -x | -MJ | -MF | -MQ | -MT) continue ;; # they say what is written: elsewhere
		-stdlib++-isystem) continue ;; # for C++ alone
		-arcmt-* | -ccc-*migrate) continue ;; # of another language: clang ends by a signal
		-Xopenmp-target* | -ccc-* | -resource-dir | -B) value=$PWD/folder ;;
		-I | -L | -F | -i*) value=folder ;;
		-G | -T*) value=8 ;;
		-D | -U) value=OTHER ;;
		*) value=value.h ;;
		esac
		case $option in -include | -imacros) value=value.h ;; esac
		same_as_plain clang -fopenmp $option $value -c a.c
	done <two
}
[ $n = 0 ] || [ $n -ge 40 ] || fail "$n options of two words"
n=0
: >left.o # what only a link would read: compilers say so
: >libleft.a
for c in gcc clang; do
	command -v $c >/dev/null || continue
	while read -r words; do
		case $c$words in clang*--entry*) continue ;; esac # clang takes the value for a file
		same_as_plain $c -fopenmp $words
	done <<-'W'
		--static a.c
		--static-pie a.c
		--shared a.c
		--pie a.c
		--no-pie a.c
		a.c --output q
		--output=q a.c
		--compile a.c --output a.o
		-c a.c --output=a.o
		--assemble a.c
		--preprocess a.c
		--write-dependencies -c a.c
		--write-user-dependencies -c a.c -o a.o
		--dependencies a.c
		--user-dependencies a.c
		--define-macro OTHER=2 -c a.c
		--define-macro=OTHER=2 -c a.c
		--undefine-macro OTHER -c a.c
		--include-directory folder -c a.c
		--include-directory=folder -c a.c
		--include-directory-after folder -c a.c
		--include value.h -c a.c
		--imacros value.h -c a.c
		--language c -c a.c
		--language=c -c a.c
		--library-directory folder a.c
		--for-linker --as-needed a.c
		--entry main a.c
		--force-link main a.c
		--no-standard-includes -c a.c
		--print-missing-file-dependencies --dependencies a.c
		--comments --preprocess a.c
		--trace-includes -c a.c
		--std=gnu11 --optimize --debug --all-warnings --extra-warnings -c a.c
		--no-such-option -c a.c
		-c a.c ../left.o
		-c -Werror ../left.o a.c -o b.o
		-S a.c ../left.o ../libleft.a
		-c a.c none.o
	W
done
# gcc's own lists have no long spelling of a step, an output, dependencies or a folder that is not above.
for list in common undocumented c joined separate; do
	gcc --help=$list 2>/dev/null || :
done | grep -o '^ *--[a-z][a-z-]*' | tr -d ' ' | sort -u |
	grep -e 'output$' -e 'dependencies$' -e '^--include' -e '^--.*-macro$' -e '^--imacros' -e '^--preprocess' |
	grep -vxe --include-barrier >long
[ "$(wc -l <long)" -ge 15 ] || fail "gcc's lists: $(cat long)"
while read -r word; do
	grep -q -- "\"$word\", \"-" "$srcdir/opari/command/command.c" || fail "gcc has $word"
done <long

# Every option of two words as the last word: it must not take a word of kinst's for its value.
sed -n '/^} options\[\] = {/,/^};/s/^\t{ "\([^"]*\)".*/\1/p' "$srcdir/opari/command/command.c" >two
[ "$(wc -l <two)" -ge 80 ] || fail "options of two words: $(cat two)"
for c in 'gcc a.c' 'clang a.c' 'gfortran p.f90'; do
	command -v ${c% *} >/dev/null || continue
	while read -r option; do
		same_as_plain $c -fopenmp -c $option
		case $option in -[oILlTuDUx] | -MF | -X* | -J) same_as_plain $c -fopenmp $option ;; esac
	done <two
	same_as_plain $c -fopenmp -c -MD -MF
done

if command -v clang >/dev/null; then
	cp a.c ./-a.c
	for words in '-c -- a.c' '-c a.c --' '-- a.c' '-c -- folder/../a.c' '-c -- none.c' '-c -x c -- a.c' '-c -- -a.c' \
		'-o -- -- a.c' '-DOTHER -c -MD -- a.c'; do
		same_as_plain clang -fopenmp $words
		case $words in *-a.c | *none.c) continue ;; esac
		instrumented $(find made -name '*.o' -o -name a.out -o -name --)
	done
	echo 'int other(void) { return 1; }' >value.h
	for words in '-c -- a.c folder/b.c' '-- a.c folder/b.c' '@folder/words'; do
		cp value.h folder/b.c
		echo '-c -- a.c' >folder/words
		same_as_plain clang -fopenmp $words
		instrumented $(find made -name a.o -o -name a.out)
	done
fi
clean
