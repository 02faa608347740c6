/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* `weir`.`watch` and `weir`.`like` of weir's own JSON. */
#include "base/bits.h"
#include "result/import_parts.h"
#include "result/watch.h"
#include "result/work.h"

#include <string.h>

#define LIST_MAX 1024u

static void read_list(struct import *in, const struct json_value *of,
	const struct watch_list *l, struct watch *w)
{
	const struct json_value *list = import_array(in, of, l->key), *v;
	uint32_t count = 0, i = 0;

	for (v = list ? list->first : NULL; v && count < LIST_MAX; v = v->next)
		count++;
	char *to = import_alloc(in, (count + 1) * l->size);
	if (!to)
		return;
	for (v = list ? list->first : NULL; v && i < count; v = v->next, i++) {
		facts_forget(l->table, to + i * l->size);
		if (facts_read(l->table, to + i * l->size, v, &in->r->arena) < 0)
			import_no_memory(in);
	}
	memcpy((char *)w + l->offset, &to, sizeof(to));
	memcpy((char *)w + l->count, &count, sizeof(count));
}

static void read_kernel(struct import *in, const struct json_value *of, struct watch *w)
{
	const struct json_value *list = import_array(in, of, "kernel"), *v;
	uint64_t more = 0;

	w->kernel = import_alloc(in, WATCH_KERNEL_LINES * sizeof(*w->kernel));
	for (v = list ? list->first : NULL; w->kernel && v; v = v->next)
		if (v->kind == JSON_STRING && w->kernel_count < WATCH_KERNEL_LINES &&
			(w->kernel[w->kernel_count] = arena_text(&in->r->arena, v->text)))
			w->kernel_count++;
	import_whole(in, of, "kernel_more", &more);
	w->kernel_more = (uint32_t)MIN_OF(more, (uint64_t)UINT32_MAX);
}

void import_weir_like(struct import *in, const struct json_value *weir)
{
	const struct json_value *of = import_object(in, weir, "like");
	struct work *w = of && in->rc == 0 ? import_alloc(in, sizeof(*w)) : NULL;

	if (!w)
		return;
	facts_forget(&work_table, w);
	in->r->like = w;
	if (facts_read(&work_table, w, of, &in->r->arena) < 0)
		import_no_memory(in);
}

void import_weir_watch(struct import *in, const struct json_value *weir)
{
	const struct json_value *of = import_object(in, weir, "watch");
	struct watch *w = of && in->rc == 0 ? import_alloc(in, sizeof(*w)) : NULL;

	if (!w)
		return;
	in->r->watch = w;
	facts_forget(&watch_run_table, &w->run);
	if (facts_read(&watch_run_table, &w->run, of, &in->r->arena) < 0)
		import_no_memory(in);
	for (size_t i = 0; i < COUNT_OF(watch_lists); i++)
		read_list(in, of, &watch_lists[i], w);
	read_kernel(in, of, w);
}
