/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of a run as lines, taken after every event. */
#include "ask/inspect/series.h"

#include <string.h>

#include "base/csv_out.h"
#include "base/mem.h"
#include "session/replay.h"
#include "sim/condition.h"

enum { PIECE = 1 << 16 };

struct LpSeries {
    LpSession *session;
    LpSink sink;
    void *user;
    LpBuf text; /* that the sink has not got yet */
    LpStamp seen;
    LpSample *last; /* of the jobs from `oldest` on; older ones have ended */
    size_t lasts, cap;
    uint32_t oldest;
    const LpWorld *world; /* while it is looked at */
    const LpContext *context;
};

static LpErr give(LpSeries *s, LpDiag *diag) {
    LP_TRY(lp_buf_ok(&s->text, diag));
    LpErr err = s->sink(s->user, lp_buf_text(&s->text), s->text.len, diag);
    lp_buf_clear(&s->text);
    return err;
}

/* Makes room for what a job does: those that have ended long ago give way. */
static LpErr make_room(LpSeries *s, uint32_t job, LpDiag *diag) {
    uint32_t oldest = lp_world_oldest(s->world);
    size_t gone = oldest - s->oldest < s->lasts ? oldest - s->oldest : s->lasts;
    void *items = s->last;
    s->lasts -= gone;
    if (gone > 0)
        memmove(s->last, s->last + gone, s->lasts * sizeof *s->last);
    s->oldest = oldest;
    size_t need = (size_t)(job - oldest) + 1;
    if (need > s->cap)
        LP_TRY(lp_context_allow(s->context, "the curves of a run",
                                2.0 * (double)(need * sizeof *s->last), diag));
    if (lp_grow(&items, &s->cap, need, sizeof *s->last) != LP_OK)
        return lp_fail_memory(diag, "the curves of a run");
    s->last = items;
    while (s->lasts < need)
        s->last[s->lasts++] = (LpSample){0};
    return LP_OK;
}

static LpErr take(void *user, const LpSample *sample, LpDiag *diag) {
    LpSeries *s = user;
    if (sample->job < s->oldest) /* it ended, and that was told then */
        return LP_OK;
    if (sample->job - s->oldest >= s->lasts)
        LP_TRY(make_room(s, sample->job, diag));
    LpSample *last = &s->last[sample->job - s->oldest];
    if (lp_sample_same(sample, last))
        return LP_OK;
    *last = *sample;
    LpCsvOut csv = {.out = &s->text};
    lp_csv_put_number(&csv, lp_scenario_time(s->context->scenario, sample->time));
    lp_csv_put_count(&csv, sample->job);
    lp_csv_put_words(&csv, sample->dark ? "dark" : "lit");
    lp_csv_put_number(&csv, sample->throughput);
    lp_csv_put_number(&csv, sample->compute);
    lp_csv_put_number(&csv, sample->resident);
    lp_csv_end(&csv);
    return s->text.len >= PIECE ? give(s, diag) : LP_OK;
}

static LpErr look(void *user, const LpContext *context, const LpWorld *world,
                  const LpEvent *event LP_UNUSED, LpDiag *diag) {
    LpSeries *s = user;
    s->context = context;
    s->world = world;
    return lp_samples_changed(&s->seen, world, context, take, s, diag);
}

LpErr lp_series_open(LpSession *session, LpSink sink, void *user, LpSeries **out, LpDiag *diag) {
    LpSeries *s = lp_alloc(1, sizeof *s);
    if (s == NULL)
        return lp_fail_memory(diag, "the curves of a run");
    *s = (LpSeries){.session = session, .sink = sink, .user = user};
    lp_buf_add(&s->text, "time,job,light,throughput,compute_busy,kernel_resident\n");
    lp_session_listen(session, look, s);
    *out = s;
    return LP_OK;
}

LpErr lp_series_end(LpSeries *s, LpDiag *diag) {
    LP_TRY(look(s, lp_session_context(s->session), lp_session_world(s->session), NULL, diag));
    return give(s, diag);
}

void lp_series_close(LpSeries *s) {
    if (s == NULL)
        return;
    lp_session_listen(s->session, NULL, NULL);
    lp_buf_fini(&s->text);
    lp_free(s->last);
    lp_free(s);
}
