/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pane shows, as text or as a table: to a new file, or to the terminal's clipboard. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/impl.h"
#include "app/view.h"
#include "base/num.h"
#include "run/host/write_file.h"
#include "run/report/report.h"

/* --- as text --- */

/* The cells of a part of the screen, without the box around it. */
static void add_cells(const LpCanvas *canvas, LpRect r, LpBuf *out) {
    if (r.h >= 3)
        r = (LpRect){r.x + 1, r.y + 1, r.w - 2, r.h - 2};
    for (int y = r.y; y < r.y + r.h; y++) {
        size_t used = out->len; /* without the blanks at the end */
        for (int x = r.x; x < r.x + r.w; x++) {
            const LpCell *cell = lp_canvas_at(canvas, x, y);
            char bytes[5];
            if (!cell)
                continue;
            lp_buf_add_bytes(out, bytes, lp_utf8_encode(cell->cp, bytes));
            used = cell->cp == ' ' ? used : out->len;
        }
        if (!out->failed && out->len > used)
            out->text[out->len = used] = '\0';
        lp_buf_add(out, "\n");
    }
}

/* pane LP_PANE_COUNT: what lies over the screen, else what is shown alone, else all. */
static LpErr pane_text(LpApp *app, LpPane pane, LpBuf *out, LpDiag *diag) {
    LpRect all = {0, 0, app->canvas.cols, app->canvas.rows};
    char shown[32];
    LP_TRY(lp_app_draw(app, diag));
    LpLayout layout = lp_view_layout(&app->model, &app->canvas);
    LpRect r = pane == LP_PANE_COUNT ? all : layout.pane[pane];
    if (pane == LP_PANE_COUNT && app->ui.page) {
        lp_str_escape_lines(out, app->ui.page, strlen(app->ui.page));
        lp_buf_add(out, "\n");
        return lp_buf_ok(out, diag);
    }
    if (r.w <= 0 || r.h <= 0)
        return lp_fail(diag, LP_ESTATE, "the pane %s is not on the screen: view %s shows it",
                       lp_str_copy(shown, sizeof shown, lp_pane_name(pane)), shown);
    if (pane == LP_PANE_COUNT)
        lp_canvas_print(&app->canvas, out);
    else
        add_cells(&app->canvas, r, out);
    return lp_buf_ok(out, diag);
}

/* --- as a table --- */

/* Nothing for what is not known. */
static void add_number(LpBuf *out, double number) {
    char text[LP_NUM_TEXT];
    if (isfinite(number))
        lp_buf_add(out, lp_num_print(number, text));
    lp_buf_add(out, ",");
}

static LpErr sink(void *user, const char *bytes, size_t len, LpDiag *diag) {
    lp_buf_add_bytes(user, bytes, len);
    return lp_buf_ok(user, diag);
}

static LpErr jobs_table(LpApp *app, LpBuf *out, LpDiag *diag) {
    return lp_report_write(app->session, LP_REPORT_CSV, sink, out, diag);
}

static LpErr events_table(LpApp *app, LpBuf *out, LpDiag *diag) {
    lp_buf_add(out, "event,time,kind,job,text\n");
    for (size_t i = 0; i < lp_session_events(app->session); i++) {
        const LpEvent *event = lp_session_event(app->session, i);
        LpBuf text = {0};
        lp_buf_addf(out, "%" PRIu64 ",", event->serial);
        add_number(out, event->time);
        lp_buf_addf(out, "%s,", lp_event_name(event->kind));
        if (event->job != LP_NO_INDEX)
            lp_buf_addf(out, "%u", (unsigned)event->job);
        lp_words_event(&app->model, event, &text);
        lp_buf_add(out, ",");
        lp_str_csv(out, lp_buf_text(&text), true);
        lp_buf_add(out, "\n");
        lp_buf_fini(&text);
    }
    return lp_buf_ok(out, diag);
}

#define FORECAST_COLUMNS "jct,step_time,communication,computation,circuits"

static void add_forecast(LpBuf *out, const LpForecast *f) {
    const double numbers[] = {f->jct, f->step_time, f->communication, f->computation, f->circuits};
    for (size_t i = 0; i < LP_COUNTOF(numbers); i++)
        add_number(out, f->feasible ? numbers[i] : (double)NAN);
}

