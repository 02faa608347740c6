/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/watch.h"

#include "base/bits.h"
#include "base/json.h"
#include "result/watch.h"

static void list_json(struct json *j, const struct watch *w, const struct watch_list *list)
{
	uint32_t count;
	const char *v = watch_list_of(w, list, &count);

	json_array(j, list->key);
	for (uint32_t i = 0; i < count; i++) {
		json_object(j, NULL);
		facts_write(j, list->table, v + i * list->size);
		json_object_end(j);
	}
	json_array_end(j);
}

void report_json_watch(struct json *j, const struct watch *w)
{
	json_object(j, "watch");
	facts_write(j, &watch_run_table, &w->run);
	for (size_t i = 0; i < COUNT_OF(watch_lists); i++)
		list_json(j, w, &watch_lists[i]);
	json_array(j, "kernel");
	for (uint32_t i = 0; i < w->kernel_count; i++)
		json_text(j, NULL, w->kernel[i]);
	json_array_end(j);
	if (w->kernel_more)
		json_uint(j, "kernel_more", w->kernel_more);
	json_object_end(j);
}
