/*
 * Note: counts and texts of notes, and what happens when they are too many or too long.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/host/note.h"

static void counts_add_up_and_are_forgotten(void **state)
{
	int kind;

	(void)state;
	for (kind = 0; kind < OMPP_NOTE_N; kind++) {
		assert_true(strlen(ompp_note_text((enum ompp_note_kind)kind)) > 10);
		ompp_note_add((enum ompp_note_kind)kind, 0);
		assert_int_equal(ompp_note_count((enum ompp_note_kind)kind), 0);
		ompp_note_add((enum ompp_note_kind)kind, 2);
		ompp_note_add((enum ompp_note_kind)kind, 3);
		assert_int_equal(ompp_note_count((enum ompp_note_kind)kind), 5);
	}
	ompp_note_reset();
	for (kind = 0; kind < OMPP_NOTE_N; kind++)
		assert_int_equal(ompp_note_count((enum ompp_note_kind)kind), 0);
	assert_string_equal(ompp_note_text(OMPP_NOTE_N), "");
}

static void texts_are_copied_cut_and_bounded(void **state)
{
	char text[400];
	int i;

	(void)state;
	memset(text, 'y', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ompp_note_say(text);
	text[0] = 'n';
	assert_int_equal(ompp_note_n_said(), 1);
	assert_int_equal(strlen(ompp_note_said(0)), 255);
	assert_int_equal(ompp_note_said(0)[0], 'y');
	for (i = 1; i < 32; i++)
		ompp_note_say("short");
	assert_int_equal(ompp_note_n_said(), 32);
	assert_string_equal(ompp_note_said(31), "short");
	ompp_note_say("one too many");
	ompp_note_say("two too many");
	assert_int_equal(ompp_note_n_said(), 32);
	assert_string_equal(ompp_note_said(30), "short");
	assert_string_equal(ompp_note_said(31), "further notes were dropped");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_add_up_and_are_forgotten),
		cmocka_unit_test(texts_are_copied_cut_and_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
