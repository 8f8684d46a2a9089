# first_touch: page faults are those of who touches first, exactly, in the right region and thread.
. "$srcdir/tests/examples/example.sh"
build first_touch.c
export OMPP_CTR=page-faults,PAPI_TOT_INS OMPP_EVAL1='faults/s=page-faults/EXECT'
run 2
counts MASTER 0 page-faults 4096 LOOP:40 0 page-faults 2048 LOOP:40 1 page-faults 2048 LOOP:40 SUM page-faults 4096 \
	LOOP:43 SUM page-faults 0
# faults a second, from the same row's time
near "faults/s" "$(csv_field report MASTER 0 'faults/s')" \
	"$(awk -v t="$(csv_field report MASTER 0 execT)" 'BEGIN { printf "%.3f", 4096 / t }')" 0.1 ||
	fail "faults/s: $(grep -A3 MASTER report)"
[ "$(csv_field report LOOP:43 0 'faults/s')" = 0 ] || fail "faults/s where there are none"
