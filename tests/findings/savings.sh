# savings: all rows of planted programs (ROWS), with what each finding says that the run would save beside what its mended
# twin really saves.
. "$srcdir/tests/lib.sh"
need python3
export CC GXX GFORTRAN

python3 "$srcdir/tests/findings/judge.py" "$srcdir/tests/findings/ROWS" "$srcdir/tests/findings" saving "PART=${PART:-1/1}"
