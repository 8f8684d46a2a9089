# measure: what the tests of programs that kinst did not build have in common

# measure REPORT COMMAND…: the report of a command, as CSV; what it and kinst say goes to `said`.
measure() {
	report=$1
	shift
	rm -f "$report"
	OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=$report OMPP_QUIET=1 OMPP_PROFILE=0 "$@" 2>said
}

# counts REPORT: "TYPE|COUNT", sorted.
counts() {
	awk -f "$srcdir/tests/interpose/sums.awk" "$1" | LC_ALL=C sort
}

# sum REPORT TYPE COLUMN [ROW]: of a column over all regions of a type, of all threads or of one.
sum() {
	awk -F, -v want="$2" -v column="$3" -v row="${4:-SUM}" '
		/^##BEG flat/ { flat = 1 }
		/^##END flat/ { flat = 0 }
		flat && /^R[0-9]+,/ { type = $2 }
		flat && $1 == "TID" { for (i = 1; i <= NF; i++) if ($i == column) at = i }
		flat && $1 == row && type == want { sum += $at }
		END { print sum + 0 }' "$1"
}
