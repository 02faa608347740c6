/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* One ring a CPU takes all its tracepoints (PERF_EVENT_IOC_SET_OUTPUT).  A ring is in order
 * but for what an interrupt put in between, rings among each other are not.  So what was read
 * is sorted, and handed on when it is older than the moment the reading began: what came before
 * that has been taken out of every ring. */
#include "sys/blockwatch.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "sys/clock.h"
#include "sys/sysroot.h"
#include "sys/tracepoint.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define RING_BYTES   (4u << 20)
#define RING_SMALLER (1u << 20) /* of machines with many CPUs */
#define RING_MANY    32
#define RING_LEAST   (512u << 10) /* what perf_event_mlock_kb leaves a user, unless changed */
#define HELD_MOST    (1u << 20)   /* events that wait for their order */
#define SLACK_NS     (2 * NS_PER_MS)
#define SAMPLE_MOST  4096
#define CPUS         "/sys/devices/system/cpu/"
#define CPUS_MOST    65536
#define CPUS_TEXT    512

static const struct {
	const char *name;
	enum block_event_kind kind;
} watch_events[] = {
	{"block/block_bio_queue", BLOCK_QUEUED},
	{"block/block_rq_issue", BLOCK_ISSUED},
	{"block/block_rq_complete", BLOCK_DONE},
	{"block/block_bio_complete", BLOCK_DONE},
};

#define EVENTS COUNT_OF(watch_events)

struct watch_event {
	uint64_t id;
	struct tracepoint_field type, dev, sector, sectors, what, error, program;
};

struct watch_ring {
	int fds[EVENTS];
	int cpu;
	struct perf_event_mmap_page *page;
	const unsigned char *data;
};

/* What a CPU that may come is now. */
enum watch_cpu {
	CPU_OFF,
	CPU_WATCHED,
	CPU_LEFT, /* watched once, and went off: the kernel watches it no more       */
	CPU_LOST, /* it came, and could not be watched                               */
};

struct block_watch {
	struct str filter;
	enum watch_cpu *cpus; /* by number; room for all that may come */
	uint32_t cpus_count;
	char online[CPUS_TEXT]; /* CPUs, as the kernel's list was last seen */
	struct block_watch_late late;
	uint64_t lost_before; /* by rings that were closed */
	struct watch_event events[EVENTS];
	struct watch_ring *rings;
	struct pollfd *polls;
	uint32_t count;
	uint64_t ring_bytes;
	struct block_event *held;
	size_t held_count, held_room;
	uint64_t lost;   /* that the rings told of */
	bool tells_lost; /* the kernel can be asked for it (Linux 6.0) */
	bool no_memory;
	bool no_lock; /* rings of this size may not be locked in memory */
};

/* ---- what the kernel says of its events ---- */

static int event_learn(struct watch_event *e, int tracefs, const char *name, struct err *reterr)
{
	scope_mem char *format = malloc(TRACEPOINT_FORMAT);

	if (!format)
		return err_set(reterr, -ENOMEM, "out of memory");
	int rc = tracepoint_load(tracefs, name, format, TRACEPOINT_FORMAT, reterr);
	if (rc < 0)
		return rc;
	(void)tracepoint_find(format, "error", &e->error);
	(void)tracepoint_find(format, "comm", &e->program);
	if (!tracepoint_id(format, &e->id) ||
		!tracepoint_find(format, "common_type", &e->type) ||
		!tracepoint_find(format, "dev", &e->dev) ||
		!tracepoint_find(format, "sector", &e->sector) ||
		!tracepoint_find(format, "nr_sector", &e->sectors) ||
		!tracepoint_find(format, "rwbs", &e->what))
		return err_set(reterr, -ENOTSUP,
			"tracepoint %s: lacks a field that is needed: id, dev, sector, nr_sector, rwbs",
			name);
	return 0;
}

static int watch_learn(struct block_watch *w, struct err *reterr)
{
	scope_fd int tracefs = tracefs_open(reterr);
	int rc = tracefs < 0 ? tracefs : 0;

	for (size_t i = 0; i < EVENTS && rc == 0; i++)
		rc = event_learn(&w->events[i], tracefs, watch_events[i].name, reterr);
	return rc;
}

