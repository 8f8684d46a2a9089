# handlers: with a trace of pages, whose accesses of loops wait, signal handlers that interrupt such a loop with loops of their
# own change no count: those of the objects are exact, so are those by page of what is interrupted, and what there was no room
# for of the handlers' is told.
. "$srcdir/tests/lib.sh"

export OMPP_QUIET=1 OMPP_OVERWRITE=1 OMPP_DATA_NAME=main_data,handler_data
for level in 1 2; do
	kinst --access "$CC" -w -O$level -fopenmp "$srcdir/tests/access/handlers.c" -o handlers$level
	OMPP_PAGES=hooks OMPP_PAGES_INTERVAL=2ms ./handlers$level 20000 >counts
	read -r n_main n_handler <counts
	[ "$n_handler" -gt 3000 ] || fail "the handler came seldom: $n_handler"
	ompp report --view=data --format=csv handlers$level.*.ompp >data 2>said || fail "$(cat said)"
	grep -q "^main_data,$n_main,1048576,0," data || fail "-O$level: $n_main loads: $(grep '^main_data' data)"
	grep -q "^handler_data,$n_handler,4096,0," data || fail "-O$level: $n_handler loads: $(grep '^handler_data' data)"
	ompp pages --csv handlers$level.*.pages 2>said | awk -F, '/^0x/ { loads[$NF] += $3; stores[$NF] += $4 }
		END { print loads["main_data"], stores["main_data"], loads["handler_data"], stores["handler_data"] }' >pages
	n_lost=$(sed -n 's/.*: \([0-9]*\) events could not be written.*/\1/p' said)
	read -r loads stores handler_loads handler_stores <pages
	[ "$loads $stores $handler_stores" = "$n_main 1048576 4096" ] || fail "-O$level: by page: $(cat pages), and not $(cat counts)"
	[ "$handler_loads" -le "$n_handler" ] && [ $((handler_loads + ${n_lost:-0})) -ge "$n_handler" ] ||
		fail "-O$level: of the handler by page: $(cat pages), lost: $n_lost; and not $(cat counts)"
done
