/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Fuzzing of everything that reads /proc and /sys.  An input is a machine in the form of
 * tests/data/sys (its README), made into a folder; lines that can't be made are left out.  A
 *line
 * "#fail SEED RATE" before it makes one allocation in RATE fail while it is read.
 *
 * Whatever the machine: asking it ends, with something that every report can print, that reads
 *back from JSON as the same, and about which notes can be made.
 *
 *	libFuzzer: make fuzz T=machine	(TMPDIR on a tmpfs makes it faster)
 *	replay:    fuzz-machine FILE|FOLDER... */
#include "fuzz.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "report/environment.h"
#include "report/report.h"
#include "result/environment.h"
#include "result/import.h"
#include "result/notes/notes.h"
#include "result/result.h"
#include "run/prepare/environment.h"
#include "sys/cgroup.h"
#include "sys/device.h"
#include "sys/machine.h"
#include "sys/numa.h"
#include "sys/sysroot.h"
#include "sys/use.h"
#include "sys/vital.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define NODES_MAX 32
#define LINKS_MAX 128

struct node {
	const char *path;
	struct place place;
};

/* Texts point into the input. */
struct world {
	char folder[PATH_MAX / 2];
	struct node nodes[NODES_MAX];
	const char *links[LINKS_MAX][2]; /* path, target: made last, so that nothing is written
					  * through one                                   */
	uint32_t nodes_count, links_count;
};

static int world_place(void *ctx, const char *path, struct place *ret)
{
	const struct world *w = ctx;

	for (uint32_t i = 0; i < w->nodes_count; i++)
		if (strcmp(w->nodes[i].path, path) == 0) {
			*ret = w->nodes[i].place;
			return 0;
		}
	return -ENOENT;
}

static int world_room(void *ctx, const char *path, struct room *ret)
{
	(void)ctx;
	*ret = (struct room){.block_bytes = 4096, .bytes = 1 << 30, .inodes = strlen(path)};
	return 0;
}

