# order.awk: compares the uses of pages that a trace has (ompp pages --csv) with the stages that tests/access/order.c says.
# Variables: start, the seconds that the trace's times begin at; interval, in seconds.  Files: what the program printed, the
# list of producers (CSV), the uses (CSV).
function hex(text,    i, n) {
	for (i = 3; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n / 4096
}
function wrong(text) { if (n_wrong++ < 10) print "wrong: " text }
FNR == 1 { file++ }
file == 1 && $1 == "thread" { owner[hex($3)] = $2 }
file == 1 && $1 == "common" { for (i = 0; i < $3; i++) common[hex($2) + i] }
file == 1 && $1 == "stage" {
	begin[$2] = $4; end[$2] = $5; thread[$2] = $3; way[$2] = $6; pages[$2] = $8; first[$2] = hex($7); n_stages++
	for (i = 0; i < $8; i++) stage[hex($7) + i] = $2
	# which thread came to the common pages, in which order
	if ($6 ~ /^(single|loop|until|gather)$/ && !came[$3]++) chain = chain " " $3
}
file == 2 && /^0x/ { split($0, f, ","); if (hex(f[1]) in common) producers[hex(f[1])] = f[4] }
file < 3 { next }
/^0x/ {
	split($0, f, ","); page = hex(f[1]); from = f[6] / 1e9 + start; to = f[7] / 1e9 + start
	if (page in owner) { number[f[8]] = owner[page]; next }
	n_rows++; since[n_rows] = from; until[n_rows] = to; of[n_rows] = page; by[n_rows] = f[8]
}
END {
	for (r = 1; r <= n_rows; r++) {
		if (!(of[r] in stage)) continue
		s = stage[of[r]]; uses[of[r]]++; n++
		place = of[r] - first[s]; last = place == pages[s] - 1
		what = sprintf("stage %d (%s), page %d, thread %s: %.4f to %.4f, and was %.4f to %.4f", s, way[s], place, number[by[r]], since[r], until[r], begin[s], end[s])
		if (number[by[r]] != thread[s]) wrong(what ": thread " thread[s])
		if (since[r] > end[s] || until[r] < begin[s]) wrong(what)
		# slow stages go from page to page
		if (way[s] ~ /^slow-(loop|inner)$/ && last && until[r] < end[s] - interval / 2) wrong(what ": the last page is used at the end")
		if (way[s] == "slow-gather") {
			at = begin[s] + (place + 1) / pages[s] * (end[s] - begin[s])
			if (since[r] > at + interval || until[r] < at - interval) uneven++
			if (until[r] - since[r] > 3 * interval) wide++
		} else if (until[r] - end[s] > 2 * interval || begin[s] - since[r] > 2 * interval) {
			wide++
			if (wide < 4) print "wide: " what
		}
	}
	for (s = 0; s < n_stages; s++)
		for (i = 0; i < pages[s]; i++)
			if (!uses[first[s] + i]) wrong("stage " s " (" way[s] "), page " i ": no use")
	for (page in producers) {
		k = split(producers[page], p, " "); split(chain, c, " "); n_lists++
		if (producers[page] ~ /~/) { n_marks++; continue }
		for (i = 1; i <= k; i++)
			if (number[p[i]] != c[i]) { wrong("producers: " producers[page] " are not" chain); break }
	}
	if (!n_lists) wrong("no list of producers")
	printf "%d uses in %d stages, %d wider than two intervals, %d uneven, %d of %d lists of producers in doubt\n", n, n_stages, wide, uneven, n_marks, n_lists
	# these need a thread that comes in time: 3 is the exit status when nothing else is wrong
	if (wide > n / 10) late = "uses are known to within more than two intervals"
	if (uneven > n / 10) late = "a slow gather is not told from page to page"
	if (n_marks > n_lists / 2) late = "the order of producers is not known, and they are a gap apart"
	if (late) print "late: " late
	exit n_wrong ? 1 : late ? 3 : 0
}
