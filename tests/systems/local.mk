# systems: kinst as the compiler of build systems
script_tests += \
	tests/systems/cmake.sh \
	tests/systems/make.sh
turn_tests += tests/systems/autotools.sh tests/systems/debugger.sh
turn_tests += tests/systems/ccache.sh tests/systems/cmake_modes.sh tests/systems/fortran_modules.sh \
	tests/systems/headers.sh tests/systems/libraries.sh tests/systems/measure.sh tests/systems/meson.sh \
	tests/systems/offload.sh tests/systems/standards.sh tests/systems/warnings.sh
slow_tests += tests/systems/autotools_dist.sh tests/systems/compilers.sh tests/systems/flang.sh
EXTRA_DIST += tests/systems/systems.sh tests/systems/cmake_project.sh tests/systems/project \
	tests/systems/project_autotools tests/systems/project_meson tests/systems/warnings_of tests/systems/offload.c tests/systems/offload_other.c \
	tests/systems/offload_of