static void add_verdict(LpBuf *out, const LpForecast *f, double of_limit, uint32_t free_after,
                        bool chosen) {
    const char *cause = lp_cause_code(f->cause);
    add_number(out, of_limit);
    add_number(out, f->feasible ? free_after : (double)NAN);
    lp_buf_addf(out, "%s,%s,%s,", f->feasible ? "true" : "false", cause ? cause : "",
                chosen ? "true" : "false");
    lp_str_csv(out, f->why, true);
    lp_buf_add(out, "\n");
}

static LpErr decision_table(LpApp *app, LpBuf *out, LpDiag *diag) {
    const LpDecision *decision = &app->model.decision;
    lp_buf_add(out,
               "job,degree," FORECAST_COLUMNS ",of_limit,free_after,feasible,cause,chosen,why\n");
    for (uint32_t i = 0; i < decision->count; i++) {
        const LpCandidate *c = &decision->candidate[i];
        lp_buf_addf(out, "%u,%u,", (unsigned)decision->job, (unsigned)c->degree);
        add_forecast(out, &c->forecast);
        add_verdict(out, &c->forecast, c->of_limit, c->free_after, c->chosen);
    }
    return lp_buf_ok(out, diag);
}

static LpErr whatif_table(LpApp *app, LpBuf *out, LpDiag *diag) {
    const LpWhatIfs *table = &app->model.whatif;
    lp_buf_add(out, "job,degree," FORECAST_COLUMNS ",blocking_rate,mean_jct,of_limit,free_after,"
                    "feasible,cause,chosen,why\n");
    for (uint32_t i = 0; i < table->count; i++) {
        const LpWhatIf *row = &table->row[i];
        lp_buf_addf(out, "%u,", (unsigned)table->job);
        add_number(out, row->kind == LP_ANSWER_RUN ? row->degree : (double)NAN);
        add_forecast(out, &row->forecast);
        add_number(out, row->ended ? row->end.blocking_rate : (double)NAN);
        add_number(out, row->ended ? row->end.mean_jct : (double)NAN);
        add_verdict(out, &row->forecast, row->of_limit, row->free_after, row->chosen);
    }
    return lp_buf_ok(out, diag);
}

static LpErr network_table(LpApp *app, LpBuf *out, LpDiag *diag) {
    const LpNetworkLook *look = &app->model.network.look;
    char q[LP_NUM_TEXT];
    lp_buf_add(out, "job,degree,rule,open,probability,logit,q\n");
    for (uint32_t i = 0; app->model.network.known && i < look->actions; i++) {
        const LpNetworkAction *a = &look->action[i];
        lp_buf_addf(out, "%u,%u,%s,%s,", (unsigned)look->job, (unsigned)a->degree, a->rule,
                    a->open ? "true" : "false");
        add_number(out, a->probability);
        add_number(out, a->logit);
        lp_buf_addf(out, "%s\n", lp_num_print(a->q, q));
    }
    return lp_buf_ok(out, diag);
}

static LpErr branches_table(LpApp *app, LpBuf *out, LpDiag *diag) {
    const LpTimeModel *time = &app->model.time;
    lp_buf_add(out, "branch,parent,fork_time,tip_time,over,name,policy,what\n");
    for (uint32_t i = 0; i < time->twigs; i++) {
        const LpBranchInfo *info = &time->twig[i].info;
        lp_buf_addf(out, "%u,", (unsigned)time->twig[i].branch);
        add_number(out, info->parent == LP_NO_INDEX ? (double)NAN : info->parent);
        add_number(out, info->fork_time);
        add_number(out, info->tip_time);
        lp_buf_addf(out, "%s,", info->over ? "true" : "false");
        lp_str_csv(out, info->name, true);
        lp_buf_add(out, ",");
        lp_str_csv(out, info->policy, true);
        lp_buf_add(out, ",");
        lp_str_csv(out, info->what, true);
        lp_buf_add(out, "\n");
    }
    return lp_buf_ok(out, diag);
}

