/*
 * Report page: see report_page.h.
 */
#include "reports/web/report_page.h"

#include <string.h>

#include "reports/analysis/init.h"
#include "reports/web/page_accesses.h"
#include "reports/web/page_hot.h"
#include "reports/web/page_model.h"
#include "reports/web/page_source.h"
#include "reports/web/page_tables.h"
#include "reports/web/page_threads.h"
#include "reports/web/web_page.h"
#include "runtime/base/text.h"

enum { TITLE_BYTES = 200 };

static int put_data(struct ompp_embed *e, const struct ompp_analysis *a, const struct ompp_page_extra *extra)
{
	struct ompp_page_flat flat;
	int rc = ompp_page_flat_init(&flat, a);

	ompp_embed_open(e, '{');
	if (!rc)
		rc = ompp_page_model(e, a);
	if (!rc)
		rc = ompp_page_flat(e, &flat);
	if (!rc)
		rc = ompp_page_threads(e, &flat);
	if (!rc)
		rc = ompp_page_tables(e, a);
	if (!rc)
		rc = ompp_page_hot(e, a);
	if (!rc)
		rc = ompp_page_accesses(e, a);
	if (!rc && extra->with_source)
		rc = ompp_page_source(e, &flat.regions);
	if (!rc && extra->put)
		rc = extra->put(e, extra->data);
	ompp_embed_close(e, '}');
	return rc;
}

int ompp_report_page(const struct ompp_profile *profile, const struct ompp_report_options *options,
                     const struct ompp_page_extra *extra, int fd, struct ompp_arena *scratch)
{
	struct ompp_analysis analysis;
	struct ompp_embed embed;
	struct ompp_out out;
	char title[TITLE_BYTES];
	struct ompp_text t;
	int rc = ompp_analysis_init(&analysis, profile, options, scratch);

	if (!rc)
		rc = ompp_out_init(&out, fd, scratch);
	if (rc)
		return rc;
	ompp_text_init(&t, title, sizeof(title));
	ompp_text_str(&t, profile->app);
	ompp_text_str(&t, " \xe2\x80\x93 ompp report");
	ompp_page_begin(&out, title);
	ompp_page_data(&out, "profile");
	ompp_embed_init(&embed, &out);
	rc = put_data(&embed, &analysis, extra);
	if (rc)
		return rc;
	ompp_page_end_data(&out);
	ompp_page_script(&out, &ompp_page_base);
	ompp_page_script(&out, &ompp_page_roofline);
	ompp_page_script(&out, &ompp_page_reuse);
	ompp_page_script(&out, &ompp_page_course);
	ompp_page_script(&out, &ompp_page_ranks);
	ompp_page_script(&out, &ompp_page_report);
	ompp_page_end(&out);
	return ompp_out_flush(&out);
}
