# regions: the regions of a CSV report in the order of the source, as "TYPE COUNT, …" with how often each was
# executed (the sum over the threads); nothing for a report without regions.  The lines before read
# "file<TAB>line<TAB>TYPE count" for sort.
BEGIN { FS = "," }
/^##BEG flat region profiles/ { flat = 1 }
/^##END flat region profiles/ { flat = 0 }
!flat { next }
/^##BEG R/ { getline; type = $2; file = $3; line = $4; title = 1; next }
title { for (i = 1; i <= NF; i++) if ($i == "execC") column = i; title = 0; next }
$1 == "SUM" { printf "%s\t%s\t%s %s\n", file, line, type, $column }
