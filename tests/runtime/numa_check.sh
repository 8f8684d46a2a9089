# numa_check: compares what a report in CSV says of tests/vm/numa_use.c with what is known.  To source after tests/lib.sh.
section() {		# section REPORT NAME
	awk -v begin="##BEG $2" -v end="##END $2" '$0 == begin { inside = 1; getline; next } $0 == end { inside = 0 } inside' "$1"
}

# The matrix of a, "from home accesses", without what is 0; unknown ones stand under -.
matrix() {		# matrix REPORT NODES
	section "$1" 'numa matrix' | awk -F, -v n="$2" '$1 == "a" {
		sub("^[a-zA-Z]* ", "", $2)
		for (home = 0; home <= n; home++)
			if ($(5 + home))
				print $2, home < n ? home : "-", $(5 + home)
	}'
}

# Compares it with what is known, but for the few accesses of whose pages nothing was known yet, and for a hundredth that
# may be lost while another thread adds samples up.
check_matrix() {	# check_matrix REPORT NODES, and the expected one from stdin
	cat >expected
	matrix "$1" "$2" >found
	awk 'NR == FNR { want[$1] += $3; cell[$1 " " $2] = $3; all += $3; next }
		{ got[$1] += $3 }
		$2 == "-" { unknown += $3; next }
		$3 > cell[$1 " " $2] { print "too many: " $0; bad = 1 }
		END {
			for (from in want)
				if (got[from] > want[from] || got[from] < want[from] * 0.99) {
					print "from " from ": " got[from] ", not " want[from]
					bad = 1
				}
			if (unknown > all / 20) {
				print unknown " of " all " are unknown"
				bad = 1
			}
			exit bad
		}' expected found || { cat found; fail "$1: another matrix"; }
}

# The nodes that the kernel told the program, page by page and by numa_maps, and those of the report.
check_pages() {		# check_pages DIR WHAT NODES
	grep '^[0-9]' "$1/out_$2" >expected
	section "$1/report_$2" 'numa pages' | awk -F, -v n="$3" '$1 == "a" { for (i = 0; i < n; i++) print i, $(2 + i) }' >found
	same "$2: pages by node" expected found
	sed -n 's/^maps //p' "$1/out_$2" >expected
	same "$2: pages by node, by numa_maps" expected found
}

findings() {		# findings REPORT
	awk -F, '/^##BEG performance properties report$/ { inside = 1; next } /^##END/ { inside = 0 } inside { print $2 }' "$1" |
		sort -u | grep -E '^(MemoryOn|UsedBy|PartsOn|PageShared|ThreadsMove|DataFirst)' || :
}

check_finding() {	# check_finding DIR WHAT [NAME]
	findings "$1/report_$2" >found
	printf '%s' "${3:+$3
}" >expected
	same "$2: findings" expected found
}
