# nests.awk: what a CSV report says of accesses, without times: for nests.sh, which compares two of them.  Prints lines
# "object|byregion …" as the sections Data Objects have them, and "flat|path REGION TID OBJECT:WHAT VALUE", unsorted.
BEGIN { FS = "," }
/^##BEG data objects$/ { kind = "object"; next }
/^##BEG data objects by region$/ { kind = "byregion"; next }
/^##BEG R[0-9]+ flat profile$/ { kind = "flat"; region = ""; next }
/^##BEG R[0-9]+ callgraph profile$/ { kind = "path"; region = ""; next }
/^##/ { kind = ""; next }
kind == "" { next }
kind == "object" || kind == "byregion" { print kind, $0; next }
# the region's row, or those of its callers; then the columns; then threads
$1 == "TID" {
	for (i = 1; i <= NF; i++)
		names[i] = $i
	next
}
$1 ~ /^(R[0-9]|\[)/ { region = region " " $0; next }
{
	for (i = 2; i <= NF; i++)
		if (names[i] ~ /:/)
			print kind region, $1, names[i], $i
}
