# exceptions: is what compare.sh found what the list says?  Files: EXCEPTIONS, compare.sh's CSV.
# Each program of the CSV that is not the same and measured whole must be listed with what it is; what is listed must be so.
# A program listed as "varies" may be the same or not, as its threads go.
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
	if (is == "" || ((key in listed) && listed[key] == "varies" && (is == "whole" || is == "differs")))
		next
	if (is == "whole" ? (key in listed) : listed[key] != is) {
		bad = 1
		print field[3] " (" field[1] (field[2] == "access" ? ", --access" : "") "): is " is ", and EXCEPTIONS says " \
			((key in listed) ? listed[key] : "nothing") ": " field[11]
	}
}
END { exit bad }
