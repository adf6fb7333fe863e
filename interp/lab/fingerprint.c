/* SHA-256 by libmd. See lab.h. */
#include "lab.h"

#include <sys/types.h>

#include <sha2.h>

static void finish(SHA2_CTX *hash, char text[FZI_FINGERPRINT_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t sum[SHA256_DIGEST_LENGTH];

    SHA256Final(sum, hash);
    for (int i = 0; i < SHA256_DIGEST_LENGTH; i++) {
        text[2 * i] = digits[sum[i] >> 4];
        text[2 * i + 1] = digits[sum[i] & 15];
    }
    text[2 * SHA256_DIGEST_LENGTH] = '\0';
}

void fzi_fingerprint(const char *bytes, size_t length, char text[FZI_FINGERPRINT_SIZE])
{
    SHA2_CTX hash;

    SHA256Init(&hash);
    SHA256Update(&hash, (const uint8_t *)bytes, length);
    finish(&hash, text);
}

void fzi_fingerprint_program(const fz_program *program, char text[FZI_FINGERPRINT_SIZE])
{
    const char *path, *source;
    size_t length;
    SHA2_CTX hash;

    SHA256Init(&hash);
    for (unsigned i = 0; fz_program_source(program, i, &path, &source, &length); i++) {
        uint8_t size[8];
        for (unsigned k = 0; k < 8; k++)
            size[k] = (uint8_t)((uint64_t)length >> 8 * k);
        SHA256Update(&hash, size, sizeof size);
        SHA256Update(&hash, (const uint8_t *)source, length);
    }
    finish(&hash, text);
}
