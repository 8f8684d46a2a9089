/*
 * Kokkos run: see kokkos_run.h.
 */
#include "reports/ompp/kokkos_run.h"

#include <stdlib.h>

#include "reports/command/arguments.h"
#include "reports/ompp/preload.h"
#include "runtime/base/array.h"

/* As of Kokkos 4, and before. */
static const char *const variables[] = { "KOKKOS_TOOLS_LIBS", "KOKKOS_PROFILE_LIBRARY" };

void ompp_kokkos_run(void)
{
	static char library[4096];

	if (!ompp_preload_part("libompp_kokkos.so", OMPP_LIBDIR, library, sizeof(library))) {
		ompp_complain("--kokkos",
		              "libompp_kokkos.so is not found, so kernels are no regions; install it in %s, or set "
		              "KINST_LIBDIR to its folder",
		              OMPP_LIBDIR);
		return;
	}
	for (size_t i = 0; i < OMPP_COUNT_OF(variables); i++) {
		const char *given = getenv(variables[i]);

		if (given && given[0]) {
			ompp_complain("--kokkos",
			              "%s is set, so Kokkos loads that tool, and kernels are no regions; unset it, or "
			              "add "
			              "%s to it",
			              variables[i], library);
			return;
		}
	}
	for (size_t i = 0; i < OMPP_COUNT_OF(variables); i++)
		setenv(variables[i], library, 1);
}