static void folders_above(char *path, size_t from)
{
	for (char *slash = strchr(path + from + 1, '/'); slash;
		slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	for (; f && *text; text++) {
		bool special = text[0] == '\\' && (text[1] == 'n' || text[1] == 't');
		fputc(!special ? *text : *++text == 'n' ? '\n' : '\t', f);
	}
	if (f)
		fclose(f);
}

/* "PATH M:m" or "PATH M:m ID"; a path may hold blanks. */
static void add_node(struct world *w, char *rest, bool block)
{
	struct place place = {.block = block, .mode = S_IFREG};
	unsigned major_no, minor_no;
	char *last = strrchr(rest, ' ');

	if (last && !block) {
		place.mount_id = strtoul(last + 1, NULL, 10);
		*last = '\0';
		last = strrchr(rest, ' ');
	}
	if (!last || w->nodes_count == NODES_MAX ||
		sscanf(last + 1, "%u:%u", &major_no, &minor_no) != 2)
		return;
	*last = '\0';
	*(block ? &place.rdev : &place.dev) = makedev(major_no, minor_no);
	w->nodes[w->nodes_count++] = (struct node){rest, place};
}

static void make_line(struct world *w, char *line)
{
	char path[PATH_MAX];
	char *rest = strchr(line, ' ');

	if (!rest)
		return;
	*rest++ = '\0';
	if (strcmp(line, "node") == 0 || strcmp(line, "at") == 0) {
		add_node(w, rest, line[0] == 'n');
		return;
	}
	char *value = strchr(rest, ' ');
	if (value)
		*value++ = '\0';
	if (strstr(rest, "/..") || rest[0] != '/' ||
		(size_t)snprintf(path, sizeof(path), "%s%s", w->folder, rest) >= sizeof(path))
		return;
	folders_above(path, strlen(w->folder));
	if (strcmp(line, "dir") == 0)
		mkdir(path, 0700);
	else if (strcmp(line, "file") == 0)
		write_file(path, value ? value : "");
	else if (strcmp(line, "link") == 0 && value && w->links_count < LINKS_MAX)
		memcpy(w->links[w->links_count++], (const char *[]){rest, value},
			sizeof(w->links[0]));
}

/* Unless a link that is there already leads out of the folder. */
static void make_link(const struct world *w, const char *from, const char *to)
{
	char path[PATH_MAX], above[PATH_MAX], real[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", w->folder, from);
	snprintf(above, sizeof(above), "%s", path);
	*strrchr(above, '/') = '\0';
	if (realpath(above, real) && str_starts(real, w->folder) && symlink(to, path) < 0)
		MUST(errno != EROFS, "%s", path);
}

static void world_make(struct world *w, char *text)
{
	const char *tmp = getenv("TMPDIR");

	w->nodes_count = w->links_count = 0;
	snprintf(w->folder, sizeof(w->folder), "%s/weir-fuzz-XXXXXX", tmp ? tmp : "/tmp");
	MUST(mkdtemp(w->folder), "no folder");
	for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
		make_line(w, line);
	for (uint32_t i = 0; i < w->links_count; i++)
		make_link(w, w->links[i][0], w->links[i][1]);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st, (void)kind, (void)where;
	return remove(path);
}

static void write_all(const struct environment *e, struct str *out)
{
	struct json j;

	json_init(&j, out, JSON_FIO);
	json_object(&j, NULL);
	report_json_environment(&j, e, false);
	json_object_end(&j);
}

/* Printed, and read back; it goes to a result, which is freed. */
static void check_environment(struct environment *e)
{
	const struct report_how how = {.native = true, .version = "weir 0.1"};
	struct str doc = {0}, was = {0}, is = {0};
	struct result *r = result_new();
	struct import_list list;
	struct err err;

	MUST(r, "no memory");
	r->environment = e;
	report_json.print(r, &how, &doc);
	int rc = import_text("x", str_text(&doc), doc.len, &list, &err);
	MUST(rc == 0 && list.results[0]->environment, "%d: %s\n%s", rc, err.text,
		str_text(&doc));
	write_all(e, &was);
	write_all(list.results[0]->environment, &is);
	MUST(strcmp(str_text(&was), str_text(&is)) == 0, "%s\nnot\n%s", str_text(&is),
		str_text(&was));
	report_stack(e, &doc);
	report_gaps(e, &doc);
	MUST(notes_doctor(r) == 0 && !doc.failed, "no memory");
	str_done(&doc);
	str_done(&was);
	str_done(&is);
	import_done(&list);
	result_free(r);
}

static struct environment *capture(const struct sysroot *root, const struct world *w)
{
	const char *paths[NODES_MAX + 1];
	const struct environment_how how = {.root = root,
		.paths = paths,
		.paths_count = w->nodes_count + 1,
		.danger = true,
		.full = w->nodes_count % 2};

	for (uint32_t i = 0; i < w->nodes_count; i++)
		paths[i] = w->nodes[i].path;
	paths[w->nodes_count] = "/not/there";
	return environment_capture(&how);
}

static void ask_devices(const struct sysroot *root, dev_t rdev)
{
	struct device d;
	struct device_list list = {0};
	struct use use = {0};
	char text[96];
	uint64_t bytes;

	if (device_whole(root, rdev, &d) == 0)
		device_show(root, &d, text, sizeof(text));
	for (int how = DEVICE_PARTITIONS; how <= DEVICE_SLAVES; how++)
		(void)device_related(root, rdev, (enum device_relation)how, &list);
	device_list_done(&list);
	(void)device_bytes(root, rdev, &bytes);
	(void)device_logical_block(root, rdev);
	(void)device_is_zoned(root, rdev);
	if (use_find(root, rdev, &use) == 0)
		MUST(use.kind == USE_NONE || *use.text, "used, but not how");
	(void)use_find_beside(root, rdev, &use);
}

static void ask_counts(const struct sysroot *root)
{
	struct machine_limit limit;
	struct vital v;
	struct vital_counts counts;
	struct vital_task task;
	struct vital_io io;
	struct err e = {0};
	uint64_t bits[4] = {0}, pages;
	char text[256];

	machine_cgroup_memory(root, &limit);
	machine_cgroup_pids(root, &limit);
	(void)machine_hugepage_bytes(root);
	(void)machine_hugepages_free(root, 2 << 20, &pages);
	(void)machine_memory_available(root);
	(void)numa_cpus(root, numa_online(root), bits, COUNT_OF(bits));
	vital_find(root, &v);
	vital_look(&v, true, &counts);
	(void)vital_task(root, 1, 1, &task);
	(void)vital_io(root, 0, &io);
	int rc = cgroup_path(root, "weir/a", text, sizeof(text), &e);
	MUST(rc == 0 || (rc == e.code && e.text[0]), "rc %d", rc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct world w;
	uint32_t seed, rate;

	memory_fails_as_said(&data, &size, &seed, &rate);
	char *text = malloc(size + 1);
	MUST(text, "no memory for the input");
	memcpy(text, data, size);
	text[size] = '\0';
	world_make(&w, text);
	const struct sysroot root = {
		.prefix = w.folder, .place = world_place, .room = world_room, .ctx = &w};
	memory_fails(seed, rate);
	struct environment *e = capture(&root, &w);
	for (uint32_t i = 0; i < w.nodes_count; i++)
		ask_devices(&root,
			w.nodes[i].place.block ? w.nodes[i].place.rdev : w.nodes[i].place.dev);
	ask_counts(&root);
	memory_fails(0, 0);
	MUST(e || rate, "nothing captured");
	if (e)
		check_environment(e);
	nftw(w.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(text);
	return 0;
}
