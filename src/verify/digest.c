/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* An algorithm is looked up once a process (that takes 1 µs and locks); a context is made once a
 * thread, since one that is used again for the same algorithm allocates nothing. */
#include "verify/digest.h"

#include <string.h>

#include "config.h"

#if HAVE_LIBCRYPTO

#include <openssl/evp.h>
#include <pthread.h>

#include "base/bits.h"

static const struct {
	const char *name, *missing;
} algorithms[CHECKSUM_KINDS] = {
	[CHECKSUM_MD5] = {"MD5", "MD5 of libcrypto"},
	[CHECKSUM_SHA1] = {"SHA1", "SHA1 of libcrypto"},
	[CHECKSUM_SHA256] = {"SHA2-256", "SHA2 of libcrypto"},
	[CHECKSUM_SHA512] = {"SHA2-512", "SHA2 of libcrypto"},
	[CHECKSUM_SHA3_224] = {"SHA3-224", "SHA3 of libcrypto"},
	[CHECKSUM_SHA3_256] = {"SHA3-256", "SHA3 of libcrypto"},
	[CHECKSUM_SHA3_384] = {"SHA3-384", "SHA3 of libcrypto"},
	[CHECKSUM_SHA3_512] = {"SHA3-512", "SHA3 of libcrypto"},
};

/* Written once, by digest_look_up(). */
static struct {
	pthread_once_t once;
	pthread_key_t context;
	EVP_MD *algorithm[CHECKSUM_KINDS];
} digest = {.once = PTHREAD_ONCE_INIT};

static void digest_drop(void *context)
{
	EVP_MD_CTX_free(context);
}

static void digest_look_up(void)
{
	if (pthread_key_create(&digest.context, digest_drop) != 0)
		return;
	for (unsigned i = 0; i < CHECKSUM_KINDS; i++)
		if (algorithms[i].name)
			digest.algorithm[i] = EVP_MD_fetch(NULL, algorithms[i].name, NULL);
}

static EVP_MD_CTX *digest_context(void)
{
	EVP_MD_CTX *context = pthread_getspecific(digest.context);

	if (unlikely(!context)) {
		context = EVP_MD_CTX_new();
		pthread_setspecific(digest.context, context);
	}
	return context;
}

const char *digest_missing(enum checksum_kind kind)
{
	pthread_once(&digest.once, digest_look_up);
	return algorithms[kind].name && !digest.algorithm[kind] ? algorithms[kind].missing : NULL;
}

void digest_make(enum checksum_kind kind, const struct checksum_piece *piece, unsigned count,
	uint8_t *out)
{
	pthread_once(&digest.once, digest_look_up);
	EVP_MD_CTX *context = digest_context();
	bool done = context && EVP_DigestInit_ex2(context, digest.algorithm[kind], NULL) == 1;

	for (unsigned i = 0; i < count && done; i++)
		done = EVP_DigestUpdate(context, piece[i].data, piece[i].bytes) == 1;
	if (!done || EVP_DigestFinal_ex(context, out, NULL) != 1)
		memset(out, 0, checksum_bytes(kind));
}

#else

const char *digest_missing(enum checksum_kind kind)
{
	return kind >= CHECKSUM_MD5 ? "libcrypto" : NULL;
}

void digest_make(enum checksum_kind kind, const struct checksum_piece *piece, unsigned count,
	uint8_t *out)
{
	(void)piece;
	(void)count;
	memset(out, 0, checksum_bytes(kind));
}

#endif
