# span_schedule: loops of several distributions of iterations, of 2 to 16 threads, whose iterations are told (kinst
# --iterations): what another schedule would gain is what the programs find of the same iterations (span_schedule.py).
# Loops that are not told, or have no barrier, and tasks that are not deferred, have no gain, and what finds no room is
# counted once.
. "$srcdir/tests/lib.sh"
need python3
export OMPP=$builddir/ompp KINST_PROGRAM=$builddir/kinst
unset KINST KINST_FLAGS
mkdir programs
python3 "$srcdir/tests/runtime/span_schedule.py" programs "${CC:-gcc}" 1/1 1 2 >said || { cat said; fail "a gain"; }
python3 "$srcdir/tests/runtime/span_schedule.py" programs "${CC:-gcc}" >said || { cat said; fail "a gain of others"; }
