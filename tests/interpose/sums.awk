# sums: how often the constructs of each type were executed, "TYPE|COUNT", of a report as CSV: the sums over all regions
# and threads.
BEGIN { FS = "," }
/^##BEG flat/ { flat = 1 }
/^##END flat/ { flat = 0 }
flat && /^R[0-9]+,/ { type = $2 }
flat && $1 == "TID" { for (i = 1; i <= NF; i++) if ($i == "execC") at = i }
flat && $1 == "SUM" { n[type] += $at }
END { for (type in n) print type "|" n[type] }