static LpErr (*const tables[LP_PANE_COUNT])(LpApp *app, LpBuf *out, LpDiag *diag) = {
    [LP_PANE_JOBS] = jobs_table,         [LP_PANE_EVENTS] = events_table,
    [LP_PANE_WHATIF] = whatif_table,     [LP_PANE_DECISION] = decision_table,
    [LP_PANE_BRANCHES] = branches_table, [LP_PANE_LEARNING] = lp_app_learning_table,
    [LP_PANE_NETWORK] = network_table,   [LP_PANE_STUDY] = lp_app_study_table};

static LpErr pane_table(LpApp *app, LpPane pane, LpBuf *out, LpDiag *diag) {
    LP_TRY(lp_app_draw(app, diag));
    if (pane == LP_PANE_COUNT || !tables[pane])
        return lp_fail(diag, LP_EINVAL,
                       "%s has no table: expected jobs, events, decision, what-if, network, "
                       "branches, learning or study before a FILE.csv",
                       pane == LP_PANE_COUNT ? "the whole screen" : lp_pane_name(pane));
    return tables[pane](app, out, diag);
}

/* --- where it goes --- */

/* What is there stays. */
static LpErr write_new(const char *path, const LpBuf *text, LpDiag *diag) {
    LpWriteSpec spec = {.path = path, .fresh = true};
    return lp_write_text(&spec, text, diag);
}

static bool is_csv(const char *path) {
    size_t len = path ? strlen(path) : 0;
    return len > 4 && strcmp(path + len - 4, ".csv") == 0;
}

static void tell(LpApp *app, LpPane pane, const char *path) {
    char shown[160];
    const char *what = pane == LP_PANE_COUNT ? "the screen" : lp_pane_name(pane);
    if (path)
        lp_app_say(app, false, "%s: written to %s", what, lp_str_show(shown, sizeof shown, path));
    else
        lp_app_say(app, false, "%s: %zu bytes for the clipboard", what, app->yanked.len);
}

LpErr lp_app_yank_pane(LpApp *app, LpPane pane, const char *path, LpDiag *diag) {
    LpBuf text = {0};
    if (pane == LP_PANE_COUNT && !app->ui.page)
        pane = app->ui.only;
    LpErr err =
        is_csv(path) ? pane_table(app, pane, &text, diag) : pane_text(app, pane, &text, diag);
    if (err == LP_OK && path)
        err = write_new(path, &text, diag);
    else if (err == LP_OK && text.len > LP_YANK_MOST)
        err = lp_fail(diag, LP_ELIMIT,
                      "%zu bytes are too many for the clipboard (%d): yank to a FILE", text.len,
                      LP_YANK_MOST);
    app->dirty = true; /* it was drawn without what is said now */
    if (err == LP_OK && !path) {
        lp_buf_clear(&app->yanked);
        lp_buf_add_bytes(&app->yanked, lp_buf_text(&text), text.len);
        app->copy = true;
    }
    if (err == LP_OK)
        tell(app, pane, path);
    lp_buf_fini(&text);
    return err;
}

/* --- :yank --- */

/* What the first word names: -1: a file. */
static int find_what(const char *word) {
    for (int pane = 0; pane < LP_PANE_COUNT; pane++)
        if (strcmp(lp_pane_name((LpPane)pane), word) == 0)
            return pane;
    return strcmp(word, "pane") == 0 ? LP_PANE_COUNT : -1;
}

LpErr lp_app_yank_line(LpApp *app, const LpUiLine *line, LpDiag *diag) {
    const char *first = line->words > 0 ? line->word[0] : "moment";
    const char *path = line->words > 1 ? line->word[1] : NULL;
    if (strcmp(first, "moment") == 0)
        return lp_app_yank(app, path, diag);
    int what = find_what(first);
    if (what < 0 && path)
        return lp_fail(diag, LP_EINVAL,
                       "there is no pane \"%s\": expected moment, pane, or a pane's name", first);
    return what < 0 ? lp_app_yank_pane(app, LP_PANE_COUNT, first, diag)
                    : lp_app_yank_pane(app, (LpPane)what, path, diag);
}
