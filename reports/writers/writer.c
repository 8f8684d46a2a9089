/*
 * Writer: the list of formats.
 */
#include "reports/writers/writer.h"

const struct ompp_writer *const ompp_writers[] = { &ompp_writer_text, &ompp_writer_csv, &ompp_writer_csv_raw, NULL };
