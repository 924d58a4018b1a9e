/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session at a decision, and what words come to there. */
#include "draft_bench.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "session/moment/moment.h"
#include "session/time.h"

LpSession *open_with(const char *scenario, const char *at, const char *const *set, uint32_t sets) {
    char path[128];
    LpSession *s = NULL;
    LpDiag diag = {0};
    LpAt moment;
    snprintf(path, sizeof path, "scenarios/%s.json", scenario);
    LpSessionSpec spec = {.scenario = path, .set = set, .sets = sets, .keep_timeline = true};
    LpErr err = lp_session_open(&spec, &s, &diag);
    if (err == LP_OK)
        err = lp_at_parse(at, &moment, &diag);
    if (err == LP_OK)
        err = lp_session_go(s, &moment, &diag);
    if (err != LP_OK)
        fail_msg("%s: %s", scenario, diag.text);
    return s;
}

LpSession *open_at(const char *scenario, const char *at) {
    return open_with(scenario, at, NULL, 0);
}

LpPrice price_of(LpSession *s, const char *words) {
    LpPrice price;
    LpDiag diag = {0};
    if (lp_draft_price(s, words, &price, &diag) != LP_OK)
        fail_msg("%s: %s", words, diag.text);
    return price;
}

bool near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}
