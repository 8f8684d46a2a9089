# holes.awk: the counts that differ from arithmetic.  Usage: awk -v tag=TAG -f holes.awk LIST REPORT.csv
# Prints KERNEL OBJECT EXPECTED COUNTED TAG; counts are loads/stores/atomics/bytes.
FNR == NR { split($0, f, " "); order[++n] = f[1] " " f[2]; want[order[n]] = f[3] "/" f[4] "/" f[5] "/" f[6]; next }
/^##BEG flat region profiles/ { flat = 1 }
/^##END flat region profiles/ { flat = 0 }
!flat { next }
/^##BEG R[0-9]+/ { getline; split($0, f, ","); region = f[6]; getline; columns = split($0, name, ","); next }
/^SUM,/ {
	split($0, value, ",")
	split("", of)
	for (i = 2; i <= columns; i++)
		of[name[i]] = value[i]
	for (i in want) {
		split(i, f, " ")
		if (f[1] == region && f[2] ":loads" in of)
			got[i] = of[f[2] ":loads"] "/" of[f[2] ":stores"] "/" of[f[2] ":atomics"] "/" of[f[2] ":bytes"]
	}
}
END {
	for (i = 1; i <= n; i++) {
		g = order[i] in got ? got[order[i]] : want[order[i]] == "0/0/0/0" ? "0/0/0/0" : "none"
		if (g != want[order[i]])
			print order[i], want[order[i]], g, tag
	}
}
