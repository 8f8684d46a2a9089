# busy: planted problems come first, and clean programs have none, beside twice as many busy loops as there are processors
# (ROWS)
. "$srcdir/tests/lib.sh"
need python3
export CC GXX GFORTRAN

python3 "$srcdir/tests/findings/judge.py" "$srcdir/tests/findings/ROWS" "$srcdir/tests/findings" busy
