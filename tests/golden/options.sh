# options: of every command of ompp the table of options is all there is: each word that completion offers is taken, is in
# the help and in the manual, and is named when it is misspelt; bash, zsh and fish complete by the same words.
. "$srcdir/tests/lib.sh"

ompp help --words >commands || fail "ompp help --words"
cut -f 1 commands | grep -v '^-' >names
[ "$(wc -l <names)" -ge 18 ] || fail "commands: $(tr '\n' ' ' <names)"

# Nothing runs: the option that follows is unknown, and options are read from left to right.
end=--no-such-option-of-ompp
while read -r command; do
	ompp help "$command" >help || fail "ompp help $command"
	grep -q "^  $command " <<END || fail "ompp help does not list $command"
$(ompp help)
END
	ompp help --words "$command" >words || fail "ompp help --words $command"
	awk -F '\t' 'NF != 2 || $1 == "" || $2 == "" { exit 1 }' words || fail "$command: words: $(cat words)"
	[ -z "$(cut -f 1 words | sort | uniq -d)" ] || fail "$command: twice: $(cut -f 1 words | sort | uniq -d)"
	cut -f 1 words | grep -v '^--help$' >taken || continue
	while read -r word; do
		option=${word%=}
		case $word in
		*=)
			status=0
			ompp "$command" "$option" >out 2>err </dev/null || status=$?
			[ $status -eq 2 ] && grep -q "^ompp: $option: has no value; write $option=" err ||
				fail "ompp $command $option: $status, $(cat err)"
			;;
		-?) ;;
		*)
			status=0
			ompp "$command" "$option" $end >out 2>err </dev/null || status=$?
			[ $status -eq 2 ] && grep -q "^ompp: $end: unknown option" err ||
				fail "ompp $command $option: $status, $(cat err)"
			;;
		esac
		grep -qE -e "^  $option([=[ ,]|\$)|, $option\$|, $option " help || fail "ompp help $command: no $option"
		case $option in
		-?) continue ;;
		esac
		# a letter too many
		misspelt=${option}x
		words=$(ompp help --words "$command" "${option#--}") || fail "ompp help --words $command ${option#--}"
		for value in $words; do
			echo "$command $option $value"
		done >>values
		ompp "$command" "$misspelt=1" >out 2>err </dev/null && fail "ompp $command $misspelt"
		grep -qx "ompp: $misspelt=1: unknown option; did you mean $option" err || fail "ompp $command $misspelt: $(cat err)"
	done <taken
done <names

# A word that is no option gets the nearest one only if few letters differ.
for word in bogus qqqqqq xyz x zzzzzzzzzzz; do
	while read -r command; do
		ompp "$command" --$word >out 2>err </dev/null && fail "ompp $command --$word"
		grep -qx "ompp: --$word: unknown option; 'ompp help $command' lists them" err || fail "ompp $command --$word: $(cat err)"
	done <names
	kinst --$word gcc 2>err && fail "kinst --$word"
	grep -qx "kinst: --$word: unknown option; kinst --help lists them" err || fail "kinst --$word: $(cat err)"
	ompp $word 2>err && fail "ompp $word"
	grep -q "^ompp: $word: unknown command; 'ompp help' lists them" err || fail "ompp $word: $(cat err)"
done
# What looks like another option is no value, and --cache takes the next word where that can only be its value.
for option in --ctr --filter --dump-interval --data; do
	ompp run $option --cache ./none >out 2>err && fail "ompp run $option --cache"
	grep -q "^ompp: $option: has no value; write $option=" err || fail "ompp run $option --cache: $(cat err)"
done
for words in --cache '--cache 1' '--cache 0' '--cache L1=32K/8/64,L2=1M/16/64' '--cache=1' '--cache --reuse' '--reuse --cache'; do
	ompp run $words ./none >out 2>err && fail "ompp run $words ./none"
	grep -q '^ompp: .*\./none' err && [ "$(wc -l <err)" = 1 ] || fail "ompp run $words ./none: $(cat err)"
done
# Each word that a value may have is one; another one is not.
for value in 'report --format json' 'report --view data' 'run --outformat csv' 'run --view numa' 'diff --format html' 'export --form csv'; do
	grep -qx -e "$value" values || fail "no value $value: $(cat values)"
done
while read -r command option value; do
	ompp "$command" "$option=$value" $end >out 2>err </dev/null && fail "ompp $command $option=$value"
	grep -q "^ompp: $end: unknown option" err || fail "ompp $command $option=$value: $(cat err)"
done <values