/* ---- rings ---- */

static int event_open(const struct block_watch *w, size_t which, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = w->events[which].id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_RAW,
		.disabled = 1,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)(w->ring_bytes / 4),
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.read_format = w->tells_lost ? PERF_FORMAT_LOST : 0,
	};

	long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

/* Of the first event opened: kernels before 6.0 don't know PERF_FORMAT_LOST. */
static int event_open_first(struct block_watch *w, size_t which, int cpu)
{
	w->tells_lost = true;
	int fd = event_open(w, which, cpu);
	if (fd != -EINVAL)
		return fd;
	w->tells_lost = false;
	return event_open(w, which, cpu);
}

static int open_fault(int rc, struct err *reterr)
{
	if (rc == -EACCES || rc == -EPERM)
		return err_set(reterr, -EPERM,
			"the kernel doesn't let this user watch all CPUs (perf_event_open): it needs "
			"root or CAP_PERFMON, and in a container one that may (seccomp)");
	if (rc == -EMFILE)
		return err_sys(reterr, rc,
			"perf_event_open: four descriptors a CPU are needed; raise ulimit -n");
	return err_sys(reterr, rc, "perf_event_open");
}

static int ring_map(struct block_watch *w, struct watch_ring *r, struct err *reterr)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *at = mmap(NULL, page + w->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		r->fds[0], 0);

	if (at == MAP_FAILED) {
		w->no_lock = errno == EPERM;
		return err_sys(reterr, -errno,
			"a ring of %llu KiB for events (locked memory is limited without "
			"CAP_IPC_LOCK: ulimit -l, kernel.perf_event_mlock_kb)",
			(unsigned long long)w->ring_bytes >> 10);
	}
	r->page = at;
	r->data = (const unsigned char *)at + page;
	return 0;
}

/* One CPU.  -ENODEV: it is off. */
static int ring_open(struct block_watch *w, struct watch_ring *r, int cpu, const char *filter,
	struct err *reterr)
{
	int rc = 0;

	r->cpu = cpu;
	for (size_t i = 0; i < EVENTS; i++)
		r->fds[i] = -1;
	for (size_t i = 0; i < EVENTS && rc == 0; i++) {
		r->fds[i] = w->count || i ? event_open(w, i, cpu) : event_open_first(w, i, cpu);
		if (r->fds[i] == -ENODEV)
			return -ENODEV;
		if (r->fds[i] < 0)
			return open_fault(r->fds[i], reterr);
		if (ioctl(r->fds[i], PERF_EVENT_IOC_SET_FILTER, filter) < 0)
			return err_sys(reterr, -errno, "the filter \"%s\" of %s", filter,
				watch_events[i].name);
		if (i == 0)
			rc = ring_map(w, r, reterr);
		else if (ioctl(r->fds[i], PERF_EVENT_IOC_SET_OUTPUT, r->fds[0]) < 0)
			rc = err_sys(reterr, -errno, "one ring for all events of a CPU");
	}
	return rc;
}

static int ring_enable(const struct watch_ring *r)
{
	for (size_t k = 0; k < EVENTS; k++)
		if (ioctl(r->fds[k], PERF_EVENT_IOC_ENABLE, 0) < 0)
			return -errno;
	return 0;
}

static void ring_close(const struct block_watch *w, struct watch_ring *r)
{
	if (r->page)
		munmap(r->page, (size_t)sysconf(_SC_PAGESIZE) + w->ring_bytes);
	for (size_t i = 0; i < EVENTS; i++)
		if (r->fds[i] >= 0)
			close(r->fds[i]);
	r->page = NULL;
}

static void rings_close(struct block_watch *w)
{
	for (uint32_t i = 0; i < w->count; i++)
		ring_close(w, &w->rings[i]);
	w->count = 0;
}

