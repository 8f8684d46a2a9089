# exceptions: is what compare.sh found what the list says?  Files: EXCEPTIONS, compare.sh's CSV.
# A program of the CSV that is not the same and measured whole must be listed with what it is; what is listed must
# be so.
# A kind with a question mark depends on how the threads run, so that the program may also be the same and whole.
FNR == 1 { file++ }
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
	says = (key in listed) ? listed[key] : "nothing"
	if (is == "" || (says ~ /[?]$/ && (is == "whole" || is "?" == says)))
		next
	if (says == (is == "whole" ? "nothing" : is))
		next
	bad = 1
	print field[3] " (" field[1] (field[2] == "access" ? ", --access" : "") "): is " is \
		", and EXCEPTIONS says " says ": " field[11]
}
END { exit bad }
