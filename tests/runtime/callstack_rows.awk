# callstack_rows: the rows of a library's functions, as tests/runtime/callstack.c writes rules: first address, end, rule.
# Of what `readelf --debug-dump=frames-interp` prints; sp and fp are the names of the registers.  Where the expressions of
# rows lead readelf does not say, and what a signal handler returns to has no rule, so these are left out.

# readelf writes addresses of one length, so that they can be compared as words.
function end_row(end) {
	if (row != "" && begin "" < end "")
		print begin, end, row
	row = ""
}
{ gsub(/ \([^)]*\)/, "") } # r5 (rdi)
$4 == "CIE" { is_signals[$1] = $5 ~ /S/; is_wanted = 0 }
$4 == "FDE" { split($5, cie, "="); split($6, pc, /=|\.\./); is_wanted = !is_signals[cie[2]] }
$1 == "LOC" { delete at; for (i = 3; i <= NF; i++) at[$i] = i; n = NF }
!NF { end_row(pc[3]) }
is_wanted && $1 ~ /^[0-9a-f]+$/ && $4 != "FDE" && NF == n {
	end_row($1)
	begin = $1
	place = fp in at ? $at[fp] : "u"
	ra = $at["ra"]
	if ($2 != "exp" && place !~ /exp/)
		row = ra ~ /^c/ && ($2 ~ sp || $2 ~ fp) ? $2 " " place " " ra : "none"
}
END { end_row(pc[3]) }
