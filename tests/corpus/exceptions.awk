# exceptions: is what compare.sh found what the list says?  Files: EXCEPTIONS or OPARI2, compare.sh's CSV.
# A program of the CSV that is not the same and measured whole must be listed with what it is; what is listed must
# be so.
# Programs in which nothing is left out but constructs that the list (OPARI2 alone has some) expects count as whole.
# A kind with a question mark depends on how the threads run, so that the program may also be the same and whole.

# Are all of these pairs "NAME: WHY", with | between, what the list says?
function are_expected(what,    n, i, pairs, name, why) {
	n = split(what, pairs, "|")
	for (i = 1; i <= n; i++) {
		name = why = pairs[i]
		sub(/: .*/, "", name)
		sub(/^[^:]*: /, "", why)
		if (!((pairs[i] in is_expected) || (why in is_expected) ||
		      (why == "opari2 does not know this construct" && !(name in is_known) && length(is_known))))
			return 0
	}
	return n > 0
}

FNR == 1 { file++ }
file == 1 && /^(known|construct|elsewhere) / {
	kind = $1
	sub(/^[a-z]* /, "")
	gsub(/,/, ";")                          # as in the CSV
	if (kind == "known")
		is_known[$0] = 1
	else
		is_expected[$0] = 1
	next
}
file == 1 {
	if (!/^#/ && NF)
		listed[$1, $2] = $3
	next
}
FNR == 1 { next }
{
	split($0, field, ",")
	key = field[1] SUBSEP field[3]
	is = field[4] == "differs" || field[4] == "unbuilt by kinst" ? "differs" : field[4] != "same" ? "" : field[6]
	if (is == "partly" && are_expected(field[11]))
		is = "whole"
	says = (key in listed) ? listed[key] : "nothing"
	if (is == "" || (says ~ /[?]$/ && (is == "whole" || is "?" == says)))
		next
	if (says == (is == "whole" ? "nothing" : is))
		next
	bad = 1
	print field[3] " (" field[1] (field[2] == "access" ? ", --access" : "") "): is " is \
		", and the list says " says ": " field[11]
}
END { exit bad }
