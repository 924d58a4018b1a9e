/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A key script that plays in the running program, in front of people: it stops where it says
 * "pause" until whoever presents goes on, and at every key that is not for it. */
#ifndef LP_UI_APP_DEMO_H
#define LP_UI_APP_DEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "app/script.h"

/* {0}: none. */
typedef struct LpDemo {
    LpScript script;
    char path[4096];
    bool on;           /* from the first line to the last */
    bool held;         /* at a pause, or by a key */
    bool busy;         /* does one of its lines at this moment */
    int64_t at;        /* ms, when it goes on */
    const char *until; /* it waits for this text, NULL: for the time only ... */
    int64_t patience;  /* ... no longer than until then */
} LpDemo;

#endif
