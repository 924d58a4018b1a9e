/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searching in the view that is shown: jobs, events, the policy's source, help and other texts. */
#include <string.h>

#include "app/impl.h"
#include "app/view.h"

/* A text with as many lines as there are, for one search. */
typedef struct Lines {
    const LpApp *app;
    LpBuf all;    /* of an overlay: its rows */
    LpModel view; /* for the texts of events */
} Lines;

/* What can be searched: so many lines, of which one is marked; texts, and how to get there. */
typedef struct Place {
    int (*count)(const Lines *lines);
    int (*at)(const Lines *lines);
    void (*text)(const Lines *lines, int line, LpBuf *out);
    void (*go)(LpApp *app, int line);
} Place;

/* --- jobs --- */

static int jobs_count(const Lines *l) {
    return (int)l->app->model.jobs.count;
}

static int jobs_at(const Lines *l) {
    return lp_job_table_row(&l->app->model.jobs, &l->app->ui.jobs);
}

static void jobs_text(const Lines *l, int line, LpBuf *out) {
    const LpModel *model = &l->app->model;
    const LpJob *job = lp_world_job(model->world, model->jobs.job[line]);
    const char *cause = lp_cause_code((LpCause)job->cause);
    const char *why = lp_session_why(l->app->session, job->id).why;
    lp_buf_addf(out, "%u %s %s %s %s", (unsigned)job->id, lp_model_graph(model, job),
                lp_job_table_state(job), job->outcome == LP_JOB_BLOCKED && cause ? cause : "",
                why ? why : "");
}

static void jobs_go(LpApp *app, int line) {
    app->ui.jobs.job = app->model.jobs.job[line];
}

/* --- events --- */

static int events_count(const Lines *l) {
    return (int)l->app->model.events.count;
}

static int events_at(const Lines *l) {
    return lp_event_log_row(&l->app->model.events, &l->app->ui.events);
}

static void events_text(const Lines *l, int line, LpBuf *out) {
    size_t event = lp_event_log_at(&l->app->model.events, line);
    lp_words_event_at(&l->view, lp_event_log_get(l->app->session, event), out);
}

static void events_go(LpApp *app, int line) {
    app->ui.events.marked = true;
    app->ui.events.event = lp_event_log_at(&app->model.events, line);
}

/* --- lines of a text --- */

static int text_count(const char *text) {
    int count = 0;
    for (; *text; count++) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return count;
}

static void text_line(const char *text, int line, LpBuf *out) {
    for (; line > 0 && *text; line--) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    lp_buf_add_bytes(out, text, strcspn(text, "\n"));
}

static const char *source_of(const Lines *l) {
    const char *source = l->app->model.look.source;
    return source ? source : "";
}

static int policy_count(const Lines *l) {
    return text_count(source_of(l));
}

static int scroll_at(const Lines *l) {
    int match = l->app->ui.search_line;
    return match >= 0 ? match : l->app->ui.scroll;
}

static void policy_text(const Lines *l, int line, LpBuf *out) {
    text_line(source_of(l), line, out);
}

/* A few lines above it are shown as well. */
static void scroll_to(LpApp *app, int line) {
    app->ui.search_line = line;
    app->ui.scroll = line > 3 ? line - 3 : 0;
    app->ui.follow = false;
}

static int overlay_count(const Lines *l) {
    return text_count(lp_buf_text(&l->all));
}

static void overlay_text(const Lines *l, int line, LpBuf *out) {
    text_line(lp_buf_text(&l->all), line, out);
}

/* --- which --- */

static const Place overlay = {overlay_count, scroll_at, overlay_text, scroll_to};

static const struct {
    LpPane pane;
    Place place;
} places[] = {
    {LP_PANE_JOBS, {jobs_count, jobs_at, jobs_text, jobs_go}},
    {LP_PANE_EVENTS, {events_count, events_at, events_text, events_go}},
    {LP_PANE_POLICY, {policy_count, scroll_at, policy_text, scroll_to}},
};

static const Place *place_of(const LpApp *app) {
    if (app->ui.page || app->ui.help)
        return &overlay;
    for (size_t i = 0; i < LP_COUNTOF(places); i++)
        if (places[i].pane == app->ui.only)
            return &places[i].place;
    return NULL;
}

