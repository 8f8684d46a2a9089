# totals: what compare.sh found: a line for each program that is not as it should be, then one a language and way of
# kinst.  Ends with 1 when a program behaves otherwise than the plain one, or has a construct that is neither
# measured nor named.
# Fields: language, kinst, program, behaviour, status, measured, constructs, regions, plain build s, kinst build s,
# what
function percent(n, of) { return of ? 100 * n / of : 100 }

{
	which = $1 ($2 == "access" ? " --access" : "")
	n[which]++
	if ($4 == "unbuilt")
		next
	built[which]++
	constructs[which] += $7
	regions[which] += $8
	plain[which] += $9
	ours[which] += $10
}
$4 == "unbuilt by kinst" || $4 == "differs" {
	bad = 1
	print $3 ": " $2 ": " $4 ": " $11
	tried[which]++
	by_kinst[which] += $4 == "differs"
	next
}
$4 == "varies" { by_kinst[which]++; next }
{
	tried[which]++
	by_kinst[which]++
	same[which]++
	whole[which] += $6 == "whole"
	if ($6 == "missing" || $6 == "unbalanced" || $6 == "left")
		print $3 ": " $2 ": " $6 ": " $11
	bad += $6 == "unbalanced" || $6 == "missing"
}
END {
	for (which in n)
		printf "%s: %d programs, %d built plainly, %d by kinst, %d the same twice, %d behave the same (%.1f %%), " \
			"%d measured whole (%.1f %%), %d of %d constructs (%.2f %%); " \
			"build %.1f s plainly, %.1f s by kinst, %.2f times\n",
			which, n[which], built[which], by_kinst[which], tried[which], same[which],
			percent(same[which], tried[which]), whole[which], percent(whole[which], tried[which]),
			regions[which], constructs[which], percent(regions[which], constructs[which]),
			plain[which], ours[which], plain[which] ? ours[which] / plain[which] : 0 | "sort"
	close("sort")
	exit bad > 0
}
