# kinst.sh: puts kinst and ompp of the build folder into PATH, without installing them.  It is sourced, from any folder:
#   . /path/to/env/kinst.sh [FOLDER]
# FOLDER: the build folder, relative to the top of the source; default build.
# Some shells do not tell a sourced file its name; with these, source it from the top of the source.
if [ -n "${BASH_SOURCE:-}" ]; then
	kinst_top=$(cd "$(dirname "${BASH_SOURCE}")/.." && pwd)
else
	kinst_top=$PWD
fi
kinst_build=$kinst_top/${1:-build}
if [ -x "$kinst_build/kinst" ]; then
	PATH=$kinst_build:$PATH
	export PATH
else
	echo "kinst.sh: $kinst_build: nothing built here; run env/build ${1:-build}" >&2
fi
unset kinst_top kinst_build
