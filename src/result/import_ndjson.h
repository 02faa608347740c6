/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Lines of weir's streams to results.  Private to result/. */
#pragma once

#include <stdbool.h>

#include "result/import_parts.h"

/* What is known between the lines. */
struct import_ndjson;

/* NULL without memory. */
struct import_ndjson *import_ndjson_new(void);
void import_ndjson_free(struct import_ndjson *n);

/* Is DOC a line of a stream? */
bool import_ndjson_is(const struct json_value *doc);

/* One line. A result goes to TO. 0, -EINVAL (err is set), -ENOMEM, or TO's. */
int import_ndjson_line(struct import *in, struct import_ndjson *n, const struct json_value *doc,
	struct import_sink to);

/* The text is at its end: what there is of a stream that was cut. */
int import_ndjson_end(struct import *in, struct import_ndjson *n, struct import_sink to);
