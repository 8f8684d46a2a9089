/*
 * Sheet choice: see sheet_choice.h.
 */
#include "reports/watch/sheet_choice.h"

#include <stdlib.h>

#include "reports/sensors/watch.h"

/* What choose_pattern() needs. */
struct choosing {
	struct ompp_sheet_choice *choice;
	const struct ompp_sheet *sheet;
	unsigned char *is_chosen; /* by column of the sheet */
};

/* Chooses the columns that fit a pattern, unless they are chosen already. */
static int choose_pattern(void *context, const char *pattern)
{
	const struct choosing *c = context;
	struct ompp_sheet_choice *choice = c->choice;

	for (size_t i = 0; i < c->sheet->n; i++) {
		const struct ompp_sheet_column *column = &c->sheet->columns[i];

		if (c->is_chosen[i] || !ompp_watch_fits(pattern, column->sensor, column->event, column->source))
			continue;
		choice->from[choice->n_from++] = i;
		c->is_chosen[i] = 1;
	}
	return 0;
}

/* Chooses among the columns of a sheet.  Returns 0, or -1 without memory. */
static int choose(struct ompp_sheet_choice *choice, const struct ompp_sheet *sheet)
{
	struct choosing choosing = { choice, sheet, calloc(sheet->n + 1, 1) };

	if (sheet->n > choice->room) {
		size_t *from = realloc(choice->from, sheet->n * sizeof(*from));

		choice->room = from ? sheet->n : choice->room;
		choice->from = from ? from : choice->from;
	}
	if (!choosing.is_chosen || sheet->n > choice->room) {
		free(choosing.is_chosen);
		return -1;
	}
	choice->n_from = 0;
	ompp_watch_each_pattern(choice->patterns(sheet), choose_pattern, &choosing);
	free(choosing.is_chosen);
	choice->is_begun = 1;
	return (sheet->n && !choice->n_from) || ompp_sheet_start(&choice->sheet, choice->n_from) ? -1 : 0;
}

static int choice_sample(void *context, const struct ompp_sheet *sheet)
{
	struct ompp_sheet_choice *choice = context;

	if ((!choice->is_begun || choice->sheet.generation != sheet->generation) && choose(choice, sheet))
		return -1;
	choice->sheet.generation = sheet->generation;
	choice->sheet.time_ns = sheet->time_ns;
	choice->sheet.n_missed = sheet->n_missed;
	for (size_t i = 0; i < choice->n_from; i++)
		choice->sheet.columns[i] = sheet->columns[choice->from[i]];
	return choice->to->sample(choice->to->context, &choice->sheet);
}

static int choice_label(void *context, const char *text, int64_t time_ns)
{
	const struct ompp_sheet_choice *choice = context;

	return choice->to->label(choice->to->context, text, time_ns);
}

static int choice_pause(void *context, int is_paused, int64_t time_ns)
{
	const struct ompp_sheet_choice *choice = context;

	return choice->to->pause(choice->to->context, is_paused, time_ns);
}

struct ompp_sink ompp_sheet_choice(struct ompp_sheet_choice *choice, const struct ompp_sink *to,
                                   const char *(*patterns)(const struct ompp_sheet *sheet))
{
	*choice = (struct ompp_sheet_choice){ .to = to, .patterns = patterns };
	return (struct ompp_sink){
		.sample = choice_sample, .label = choice_label, .pause = choice_pause, .context = choice
	};
}

void ompp_sheet_choice_free(struct ompp_sheet_choice *choice)
{
	ompp_sheet_free(&choice->sheet);
	free(choice->from);
}
