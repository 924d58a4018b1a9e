/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carrying out a recorded step, and comparing what a policy decides now with its records. */
#include "session/verify.h"

#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "base/str.h"
#include "session/session_impl.h"

enum { NUMBERS_SHOWN = 8 };

/* ---- in words ---- */

static void describe_record(const LpRecord *r, LpBuf *out) {
    lp_buf_addf(out, "%s%s", out->len > 0 ? ", " : "", lp_record_name(r->kind));
    uint32_t count = r->kind == LP_RECORD_PARTITION ? 1 : r->count;
    for (uint32_t i = 0; i < count && i < r->count && i < NUMBERS_SHOWN; i++) {
        double value = r->payload[i];
        char text[LP_NUM_TEXT];
        lp_buf_addf(out, " %s", lp_num_print(value, text));
    }
    if (count > NUMBERS_SHOWN)
        lp_buf_add(out, " ...");
}

/* The policy's data, stream and keys only where nothing else is there. */
static LpErr describe(const LpLog *log, size_t first, size_t end, char out[LP_LOAD_WORDS],
                      LpDiag *diag) {
    LpBuf text = {0};
    for (size_t i = first; i < end; i++) {
        const LpRecord *r = lp_log_at(log, i);
        if (r->kind != LP_RECORD_MEMORY && r->kind != LP_RECORD_RANDOM && r->kind != LP_RECORD_RANK)
            describe_record(r, &text);
    }
    for (size_t i = first; text.len == 0 && i < end; i++)
        describe_record(lp_log_at(log, i), &text);
    LpErr err = lp_buf_ok(&text, diag);
    lp_str_copy(out, LP_LOAD_WORDS, text.len > 0 ? lp_buf_text(&text) : "nothing was decided");
    lp_buf_fini(&text);
    return err;
}

/* ---- comparing ---- */

/* Reasons are words: they are no part of what was decided. */
static bool same_record(const LpRecord *a, const LpRecord *b) {
    if (a->kind != b->kind || a->subject != b->subject || a->event != b->event ||
        a->count != b->count ||
        lp_hash_f64(LP_HASH_INIT, a->time) != lp_hash_f64(LP_HASH_INIT, b->time))
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (lp_hash_f64(LP_HASH_INIT, a->payload[i]) != lp_hash_f64(LP_HASH_INIT, b->payload[i]))
            return false;
    return true;
}

static LpErr differ(LpDifference *d, const char *recorded, const char *now, LpDiag *diag) {
    if (recorded != NULL)
        lp_str_copy(d->recorded, sizeof d->recorded, recorded);
    if (now != NULL)
        lp_str_copy(d->now, sizeof d->now, now);
    return lp_fail(diag, LP_EREFUSED, "decision %llu differs from its record",
                   (unsigned long long)d->decision);
}

static LpErr compare_records(const LpSession *s, const LpLog *log, const LpStepRecords *records,
                             size_t first, LpDifference *d, LpDiag *diag) {
    size_t end = lp_log_count(s->log), count = records->end - records->first;
    bool same = end - first == count;
    for (size_t i = 0; same && i < count; i++)
        same = same_record(lp_log_at(log, records->first + i), lp_log_at(s->log, first + i));
    if (same)
        return LP_OK;
    LP_TRY(describe(log, records->first, records->end, d->recorded, diag));
    LP_TRY(describe(s->log, first, end, d->now, diag));
    if (strcmp(d->recorded, d->now) == 0)
        lp_str_copy(d->now, sizeof d->now, "the same words, but other numbers");
    return differ(d, NULL, NULL, diag);
}

static LpErr compare_state(LpSession *s, const LpReplayed *step, LpDifference *d, LpDiag *diag) {
    char was[64], is[64], hex[LP_HASH_HEX];
    const LpTally *tally = lp_world_tally(s->world);
    bool same =
        tally->events == step->records.events && lp_world_over(s->world) == step->records.over;
    if (!same)
        return differ(d, "another event", "the run went on differently", diag);
    if (step->hash == NULL)
        return LP_OK;
    uint64_t hash = lp_world_hash(s->world);
    LpBranch *b = lp_timeline_branch(s->timeline, s->timeline->current);
    b->mark[b->marks - 1].hash = hash;
    if (hash == *step->hash)
        return LP_OK;
    lp_str_copy(was, sizeof was, "state #");
    strcat(was, lp_hash_hex(*step->hash, hex));
    lp_str_copy(is, sizeof is, "state #");
    strcat(is, lp_hash_hex(hash, hex));
    return differ(d, was, is, diag);
}

/* ---- playing ---- */

bool lp_play_ran_out(LpErr err) {
    return err == LP_ENOMEM || err == LP_EMEMLIMIT;
}

static LpErr replay(LpSession *s, const LpLog *log, const LpReplayed *step, LpDifference *d,
                    LpDiag *diag) {
    LpDiag why = {0};
    s->acting.count = step->acted;
    s->acting.at = step->acted > 0 ? step->time : -1;
    if (step->hand)
        lp_session_by_hand(s);
    LpErr err = lp_session_replay_step(s, log, &step->records, &why);
    if (err == LP_EREFUSED || err == LP_EINVAL || err == LP_ERANGE) {
        LP_TRY(describe(log, step->records.first, step->records.end, d->recorded, diag));
        return differ(d, NULL, why.text, diag);
    }
    if (err != LP_OK && diag != NULL)
        *diag = why;
    return err;
}

static LpErr decide_again(LpSession *s, const LpLog *log, const LpReplayed *step, LpDifference *d,
                          LpDiag *diag) {
    LpEvent event;
    LpDiag why = {0};
    size_t first = lp_log_count(s->log);
    LpErr err = lp_session_step(s, &event, &why);
    if (lp_play_ran_out(err)) {
        if (diag != NULL)
            *diag = why;
        return err;
    }
    if (err != LP_OK) {
        LP_TRY(describe(log, step->records.first, step->records.end, d->recorded, diag));
        return differ(d, NULL, why.text, diag);
    }
    return compare_records(s, log, &step->records, first, d, diag);
}

LpErr lp_play_step(LpSession *s, const LpLog *log, const LpReplayed *step, bool verify,
                   LpDifference *d, LpDiag *diag) {
    bool again = verify && !step->hand;
    *d = (LpDifference){.decision = lp_world_tally(s->world)->decisions,
                        .step = s->timeline->step + 1,
                        .time = lp_world_now(s->world),
                        .job = lp_world_due(s->world)};
    LP_TRY(again ? decide_again(s, log, step, d, diag) : replay(s, log, step, d, diag));
    return compare_state(s, step, d, diag);
}
