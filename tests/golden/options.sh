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
		ompp "$command" "$misspelt=1" >out 2>err </dev/null && fail "ompp $command $misspelt"
		grep -qx "ompp: $misspelt=1: unknown option; did you mean $option" err || fail "ompp $command $misspelt: $(cat err)"
	done <taken
done <names

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

# The other shells read their files, where there are such shells.
if command -v zsh >/dev/null; then
	zsh -n "$srcdir/env/completion/_ompp" || fail "zsh"
fi
if command -v fish >/dev/null; then
	fish -c "source $srcdir/env/completion/ompp.fish; complete -C 'ompp report --me'" | grep -q -e '--merge' || fail "fish"
fi
