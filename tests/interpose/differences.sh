# differences: the table of ompp(1) that says what is seen of a construct in programs that kinst did not build is what
# judge.sh finds: each of its cells follows from the rules in judge.constructs, and each construct there has its row
. "$srcdir/tests/lib.sh"

# "row|by GCC|by Clang" of each construct; ? where the compiler does not have it.  Of what is seen in part it is the
# type.
awk -F'|' '
	function seen(type, rules,    n, i, rule) {
		if (rules == "none") return "?"
		n = split(rules, rule, " ")
		for (i = 1; i <= n; i++) {
			gsub("_", " ", rule[i])
			if (index(rule[i], type ">") != 1) continue
			sub(/.*>/, "", rule[i])
			gsub(/[*][0-9]+[/][0-9]+/, "", rule[i])
			gsub(/[+]/, " + ", rule[i])
			return rule[i] == "" ? "not seen" : rule[i]
		}
		return "same"
	}
	/^[^#]/ {
		n = split($2, rows, "; ")
		for (i = 1; i <= n; i++) {
			type = rows[i]
			sub(/,.*/, "", type)
			print rows[i] "|" seen(type, $3) "|" seen(type, $4)
		}
	}' "$srcdir/tests/interpose/judge.constructs" | sort -u >judged

# The same of the table up to its line.  What stands behind a comma in a cell is a remark; of "only …" the judge sees
# nothing.
awk -F'\t' '
	/^\.TE/ || $0 == "_" { on = 0 }
	on {
		for (i = 2; i <= 3; i++) {
			sub(/,.*/, "", $i)
			sub(/^only .*/, "not seen", $i)
		}
		n = split($1, rows, "; ")
		for (i = 1; i <= n; i++) print rows[i] "|" $2 "|" $3
	}
	$1 == "by kinst" { on = 1 }' "$srcdir/env/man/ompp.1.in" | sort -u >told

[ "$(wc -l <told)" -ge 30 ] || fail "the table has but $(wc -l <told) rows"
awk -F'|' '
	NR == FNR { told[$1] = $0; next }
	{
		split(told[$1], cell, "|")
		judged[$1] = 1
		for (i = 2; i <= 3; i++)
			if ($i != "?" && $i != cell[i]) print "judge.constructs has " $0 ", the manual " told[$1]
	}
	END { for (row in told) if (!(row in judged)) print "no construct of judge.constructs: " told[row] }' \
	told judged >differ
[ ! -s differ ] || fail "$(cat differ)"
