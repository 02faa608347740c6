/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Engines that fio has and weir doesn't have yet, with their options: a better
 * answer than "unknown".  Who writes one takes its lines from here. */
#include "engine/later.h"

#include <stddef.h>
#include <string.h>

#include "base/bits.h"
#include "base/str.h"
#include "opt/opt.h"

/* clang-format off */
#define LATER_GROUP(ident, engine_name, rows_of)                                               \
	const struct opt_group later_##ident##_group = {                                       \
		.name = (engine_name), .engine = (engine_name), .rows = (rows_of),             \
		.count = COUNT_OF(rows_of), .size = sizeof(const char *)};
#define NEEDS(engine) OPT_REFUSED("needs the engine " engine ", which weir doesn't have yet")

static const struct opt later_cpuio_rows[] = {
	{.name = "cpuload", NEEDS("cpuio"), .help = "Percent of a CPU to burn"},
	{.name = "cpuchunks", NEEDS("cpuio"), .help = "Length of a burst"},
	{.name = "cpumode", NEEDS("cpuio"), .help = "How it is burnt"},
	{.name = "exit_on_io_done", NEEDS("cpuio"), .help = "End with the last job that does I/O"},
};
LATER_GROUP(cpuio, "cpuio", later_cpuio_rows)

static const struct opt later_net_rows[] = {
	{.name = "hostname", NEEDS("net or netsplice"), .help = "The other side, or the group to join"},
	{.name = "port", NEEDS("net or netsplice"), .help = "Port, plus the clone's number"},
	{.name = "protocol", .alias = {"proto"}, NEEDS("net or netsplice"), .help = "tcp, udp, unix or vsock"},
	{.name = "nodelay", NEEDS("net or netsplice"), .help = "TCP_NODELAY"},
	{.name = "listen", NEEDS("net or netsplice"), .help = "Wait for a connection"},
	{.name = "pingpong", NEEDS("net or netsplice"), .help = "Send each block back"},
	{.name = "interface", NEEDS("net or netsplice"), .help = "Interface of multicast"},
	{.name = "ttl", NEEDS("net or netsplice"), .help = "Time to live of multicast"},
	{.name = "window_size", NEEDS("net or netsplice"), .help = "TCP window"},
	{.name = "mss", NEEDS("net or netsplice"), .help = "TCP segment size"},
};
LATER_GROUP(net, "net", later_net_rows)
LATER_GROUP(netsplice, "netsplice", later_net_rows)

static const struct opt later_exec_rows[] = {
	{.name = "program", NEEDS("exec"), .help = "What to run"},
	{.name = "arguments", NEEDS("exec"), .help = "Its arguments"},
	{.name = "grace_time", NEEDS("exec"), .help = "Time between SIGTERM and SIGKILL"},
	{.name = "std_redirect", NEEDS("exec"), .help = "Its streams go to files"},
};
LATER_GROUP(exec, "exec", later_exec_rows)

static const struct opt later_stat_rows[] = {
	{.name = "stat_type", NEEDS("filestat or dirstat"), .help = "The call that is used"},
};
LATER_GROUP(filestat, "filestat", later_stat_rows)
LATER_GROUP(dirstat, "dirstat", later_stat_rows)

static const struct opt later_e4defrag_rows[] = {
	{.name = "donorname", NEEDS("e4defrag"), .help = "The donor file"},
	{.name = "inplace", NEEDS("e4defrag"), .help = "How the donor gets its blocks"},
};
LATER_GROUP(e4defrag, "e4defrag", later_e4defrag_rows)

static const struct opt later_mtd_rows[] = {
	{.name = "skip_bad", NEEDS("mtd"), .help = "Skip bad blocks"},
};
LATER_GROUP(mtd, "mtd", later_mtd_rows)

static const struct opt later_sg_rows[] = {
	{.name = "hipri", NEEDS("sg"), .help = "Ask for polled completion"},
	{.name = "readfua", NEEDS("sg"), .help = "FUA of reads"},
	{.name = "writefua", NEEDS("sg"), .help = "FUA of writes"},
	{.name = "sg_write_mode", NEEDS("sg"), .help = "SCSI command of writes"},
	{.name = "stream_id", NEEDS("sg"), .help = "Stream of writes"},
};
LATER_GROUP(sg, "sg", later_sg_rows)

