/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checked builds (LP_CHECKED: every MODE but release and coverage) keep LP_SLACK bytes between the
 * allocations of an arena, and let nobody believe that these, the rest of a block, or what was
 * given back by a reset are his: AddressSanitizer stops at the first byte read or written;
 * elsewhere they hold a byte that is neither zero nor text, so that a read beyond an end does not
 * look right. Private to base. */
#ifndef LP_BASE_SLACK_H
#define LP_BASE_SLACK_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define LP_SLACK_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LP_SLACK_ASAN 1
#endif
#endif

#if !defined(LP_CHECKED)

enum { LP_SLACK = 0 };
static inline void lp_slack_close(void *data, size_t size) {
    (void)data;
    (void)size;
}
static inline void lp_slack_open(void *data, size_t size) {
    (void)data;
    (void)size;
}

#elif defined(LP_SLACK_ASAN)

/* From the sanitizer's own header, which is no header of standard C. */
void __asan_poison_memory_region(void const volatile *data, size_t size);
void __asan_unpoison_memory_region(void const volatile *data, size_t size);

enum { LP_SLACK = 16 };
static inline void lp_slack_close(void *data, size_t size) {
    __asan_poison_memory_region(data, size);
}
static inline void lp_slack_open(void *data, size_t size) {
    __asan_unpoison_memory_region(data, size);
}

#else

#include <string.h>

enum { LP_SLACK = 16, LP_SLACK_BYTE = 0xA5 };
static inline void lp_slack_close(void *data, size_t size) {
    memset(data, LP_SLACK_BYTE, size);
}
static inline void lp_slack_open(void *data, size_t size) {
    (void)data;
    (void)size;
}

#endif

#endif
