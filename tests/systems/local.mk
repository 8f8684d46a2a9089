# systems: kinst as the compiler of build systems
script_tests += \
	tests/systems/cmake.sh \
	tests/systems/cmake_modes.sh
EXTRA_DIST += tests/systems/systems.sh tests/systems/cmake_project.sh tests/systems/project