static const struct opt later_io_uring_cmd_rows[] = {
	{.name = "cmd_type", NEEDS("io_uring_cmd"), .help = "NVMe or SCSI passthrough"},
	{.name = "write_mode", NEEDS("io_uring_cmd"), .help = "Command of writes"},
	{.name = "verify_mode", NEEDS("io_uring_cmd"), .help = "Command that verifies"},
	{.name = "readfua", NEEDS("io_uring_cmd"), .help = "FUA of reads"},
	{.name = "writefua", NEEDS("io_uring_cmd"), .help = "FUA of writes"},
	{.name = "deac", NEEDS("io_uring_cmd"), .help = "Deallocate on write zeroes"},
	{.name = "cdb_len", NEEDS("io_uring_cmd"), .help = "Length of a SCSI command"},
	{.name = "verify_bytchk", NEEDS("io_uring_cmd"), .help = "BYTCHK of SCSI verify"},
	{.name = "read_mode", NEEDS("io_uring_cmd"), .help = "SCSI command of reads"},
	{.name = "hipri", NEEDS("io_uring_cmd"), .help = "Poll for completions"},
	{.name = "nowait", NEEDS("io_uring_cmd"), .help = "Never wait"},
	{.name = "uncached", NEEDS("io_uring_cmd"), .help = "Leave nothing in the page cache"},
	{.name = "fixedbufs", NEEDS("io_uring_cmd"), .help = "Register the buffers"},
	{.name = "registerfiles", NEEDS("io_uring_cmd"), .help = "Register the files"},
	{.name = "sqthread_poll", NEEDS("io_uring_cmd"), .help = "Let a kernel thread submit"},
	{.name = "sqthread_poll_cpu", NEEDS("io_uring_cmd"), .help = "Its CPU"},
	{.name = "nonvectored", NEEDS("io_uring_cmd"), .help = "Plain commands"},
	{.name = "force_async", NEEDS("io_uring_cmd"), .help = "Let a kernel worker do it"},
	{.name = "cmdprio_percentage", NEEDS("io_uring_cmd"), .help = "Share of requests with a priority"},
	{.name = "cmdprio_class", NEEDS("io_uring_cmd"), .help = "Its class"},
	{.name = "cmdprio", NEEDS("io_uring_cmd"), .help = "Its level"},
	{.name = "cmdprio_hint", NEEDS("io_uring_cmd"), .help = "Its hint"},
	{.name = "cmdprio_bssplit", NEEDS("io_uring_cmd"), .help = "Priorities by size"},
	{.name = "md_per_io_size", NEEDS("io_uring_cmd"), .help = "Metadata of a request"},
	{.name = "pi_act", NEEDS("io_uring_cmd"), .help = "Who makes protection information"},
	{.name = "pi_chk", NEEDS("io_uring_cmd"), .help = "What of it is checked"},
	{.name = "apptag", NEEDS("io_uring_cmd"), .help = "Application tag"},
	{.name = "apptag_mask", NEEDS("io_uring_cmd"), .help = "Its mask"},
};
LATER_GROUP(io_uring_cmd, "io_uring_cmd", later_io_uring_cmd_rows)

static const struct opt later_nbd_rows[] = {
	{.name = "uri", NEEDS("nbd"), .help = "URI of the export"},
};
LATER_GROUP(nbd, "nbd", later_nbd_rows)

static const struct opt later_ceph_rows[] = {
	{.name = "clustername", NEEDS("rbd or rados"), .help = "Ceph cluster"},
	{.name = "rbdname", NEEDS("rbd or rados"), .help = "Image"},
	{.name = "pool", NEEDS("rbd or rados"), .help = "Pool"},
	{.name = "clientname", NEEDS("rbd or rados"), .help = "Client name"},
	{.name = "busy_poll", NEEDS("rbd or rados"), .help = "Poll for completions"},
	{.name = "conf", NEEDS("rbd or rados"), .help = "Configuration file"},
	{.name = "touch_objects", NEEDS("rbd or rados"), .help = "Create the objects first"},
	{.name = "rbd_encryption_format", NEEDS("rbd or rados"), .help = "Encryption of the image"},
	{.name = "rbd_encryption_passphrase", NEEDS("rbd or rados"), .help = "Its passphrase"},
};
LATER_GROUP(rbd, "rbd", later_ceph_rows)
LATER_GROUP(rados, "rados", later_ceph_rows)