static int watch_rings(struct block_watch *w, uint32_t cpus, struct err *reterr)
{
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		struct watch_ring *r = &w->rings[w->count];
		int rc = ring_open(w, r, (int)cpu, str_text(&w->filter), reterr);
		if (rc < 0)
			ring_close(w, r);
		if (rc == -ENODEV)
			continue;
		if (rc < 0)
			return rc;
		w->cpus[cpu] = CPU_WATCHED;
		w->polls[w->count++] = (struct pollfd){.fd = r->fds[0], .events = POLLIN};
	}
	for (uint32_t i = 0; i < w->count; i++) {
		int rc = ring_enable(&w->rings[i]);
		if (rc < 0)
			return err_sys(reterr, rc, "perf_event_open");
	}
	return w->count ? 0 : err_set(reterr, -ENODEV, "no CPU can be watched");
}

/* One more than the last number that a CPU may have. */
static uint32_t cpus_possible(uint32_t configured)
{
	char text[CPUS_TEXT] = "";

	(void)sysroot_text(&sysroot_real, text, sizeof(text), CPUS "possible");
	const char *last = text + strlen(text);
	while (last > text && last[-1] >= '0' && last[-1] <= '9')
		last--;
	unsigned long number = strtoul(last, NULL, 10);
	return number < CPUS_MOST ? MAX_OF((uint32_t)number + 1, configured) : configured;
}

/* Did CPUs come or go since the last call? */
static bool online_changed(struct block_watch *w)
{
	char text[CPUS_TEXT] = "";

	if (sysroot_text(&sysroot_real, text, sizeof(text), CPUS "online") < 0)
		return true;
	bool changed = strcmp(text, w->online) != 0;
	memcpy(w->online, text, sizeof(text));
	return changed;
}

static int watch_start(struct block_watch *w, const struct block_watch_how *how,
	struct err *reterr)
{
	uint32_t cpus = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);
	uint32_t first = how->cpus_first ? how->cpus_first : UINT32_MAX;
	struct rlimit files;

	for (uint32_t i = 0; i < how->devices_count; i++)
		str_addf(&w->filter, "%sdev == %u", i ? " || " : "", how->devices[i]);
	w->ring_bytes = how->ring_bytes    ? how->ring_bytes
			: cpus > RING_MANY ? RING_SMALLER
					   : RING_BYTES;
	w->cpus_count = cpus_possible(cpus);
	w->cpus = calloc(w->cpus_count, sizeof(*w->cpus));
	w->rings = calloc(w->cpus_count, sizeof(*w->rings));
	w->polls = calloc(w->cpus_count, sizeof(*w->polls));
	if (!w->cpus || !w->rings || !w->polls || w->filter.failed)
		return err_set(reterr, -ENOMEM, "out of memory");
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &files);
	}
	/* Before the rings: who comes in between is seen as a change. */
	if (!how->cpus_first)
		(void)online_changed(w);
	int rc = watch_rings(w, MIN_OF(first, w->cpus_count), reterr);
	if (rc < 0 && w->no_lock && w->ring_bytes > RING_LEAST) {
		rings_close(w);
		w->ring_bytes = RING_LEAST;
		rc = watch_rings(w, MIN_OF(first, w->cpus_count), reterr);
	}
	return rc;
}

int block_watch_open(const struct block_watch_how *how, struct block_watch **ret,
	struct err *reterr)
{
	struct block_watch *w = calloc(1, sizeof(*w));
	int rc = w ? watch_learn(w, reterr) : err_set(reterr, -ENOMEM, "out of memory");

	if (rc == 0)
		rc = watch_start(w, how, reterr);
	if (rc < 0) {
		block_watch_close(w);
		return rc;
	}
	*ret = w;
	return 0;
}

void block_watch_close(struct block_watch *w)
{
	if (!w)
		return;
	rings_close(w);
	str_done(&w->filter);
	free(w->cpus);
	free(w->rings);
	free(w->polls);
	free(w->held);
	free(w);
}

/* ---- samples ---- */

/* A number in the machine's byte order. */
static uint64_t field_take(const unsigned char *raw, uint32_t size, struct tracepoint_field f)
{
	uint64_t v = 0;
	size_t at = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? sizeof(v) - f.bytes : 0;

	if (f.bytes && f.bytes <= sizeof(v) && (uint32_t)f.offset + f.bytes <= size)
		memcpy((unsigned char *)&v + at, raw + f.offset, f.bytes);
	return v;
}