# The manual has the same, by the command; those of variables are in its list of variables.
cat "$builddir"/env/man/ompp.1 "$builddir"/env/man/ompp-*.[17] | sed -e 's/\\f.//g' -e 's/\\-/-/g' >manual
while read -r command; do
	grep -q "^\.B ompp $command\$" manual || fail "the manual has no synopsis of $command"
	sed -n "/^\.SS ompp $command\$/,/^\.S[SH] [^o]/p" manual | sed -e 1d -e '/^\.SS ompp /,$d' >section
	ompp help --words "$command" | cut -f 1 | while read -r word; do
		variable=OMPP_$(echo "${word%=}" | sed -e 's/^--//' -e 's/[0-9]*$//' | tr 'a-z-' 'A-Z_')
		case $word in
		--help | -?) ;;
		*)
			grep -qE -e "^${word%=}(=|,|\\[|\$)" section || grep -q "$variable" manual || echo "$command $word"
			;;
		esac
	done >missing
	[ ! -s missing ] || fail "the manual lacks $(cat missing)"
done <names

# bash asks ompp.
cat >complete.sh <<END
. "$builddir/env/completion/ompp"
COMP_WORDS=(ompp "\$@")
COMP_CWORD=\$#
_ompp
printf '%s\n' "\${COMPREPLY[@]}"
END
completes() {
	expected=$1
	shift
	bash complete.sh "$@" >completed 2>err || fail "completion of $*: $(cat err)"
	grep -qx -e "$expected" completed || fail "completion of $*: $(cat completed), not $expected"
}
completes report rep
completes --merge report --m
completes --top= diff --t
completes -e stat -e
completes --dump-interval= run --dump
completes variables help var
completes json report --format = j
completes --format=json report '--format=j'
completes csv,csv-raw run --outformat = csv,csv-r
completes data report --view =
mkdir folder
touch p.2-0.ompp p.2-0.ompp.txt p.2-0.csv p.flow a.ompp.jsonl prog
completes p.2-0.ompp report p
completes p.2-0.ompp diff p.2-0.ompp -- p
[ "$(bash complete.sh report '' 2>/dev/null | sort | xargs)" = 'folder p.2-0.ompp' ] || fail "files: $(bash complete.sh report '')"
completes p.flow flow ''
completes a.ompp.jsonl live ''
completes prog run p
completes p.2-0.csv flow --chrome = p.2-0.c

# The other shells read their files, where there are such shells.
if command -v zsh >/dev/null; then
	zsh -n "$srcdir/env/completion/_ompp" || fail "zsh"
	# What it would show stands in place of zsh's own functions.
	cat >zsh.sh <<END
_describe() { local w; for w in "\${(@P)3}"; do print -r -- "\${\${w%%:*}}"; done; }
_files() { print -r -- "files \$*"; }
compset() { [[ \$2 == '*=' ]] && PREFIX=\${PREFIX#*=}; [[ \$2 == '*,' ]] && PREFIX=\${PREFIX##*,}; true; }
compadd() { print -rl -- "\${(@P)2}"; }
words=(ompp "\$@") CURRENT=\$((\$# + 1)) PREFIX=\${@[-1]}
. "$srcdir/env/completion/_ompp"
END
	zsh_completes() {
		expected=$1
		shift
		zsh -f zsh.sh "$@" >completed 2>err || fail "zsh: $*: $(cat err)"
		grep -qx -e "$expected" completed && [ ! -s err ] || fail "zsh: $*: $(cat completed err), not $expected"
	}
	zsh_completes json report --format=
	zsh_completes csv-raw run --outformat=csv,
	zsh_completes --merge report --me
	zsh_completes 'files -g \*.ompp' report ''
	zsh_completes 'files ' run ''
	zsh_completes 'files ' flow --chrome=
fi
if command -v fish >/dev/null; then
	fish_completes() {
		fish -c "source $srcdir/env/completion/ompp.fish; complete -C '$2'" >completed 2>err || fail "fish: $2: $(cat err)"
		grep -q -e "$1" completed && [ ! -s err ] || fail "fish: $2: $(cat completed err), not $1"
	}
	fish_completes '^--merge' 'ompp report --me'
	fish_completes '^--format=json$' 'ompp report --format=j'
	fish_completes '^--outformat=csv,csv-raw$' 'ompp run --outformat=csv,csv-r'
	fish_completes '^p.flow$' 'ompp flow '
	fish_completes '^prog$' 'ompp run p'
	fish_completes '^report' 'ompp rep'
	fish_completes '^diff' 'ompp help d'
	fish_completes '^p.2-0.ompp$' 'ompp report p'
	! grep -q -e txt -e flow -e csv completed || fail "fish: files: $(cat completed)"
fi