/* Draws the overlay on a canvas that is high enough for all of it: its rows are its lines. */
static LpErr read_overlay(const LpApp *app, LpBuf *out, LpDiag *diag) {
    LpModel model = app->model;
    LpUiState ui = app->ui;
    LpCanvas canvas = {.ascii = app->canvas.ascii};
    int width, lines;
    if (ui.page)
        lp_view_page_size(ui.page, lp_model_rest(&app->ui).w, &width, &lines);
    else
        lp_view_help_size(ui.only, lp_model_rest(&app->ui).w, &width, &lines);
    ui.scroll = 0;
    model.ui = &ui;
    LP_TRY(lp_canvas_resize(&canvas, lines - 2 > 0 ? lines : 2, app->canvas.cols, diag));
    LpArea area = lp_canvas_area(&canvas, (LpRect){0, 0, width, lines});
    if (ui.page)
        lp_view_page(&model, &area);
    else
        lp_view_help(&model, &area);
    LpBuf all = {0};
    lp_canvas_print(&canvas, &all);
    const char *text = lp_buf_text(&all);
    lp_buf_add(out, text + strcspn(text, "\n") + (*text != '\0')); /* without the upper border */
    LpErr err = lp_buf_ok(out, diag);
    lp_buf_fini(&all);
    lp_canvas_fini(&canvas);
    return err;
}

/* --- searching --- */

/* How many lines have the text, which of them is the next one from `at` on in this direction (`at`
 * itself only when by is 0), and its number among them. */
static void look(const Place *place, const Lines *lines, int at, int by, LpSearch *search,
                 int *found) {
    int count = place->count(lines), first = -1, last = -1, before = -1, after = -1, rank = 0;
    int ranks[4] = {0, 0, 0, 0}; /* of first, last, before, after */
    LpBuf text = {0};
    for (int i = 0; i < count; i++) {
        lp_buf_clear(&text);
        place->text(lines, i, &text);
        if (!lp_search_in(lp_buf_text(&text), search->text))
            continue;
        rank++;
        last = i, ranks[1] = rank;
        if (first < 0)
            first = i, ranks[0] = rank;
        if (i < at)
            before = i, ranks[2] = rank;
        if (after < 0 && (by == 0 ? i >= at : i > at))
            after = i, ranks[3] = rank;
    }
    lp_buf_fini(&text);
    bool on = by >= 0;
    *found = on ? (after >= 0 ? after : first) : before >= 0 ? before : last;
    search->match = on ? (after >= 0 ? ranks[3] : ranks[0]) : before >= 0 ? ranks[2] : ranks[1];
    search->matches = rank;
}

static LpErr go_to_match(LpApp *app, int by, LpDiag *diag) {
    const Place *place = place_of(app);
    Lines lines = {.app = app};
    int found = -1;
    LP_TRY(lp_model_update(&app->model, app->session, &app->ui, diag));
    lines.view = lp_model_ahead(&app->model);
    LpErr err = app->ui.page || app->ui.help ? read_overlay(app, &lines.all, diag) : LP_OK;
    if (err == LP_OK)
        look(place, &lines, place->at(&lines), by, &app->ui.search, &found);
    lp_buf_fini(&lines.all);
    if (err == LP_OK && found >= 0)
        place->go(app, found);
    return err;
}

bool lp_app_searches(const LpApp *app) {
    return app->ui.search.text[0] != '\0';
}

void lp_app_end_search(LpApp *app) {
    app->ui.search = (LpSearch){0};
    app->ui.search_line = -1;
}

void lp_app_ask_search(LpApp *app) {
    if (place_of(app))
        lp_app_prompt_for(app, '/', "");
    else
        lp_app_tell(app, "{/} searches in jobs {3}, events {6}, the policy {e}, and help {?}");
}

LpErr lp_app_search(LpApp *app, const char *text, LpDiag *diag) {
    char shown[LP_SEARCH_TEXT];
    lp_app_end_search(app);
    if (!place_of(app))
        return lp_fail(diag, LP_ESTATE,
                       "nothing to search here: expected the view of jobs, events or policy, or a "
                       "help text");
    lp_str_copy(app->ui.search.text, sizeof app->ui.search.text, text);
    if (!lp_app_searches(app))
        return LP_OK;
    LP_TRY(go_to_match(app, 0, diag));
    if (app->ui.search.matches > 0)
        return LP_OK;
    lp_app_end_search(app);
    lp_app_say(app, true, "\"%s\" is nowhere in this view", lp_str_show(shown, sizeof shown, text));
    return LP_OK;
}

void lp_app_next_match(LpApp *app, int by) {
    LpDiag diag = {0};
    if (!place_of(app)) {
        lp_app_end_search(app);
        return;
    }
    lp_app_check(app, go_to_match(app, by, &diag), &diag);
}
