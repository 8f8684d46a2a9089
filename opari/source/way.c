/*
 * Way: see way.h.
 */
#include "opari/source/way.h"

#include <stdlib.h>
#include <string.h>

#include "opari/base/say.h"
#include "opari/hooks/loops.h"
#include "opari/source/engines.h"

/* Returns why accesses are counted one by one; NULL when whole loops are counted by the plug-in, if there is one. */
static const char *why_hooks(const struct kinst_context *context, const char *plugin)
{
	const char *access = context->options->access;

	if (access && !strcmp(access, "source"))
		return "--access=source is given";
	if (access && !strcmp(access, "hooks"))
		return "--access=hooks is given";
	if (!kinst_loops_optimised(context->command))
		return "nothing is optimised";
	if (plugin)
		return NULL;
	return context->compiler->clang ? "there is no plug-in for this clang; kinst --build-plugin builds it"
	                                : "there is no plug-in for this gcc; kinst --build-plugin builds it";
}

int kinst_way_counts_loops(const struct kinst_context *context)
{
	char *plugin = kinst_loops_find(context->compiler);
	int counts = !why_hooks(context, plugin);

	free(plugin);
	return counts;
}

static void say_engine(const struct kinst_source *source, const struct kinst_context *context)
{
	static const char *const names[] = { [KINST_C] = "C", [KINST_CXX] = "C++", [KINST_FORTRAN] = "Fortran" };
	enum kinst_language language = source->input->language;
	int has_calls = source->state == KINST_READY;

	kinst_say("kinst: %s: %s by %s: %s%s\n", source->name, names[language], context->compiler->version,
	          has_calls                          ? "calls by the engine "
	          : source->state == KINST_FAILED    ? "it is compiled as it is"
	          : source->hooks != KINST_HOOKS_OFF ? "it gets no calls"
	                                             : "it has nothing to measure, and is compiled as it is",
	          has_calls ? kinst_engine_of(context->options->engine, language)->name : "");
}

static void say_accesses(const struct kinst_source *source, const struct kinst_context *context, const char *plugin)
{
	const char *why = why_hooks(context, plugin);

	if (source->hooks != KINST_HOOKS_OFF)
		kinst_say("kinst: %s: accesses are counted by %s%s\n", source->name, why ? "hooks: " : plugin,
		          why ? why : "");
	else if (context->compiler->flang)
		kinst_say("kinst: %s: accesses are not counted: flang puts in no hooks\n", source->name);
	else
		kinst_say("kinst: %s: accesses are not counted; %s%s\n", source->name,
		          plugin ? "whole loops could be by " : "there is no plug-in for whole loops",
		          plugin ? plugin : "");
}

void kinst_way_say(const struct kinst_source *source, const struct kinst_context *context)
{
	char *plugin;

	if (!context->options->verbose || source->broken)
		return;
	plugin = kinst_loops_find(context->compiler);
	say_engine(source, context);
	if (!kinst_source_is_handed_on(source, context))
		say_accesses(source, context, plugin);
	if (source->works)
		kinst_say("kinst: %s: operations are counted by %s\n", source->name, plugin);
	free(plugin);
}
