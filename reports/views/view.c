/*
 * View: see view.h.
 */
#include "reports/tables/view.h"

#include "runtime/base/array.h"

static const struct {
	const char *name;
	const struct ompp_view *view;
} views[] = {
#define VIEW(name, view) { name, &view },
#include "runtime/terms/view.def"
#undef VIEW
};

const struct ompp_view *ompp_view(size_t i)
{
	return i < OMPP_COUNT_OF(views) ? views[i].view : NULL;
}

const char *ompp_view_name(size_t i)
{
	return i < OMPP_COUNT_OF(views) ? views[i].name : NULL;
}

int ompp_view_is_empty(const struct ompp_view *view, const struct ompp_analysis *analysis)
{
	return view->is_empty && view->is_empty(analysis);
}