static void text_take(const unsigned char *raw, uint32_t size, struct tracepoint_field f,
	char *to, size_t room)
{
	size_t len = MIN_OF((size_t)f.bytes, room - 1);

	if (f.offset + len <= size)
		memcpy(to, raw + f.offset, len);
}

static struct block_event *held_next(struct block_watch *w)
{
	if (w->held_count == w->held_room) {
		size_t room = w->held_room ? w->held_room * 2 : 4096;
		struct block_event *more = realloc(w->held, room * sizeof(*more));
		if (!more) {
			w->no_memory = true;
			return NULL;
		}
		w->held = more;
		w->held_room = room;
	}
	return &w->held[w->held_count++];
}

static void raw_take(struct block_watch *w, const struct block_event *head,
	const unsigned char *raw, uint32_t size)
{
	for (size_t i = 0; i < EVENTS; i++) {
		const struct watch_event *e = &w->events[i];
		if (field_take(raw, size, e->type) != e->id)
			continue;
		struct block_event *to = held_next(w);
		if (!to)
			return;
		*to = *head;
		to->kind = watch_events[i].kind;
		to->device = (uint32_t)field_take(raw, size, e->dev);
		to->sector = field_take(raw, size, e->sector);
		to->sectors = (uint32_t)field_take(raw, size, e->sectors);
		to->error = (int16_t)(int32_t)(uint32_t)field_take(raw, size, e->error);
		text_take(raw, size, e->what, to->what, sizeof(to->what));
		text_take(raw, size, e->program, to->program, sizeof(to->program));
		return;
	}
}

/* PERF_SAMPLE_TID, TIME, CPU, RAW in the order of perf_event_open(2). */
static void sample_take(struct block_watch *w, const unsigned char *at, size_t len)
{
	struct sample {
		uint32_t pid, tid;
		uint64_t time;
		uint32_t cpu, rest;
		uint32_t raw;
	} s;
	const size_t head = offsetof(struct sample, raw) + sizeof(s.raw);

	if (len < head)
		return;
	memcpy(&s, at, head);
	if (s.raw > len - head)
		return;
	raw_take(w,
		&(struct block_event){.time_ns = s.time, .pid = s.pid, .cpu = (uint16_t)s.cpu},
		at + head, s.raw);
}

static void record_take(struct block_watch *w, const struct perf_event_header *head,
	const unsigned char *body)
{
	size_t len = head->size - sizeof(*head);
	uint64_t lost[2];

	if (head->type == PERF_RECORD_SAMPLE)
		sample_take(w, body, len);
	if (head->type == PERF_RECORD_LOST && len >= sizeof(lost)) {
		memcpy(lost, body, sizeof(lost));
		w->lost += lost[1];
	}
}

/* LEN bytes of the ring from AT on, which may go around its end. */
static void ring_copy(const struct block_watch *w, const struct watch_ring *r, uint64_t at,
	void *to, size_t len)
{
	size_t from = (size_t)(at & (w->ring_bytes - 1));
	size_t first = MIN_OF(len, (size_t)w->ring_bytes - from);

	memcpy(to, r->data + from, first);
	memcpy((unsigned char *)to + first, r->data, len - first);
}

static void ring_read(struct block_watch *w, const struct watch_ring *r)
{
	uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = r->page->data_tail;
	unsigned char body[SAMPLE_MOST];
	struct perf_event_header h;

	while (head - tail >= sizeof(h)) {
		ring_copy(w, r, tail, &h, sizeof(h));
		if (h.size < sizeof(h) || h.size > head - tail)
			break;
		if (h.size - sizeof(h) <= sizeof(body)) {
			ring_copy(w, r, tail + sizeof(h), body, h.size - sizeof(h));
			record_take(w, &h, body);
		}
		tail += h.size;
	}
	__atomic_store_n(&r->page->data_tail, tail, __ATOMIC_RELEASE);
}

/* ---- in order ---- */

static int event_order(const void *left, const void *right)
{
	const struct block_event *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->kind < b->kind ? -1 : a->kind > b->kind;
}