static const struct opt later_http_rows[] = {
	{.name = "https", NEEDS("http"), .help = "TLS"},
	{.name = "http_host", NEEDS("http"), .help = "Host"},
	{.name = "http_user", NEEDS("http"), .help = "User"},
	{.name = "http_pass", NEEDS("http"), .help = "Password"},
	{.name = "http_mode", NEEDS("http"), .help = "webdav, s3 or swift"},
	{.name = "http_s3_region", NEEDS("http"), .help = "Region"},
	{.name = "http_s3_key", NEEDS("http"), .help = "Secret key"},
	{.name = "http_s3_keyid", NEEDS("http"), .help = "Key"},
	{.name = "http_s3_security_token", NEEDS("http"), .help = "Token"},
	{.name = "http_s3_sse_customer_key", NEEDS("http"), .help = "Key of the data"},
	{.name = "http_s3_sse_customer_algorithm", NEEDS("http"), .help = "Its algorithm"},
	{.name = "http_s3_storage_class", NEEDS("http"), .help = "Storage class"},
	{.name = "http_swift_auth_token", NEEDS("http"), .help = "Token"},
	{.name = "http_verbose", NEEDS("http"), .help = "Say more"},
	{.name = "http_object_mode", NEEDS("http"), .help = "Blocks or ranges"},
};
LATER_GROUP(http, "http", later_http_rows)

static const struct opt later_libhdfs_rows[] = {
	{.name = "namenode", NEEDS("libhdfs"), .help = "Name node"},
	{.name = "hostname", NEEDS("libhdfs"), .help = "The same"},
	{.name = "port", NEEDS("libhdfs"), .help = "Its port"},
	{.name = "hdfsdirectory", NEEDS("libhdfs"), .help = "Directory"},
	{.name = "chunk_size", .alias = {"chunck_size"}, NEEDS("libhdfs"), .help = "Size of a file"},
	{.name = "single_instance", NEEDS("libhdfs"), .help = "One connection for all"},
	{.name = "hdfs_use_direct", NEEDS("libhdfs"), .help = "Read without copies"},
};
LATER_GROUP(libhdfs, "libhdfs", later_libhdfs_rows)

static const struct opt later_dfs_rows[] = {
	{.name = "pool", NEEDS("dfs"), .help = "Pool"},
	{.name = "cont", NEEDS("dfs"), .help = "Container"},
	{.name = "chunk_size", NEEDS("dfs"), .help = "Chunk size"},
	{.name = "object_class", NEEDS("dfs"), .help = "Object class"},
	{.name = "svcl", NEEDS("dfs"), .help = "Service ranks"},
};
LATER_GROUP(dfs, "dfs", later_dfs_rows)

static const struct opt later_gfapi_rows[] = {
	{.name = "volume", NEEDS("gfapi or gfapi_async"), .help = "Volume"},
	{.name = "brick", NEEDS("gfapi or gfapi_async"), .help = "Server"},
	{.name = "single-instance", NEEDS("gfapi or gfapi_async"), .help = "One connection for all"},
};
LATER_GROUP(gfapi, "gfapi", later_gfapi_rows)
LATER_GROUP(gfapi_async, "gfapi_async", later_gfapi_rows)

static const struct opt later_nfs_rows[] = {
	{.name = "nfs_url", NEEDS("nfs"), .help = "URL of the export"},
};
LATER_GROUP(nfs, "nfs", later_nfs_rows)

static const struct opt later_libiscsi_rows[] = {
	{.name = "initiator", NEEDS("libiscsi"), .help = "Name of the initiator"},
};
LATER_GROUP(libiscsi, "libiscsi", later_libiscsi_rows)

