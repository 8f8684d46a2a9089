# samples_errors: for each report of a run, adds up what of each kind of estimate lies within two of its standard errors.
# Prints "KIND WITHIN OF OVER" for each kind: how many, of how many, and how many are above the truth.
FNR == 1 { inside = "" }
/^##BEG / { inside = substr($0, 7); has_titles = 0; next }
/^##END/ { inside = ""; next }
inside == "" { next }
!has_titles { delete at; for (i = 1; i <= NF; i++) at[$i] = i; has_titles = 1; next }
function judge(kind, seen, error, truth) {
	n[kind]++
	within[kind] += (seen - truth) ^ 2 <= 4 * error ^ 2
	over[kind] += seen > truth
}
inside == "sampled accesses" && $1 == "plain" {
	judge($2, $at["accesses"], $at["accesses +-"], $2 == "loads" ? 20000 : 10000)
}
# the two latencies are of the same loads; a difference has the error of both
inside == "sampled accesses" && $2 == "loads" && ($1 == "even" || $1 == "odd") {
	latency[$1] = $at["latency"]; error[$1] = $at["latency +-"]
	if (latency["even"] && latency["odd"]) {
		judge("latencies", latency["even"] - latency["odd"], sqrt(error["even"] ^ 2 + error["odd"] ^ 2), 0)
		latency["even"] = latency["odd"] = 0
	}
}
inside == "numa objects" && $1 == "shared" {
	judge("far", $at["far share"], $at["far share +-"], 100 * 10000 / 30064)
}
# by whom the pages are that are accessed: each emulated node has the pages that its thread touched first
inside == "numa matrix" && $1 == "shared" {
	all[FILENAME] += $at["accesses"]
	first[FILENAME] += $at["node 0"]
}
END {
	for (file in all) {
		share = first[file] / all[file]
		judge("touched", share, sqrt(share * (1 - share) * period / all[file]), (12000 + 6000 + 32) / 30064)
	}
	for (kind in n)
		print kind, within[kind], n[kind], over[kind]
}
