/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What single files and devices did: "targets" in weir's own objects. */
#include "result/import_parts.h"

static void read_target(struct import *in, const struct json_value *of, struct result_target *t)
{
	t->path = import_string(in, of, "target");
	if (!t->path)
		t->path = "?";
	const struct json_value *again = import_object(in, of, "verify");
	if (again && in->rc == 0) {
		import_whole(in, again, "ios", &t->again_ios);
		import_whole(in, again, "bytes", &t->again_bytes);
	}
	for (int dir = 0; dir < DIRS && in->rc == 0; dir++) {
		const struct json_value *d = import_object(in, of, dir_name((enum dir)dir));
		struct result_dir_told *told = import_alloc(in, sizeof(*told));
		if (!told)
			return;
		*told = (struct result_dir_told){.ios_per_s = -1, .bw_percent = -1};
		t->dir[dir].told = told;
		if (d && in->rc == 0)
			import_weir_direction(in, d, &t->dir[dir]);
	}
}

void import_weir_targets(struct import *in, const struct json_value *of,
	struct result_target **ret, uint32_t *ret_count)
{
	const struct json_value *list = import_array(in, of, "targets");
	uint32_t count = 0;

	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next)
		count++;
	if (!count || in->rc < 0)
		return;
	struct result_target *targets = import_alloc(in, count * sizeof(*targets));
	if (!targets)
		return;
	uint32_t used = 0;
	for (const struct json_value *v = list->first; v && in->rc == 0; v = v->next)
		read_target(in, v, &targets[used++]);
	*ret = targets;
	*ret_count = used;
}

void import_weir_groups(struct import *in, const struct json_value *of)
{
	const struct json_value *list = import_array(in, of, "groups");

	if (!list || in->rc < 0 || !in->r->rows_count)
		return;
	import_groups(in);
	for (const struct json_value *v = list->first; v && in->rc == 0; v = v->next) {
		uint64_t id = UINT64_MAX;
		import_whole(in, v, "group", &id);
		for (uint32_t i = 0; i < in->r->groups_count; i++)
			if (in->r->groups[i].id == id)
				import_weir_targets(in, v, &in->r->groups[i].targets,
					&in->r->groups[i].targets_count);
	}
}
