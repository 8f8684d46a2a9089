# kinst.sh: use kinst and ompp from the build folder, without installing.  To source, from any folder:
#   . /path/to/env/kinst.sh [FOLDER]
# FOLDER: the build folder, relative to the top of the source; default build.
# Where the shell does not tell a sourced file its name, source it from the top of the source.
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
