# sums: how often the constructs of each type were executed, "TYPE|COUNT", of a report as CSV: the sums over all regions
# and threads.  What threads without OpenMP do, and locks of libraries that are measured with them, are left out.
BEGIN { FS = "," }
/^##BEG flat/ { flat = 1 }
/^##END flat/ { flat = 0 }
flat && /^R[0-9]+,/ { type = $2 }
flat && $1 == "TID" { for (i = 1; i <= NF; i++) if ($i == "execC") at = i }
flat && $1 == "SUM" && type !~ /^(THREAD|THREAD BARRIER|JOIN|MUTEX|RWLOCK|CONDITION|SEMAPHORE|FUTURE)$/ { n[type] += $at }
END { for (type in n) print type "|" n[type] }