int block_watch_read(struct block_watch *w, bool last,
	int (*take)(void *ctx, const struct block_event *e), void *ctx)
{
	uint64_t now = clock_kernel_ns();
	size_t done = 0;
	int rc = 0;

	for (uint32_t i = 0; i < w->count; i++)
		ring_read(w, &w->rings[i]);
	if (w->no_memory)
		return -ENOMEM;
	if (w->held_count)
		qsort(w->held, w->held_count, sizeof(*w->held), event_order);
	uint64_t until = last || w->held_count > HELD_MOST ? UINT64_MAX : now - SLACK_NS;
	while (done < w->held_count && w->held[done].time_ns < until && rc == 0)
		rc = take(ctx, &w->held[done++]);
	w->held_count -= done;
	if (done && w->held_count)
		memmove(w->held, w->held + done, w->held_count * sizeof(*w->held));
	return rc;
}

/* The ring of a CPU that went off is hung up for good: it isn't waited for any more, only read
 * in turn. */
void block_watch_wait(struct block_watch *w, uint64_t timeout_ns)
{
	struct timespec t = {
		.tv_sec = (time_t)(timeout_ns / NS_PER_S),
		.tv_nsec = (long)(timeout_ns % NS_PER_S),
	};

	if (ppoll(w->polls, w->count, &t, NULL) <= 0)
		return;
	for (uint32_t i = 0; i < w->count; i++)
		if (w->polls[i].revents & (POLLHUP | POLLERR | POLLNVAL)) {
			w->polls[i].fd = -1;
			w->cpus[w->rings[i].cpu] = CPU_LEFT;
		}
}

static uint64_t ring_lost(const struct watch_ring *r)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < EVENTS; k++) {
		uint64_t v[2] = {0}; /* value, lost */
		if (read(r->fds[k], v, sizeof(v)) == (ssize_t)sizeof(v))
			sum += v[1];
	}
	return sum;
}

/* ---- CPUs that come meanwhile ---- */

/* Where the ring of CPU is, or a new one goes. */
static uint32_t ring_place(const struct block_watch *w, uint32_t cpu)
{
	uint32_t i = 0;

	while (i < w->count && w->rings[i].cpu != (int)cpu)
		i++;
	return i;
}

static void cpu_came(struct block_watch *w, uint32_t cpu)
{
	uint32_t at = ring_place(w, cpu);
	struct watch_ring fresh = {0};
	struct err ignored;
	int rc = ring_open(w, &fresh, (int)cpu, str_text(&w->filter), &ignored);

	if (rc == 0)
		rc = ring_enable(&fresh);
	if (rc < 0) {
		ring_close(w, &fresh);
		if (rc == -ENODEV)
			return;
		w->cpus[cpu] = CPU_LOST;
		w->late.unwatched++;
		return;
	}
	if (at < w->count) { /* of its time before it went off */
		ring_read(w, &w->rings[at]);
		w->lost_before += w->tells_lost ? ring_lost(&w->rings[at]) : 0;
		ring_close(w, &w->rings[at]);
	}
	w->rings[at] = fresh;
	w->polls[at] = (struct pollfd){.fd = fresh.fds[0], .events = POLLIN};
	w->count = MAX_OF(w->count, at + 1);
	w->cpus[cpu] = CPU_WATCHED;
	w->late.came++;
}

void block_watch_cpus(struct block_watch *w)
{
	bool look = online_changed(w);

	for (uint32_t cpu = 0; cpu < w->cpus_count; cpu++)
		if (w->cpus[cpu] == CPU_LEFT || (look && w->cpus[cpu] == CPU_OFF))
			cpu_came(w, cpu);
}

struct block_watch_late block_watch_late(const struct block_watch *w)
{
	return w->late;
}

/* A ring tells of what it lost with the next event that it has room for: the last ones are
 * known to the kernel only. */
uint64_t block_watch_lost(const struct block_watch *w)
{
	uint64_t sum = w->lost_before;

	for (uint32_t i = 0; i < w->count && w->tells_lost; i++)
		sum += ring_lost(&w->rings[i]);
	return MAX_OF(sum, w->lost);
}