static const struct opt later_rdma_rows[] = {
	{.name = "hostname", NEEDS("rdma"), .help = "The other side"},
	{.name = "bindname", NEEDS("rdma"), .help = "Local address"},
	{.name = "port", NEEDS("rdma"), .help = "Port"},
	{.name = "verb", .alias = {"proto"}, NEEDS("rdma"), .help = "RDMA verb"},
};
LATER_GROUP(rdma, "rdma", later_rdma_rows)

static const struct opt later_libcufile_rows[] = {
	{.name = "gpu_dev_ids", NEEDS("libcufile"), .help = "GPUs"},
	{.name = "cuda_io", NEEDS("libcufile"), .help = "Kind of I/O"},
};
LATER_GROUP(libcufile, "libcufile", later_libcufile_rows)

static const struct opt later_libhipfile_rows[] = {
	{.name = "gpu_dev_ids", NEEDS("libhipfile"), .help = "GPUs"},
	{.name = "rocm_io", NEEDS("libhipfile"), .help = "Kind of I/O"},
};
LATER_GROUP(libhipfile, "libhipfile", later_libhipfile_rows)

static const struct opt later_xnvme_rows[] = {
	{.name = "xnvme_be", NEEDS("xnvme"), .help = "Back end"},
	{.name = "xnvme_async", NEEDS("xnvme"), .help = "Its asynchronous interface"},
	{.name = "xnvme_sync", NEEDS("xnvme"), .help = "Its synchronous interface"},
	{.name = "xnvme_admin", NEEDS("xnvme"), .help = "Its admin interface"},
	{.name = "xnvme_mem", NEEDS("xnvme"), .help = "Its memory"},
	{.name = "xnvme_dev_nsid", NEEDS("xnvme"), .help = "Namespace"},
	{.name = "xnvme_dev_subnqn", NEEDS("xnvme"), .help = "Subsystem"},
	{.name = "xnvme_iovec", NEEDS("xnvme"), .help = "Vectored commands"},
	{.name = "hipri", NEEDS("xnvme"), .help = "Poll for completions"},
	{.name = "sqthread_poll", NEEDS("xnvme"), .help = "Let a kernel thread submit"},
	{.name = "md_per_io_size", NEEDS("xnvme"), .help = "Metadata of a request"},
	{.name = "pi_act", NEEDS("xnvme"), .help = "Who makes protection information"},
	{.name = "pi_chk", NEEDS("xnvme"), .help = "What of it is checked"},
	{.name = "apptag", NEEDS("xnvme"), .help = "Application tag"},
	{.name = "apptag_mask", NEEDS("xnvme"), .help = "Its mask"},
};
LATER_GROUP(xnvme, "xnvme", later_xnvme_rows)

static const struct opt later_libblkio_rows[] = {
	{.name = "libblkio_driver", NEEDS("libblkio"), .help = "Driver"},
	{.name = "libblkio_path", NEEDS("libblkio"), .help = "Path"},
	{.name = "libblkio_pre_connect_props", NEEDS("libblkio"), .help = "Properties before it connects"},
	{.name = "libblkio_pre_start_props", NEEDS("libblkio"), .help = "Properties before it starts"},
	{.name = "libblkio_num_entries", NEEDS("libblkio"), .help = "Entries of the queue"},
	{.name = "libblkio_queue_size", NEEDS("libblkio"), .help = "Size of the queue"},
	{.name = "libblkio_vectored", NEEDS("libblkio"), .help = "Vectored requests"},
	{.name = "libblkio_write_zeroes_on_trim", NEEDS("libblkio"), .help = "What a trim does"},
	{.name = "libblkio_wait_mode", NEEDS("libblkio"), .help = "How to wait"},
	{.name = "libblkio_force_enable_completion_eventfd", NEEDS("libblkio"), .help = "Always use an eventfd"},
	{.name = "hipri", NEEDS("libblkio"), .help = "Poll queues"},
};
LATER_GROUP(libblkio, "libblkio", later_libblkio_rows)

static const struct opt later_windowsaio_rows[] = {
	{.name = "no_completion_thread", NEEDS("windowsaio"), .help = "Reap in the worker"},
};
LATER_GROUP(windowsaio, "windowsaio", later_windowsaio_rows)

