# named_blocks: with OMPP_OBJECTS=all, what has a name counts for that name alone, and the rest of its block for the call
# that allocated it, or for the variable
. "$srcdir/tests/lib.sh"
command -v python3 >/dev/null || skip 'no python3'
cp "$srcdir/tests/access/named_blocks.c" .
PYTHONPATH=$srcdir/tests/access
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1
for level in -O1 -O2; do
	kinst --access $CC $level -g -fopenmp named_blocks.c -o named_blocks
	for what in 0 1 2 3; do
		for least in 512 4096 16384; do
			OMPP_OBJECTS=all OMPP_SHARING=$((least == 4096)) OMPP_OBJECT_MIN=$least OMPP_APPNAME=named OMPP_OVERWRITE=1 OMPP_QUIET=1 OMP_NUM_THREADS=1 \
				./named_blocks $least $what >expected 2>sum
			ompp report --format=csv --view=data named.1.ompp >csv
			python3 - $what <<-'END' >counted || fail "$level, names $what, least $least: $(cat counted)"
			import sys
			import report_csv
			sums = {True: [0, 0], False: [0, 0]}
			for row in report_csv.rows("csv", "data objects"):
			    is_found = "calloc" in row["object"] or row["object"] == "fixed"
			    if "region" not in row and (row["object"].startswith("block") or is_found):
			        is_named = not is_found
			        sums[is_named][0] += int(row["loads"])
			        sums[is_named][1] += int(row["stores"])
			        if not is_named and row["class"] != "-" and "12".count(sys.argv[1]):
			            sys.exit("the class of blocks with names: " + row["class"])
			print(*sums[True], *sums[False])
			END
			same "$level, names $what, least $least" expected counted
		done
	done
done
