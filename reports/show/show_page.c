/*
 * Page: a profile, or several merged, as a page for browsers.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "reports/pages/pages_page.h"
#include "reports/profile/merge.h"
#include "reports/show/show.h"
#include "reports/web/report_page.h"

int ompp_save_page(const struct ompp_profile *profiles, size_t n, const struct ompp_report_options *options,
                   const char *file, const char *path, struct ompp_arena *arena)
{
	const char *const files[] = { file, NULL };
	struct ompp_pages_source pages = { files, profiles, n, arena };
	struct ompp_page_extra extra = { .put = ompp_pages_embed, .data = &pages };
	struct ompp_profile merged = profiles[0];
	int rc = n > 1 ? ompp_profile_merge(profiles, n, arena, &merged) : 0;
	int fd = rc ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (!rc)
		rc = fd < 0 ? -errno : ompp_report_page(&merged, options, &extra, fd, arena);
	if (fd >= 0 && close(fd) && !rc)
		rc = -errno;
	if (rc)
		ompp_complain(path, "the page cannot be written: %s", strerror(-rc));
	return rc;
}

int ompp_print_page(const struct ompp_profile *profiles, size_t n, const struct ompp_report_options *options,
                    const char *const *files, int with_source, struct ompp_arena *arena)
{
	struct ompp_pages_source pages = { files, profiles, n, arena };
	struct ompp_page_extra extra = { with_source, ompp_pages_embed, &pages };
	struct ompp_profile merged = profiles[0];
	int rc = n > 1 ? ompp_profile_merge(profiles, n, arena, &merged) : 0;

	if (!rc)
		rc = ompp_report_page(&merged, options, &extra, STDOUT_FILENO, arena);
	return ompp_print_status(rc);
}
