# planted: planted problems come first among the findings, at their place; programs without have none (ROWS).  The sizes at
# the edge, and what findings would save, are in savings.sh; what other programs do to it, in busy.sh.
. "$srcdir/tests/lib.sh"
need python3
export CC GXX GFORTRAN

python3 "$srcdir/tests/findings/judge.py" "$srcdir/tests/findings/ROWS" "$srcdir/tests/findings" quick
