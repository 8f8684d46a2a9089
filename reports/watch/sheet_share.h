/*
 * Sheet share: passes sheets on, with a column more behind each one whose limit is known: per cent of that limit.
 */
#ifndef OMPP_SHEET_SHARE_H
#define OMPP_SHEET_SHARE_H

#include "reports/watch/sheet.h"

struct ompp_sheet_share {
	const struct ompp_sink *to;
	struct ompp_sheet sheet;
};

/* Fills the share, which ompp_sheet_share_free() frees, and returns the sink that uses it.  Both stay in use as long as
 * the sink. */
struct ompp_sink ompp_sheet_share(struct ompp_sheet_share *share, const struct ompp_sink *to);
void ompp_sheet_share_free(struct ompp_sheet_share *share);

#endif
