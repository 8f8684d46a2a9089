# access_files: with hooks in every source, files, messages and dependency files are still those of the plain compiler
. "$srcdir/tests/kinst/kinst.sh"
cat >kinst <<END
#!/bin/sh
# besides: -flto is switched off, and that is said; and the original is always compiled for its messages
said=\$(mktemp)
"$kinst" --access "\$@" 2>"\$said"
status=\$?
grep -v '^kinst: .*: compiled without -flto\\|/judged\\.s' "\$said" >&2
rm "\$said"
exit \$status
END
chmod +x kinst
for test in messages files fortran; do
	builddir=$work sh "$srcdir/tests/kinst/$test.sh" || fail "$test.sh with --access"
done