static const struct opt later_skeleton_external_rows[] = {
	{.name = "dummy", NEEDS("skeleton_external"), .help = "Does nothing"},
};
LATER_GROUP(skeleton_external, "skeleton_external", later_skeleton_external_rows)

static const struct engine_later engines_later[] = {
	{"cpuio", "burns CPU", &later_cpuio_group},
	{"dev-dax", "device DAX, by libpmem", NULL},
	{"dfs", "DAOS, by libdfs", &later_dfs_group},
	{"dircreate", "makes directories", NULL},
	{"dirdelete", "removes directories", NULL},
	{"dirstat", "looks at directories", &later_dirstat_group},
	{"e4defrag", "swaps blocks with ext4's defragmenting call", &later_e4defrag_group},
	{"exec", "runs a program", &later_exec_group},
	{"external", "loads an engine from a file", NULL},
	{"falloc", "fallocate() instead of I/O", NULL},
	{"filecreate", "makes files", NULL},
	{"filedelete", "removes files", NULL},
	{"filestat", "looks at files", &later_filestat_group},
	{"ftruncate", "ftruncate() instead of I/O", NULL},
	{"gfapi", "GlusterFS, by libgfapi", &later_gfapi_group},
	{"gfapi_async", "GlusterFS, by libgfapi", &later_gfapi_async_group},
	{"http", "WebDAV, S3 or Swift, by libcurl", &later_http_group},
	{"ime_aio", "DDN IME", NULL},
	{"ime_psync", "DDN IME", NULL},
	{"ime_psyncv", "DDN IME", NULL},
	{"io_uring_cmd", "NVMe commands through io_uring", &later_io_uring_cmd_group},
	{"libblkio", "the drivers of libblkio", &later_libblkio_group},
	{"libcufile", "GPU direct storage, by CUDA", &later_libcufile_group},
	{"libhdfs", "Hadoop, by libhdfs", &later_libhdfs_group},
	{"libhipfile", "GPU direct storage, by ROCm", &later_libhipfile_group},
	{"libiscsi", "iSCSI, by libiscsi", &later_libiscsi_group},
	{"libpmem", "persistent memory, by libpmem", NULL},
	{"libzbc", "zoned devices, by libzbc", NULL},
	{"mtd", "raw flash", &later_mtd_group},
	{"nbd", "network block devices, by libnbd", &later_nbd_group},
	{"net", "sockets", &later_net_group},
	{"netsplice", "sockets, by splice()", &later_netsplice_group},
	{"nfs", "NFS, by libnfs", &later_nfs_group},
	{"page_fault", "faults of anonymous memory", NULL},
	{"pmemblk", "persistent memory, by libpmemblk", NULL},
	{"rados", "Ceph objects, by librados", &later_rados_group},
	{"rbd", "Ceph block devices, by librbd", &later_rbd_group},
	{"rdma", "RDMA verbs", &later_rdma_group},
	{"sg", "SCSI commands", &later_sg_group},
	{"skeleton_external", "fio's example of an engine", &later_skeleton_external_group},
	{"solarisaio", "Solaris only", NULL},
	{"splice", "splice() through a pipe", NULL},
	{"windowsaio", "Windows only", &later_windowsaio_group},
	{"xnvme", "NVMe, by libxnvme", &later_xnvme_group},
};
/* clang-format on */

const struct engine_later *engine_later_find(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(engines_later); i++)
		if (strcmp(engines_later[i].name, name) == 0)
			return &engines_later[i];
	return NULL;
}

void engine_owners(const char *option, struct str *out, bool *ret_have)
{
	size_t before = out->len;
	*ret_have = true;
	for (unsigned later = 0; later < 2 && out->len == before; later++) {
		for (size_t g = 0; g < opt_groups_count; g++) {
			const char *engine = opt_groups[g]->engine;
			struct opt_found found;
			if (!engine || (engine_later_find(engine) != NULL) != (later != 0))
				continue;
			if (opt_find(option, engine, &found) && found.group == g)
				str_addf(out, "%s%s", out->len > before ? " or " : "", engine);
		}
		*ret_have = !later;
	}
}
