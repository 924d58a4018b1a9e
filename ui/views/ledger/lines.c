/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The single lines: title, ledger, timeline and keys. */
#include "model/lesson/lesson.h"
#include "views/ledger/ledger_view_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "term/keymap.h"

/* Columns from which the title shows these, and the policy's kind of word. */
enum {
    WITH_JOB = 40,
    WITH_NAME = 60,
    WITH_POLICY = 70,
    WITH_PROGRAM = 80,
    WITH_WORDS = 100,
    MOUSE_LEAST = 30
};

/* "PLAY 1x" at the right end, with its mark; returns where it begins. */
static int draw_state(const LpModel *model, const LpArea *area) {
    const LpUiState *ui = model->ui;
    bool over = lp_world_over(model->world), marks = !over;
    bool stops = ui->stops && area->rect.w >= WITH_WORDS;
    char text[48];
    const char *demo = !ui->demo ? "" : ui->demo_runs ? "DEMO runs, " : "DEMO ";
    snprintf(text, sizeof text, "%srun over", demo);
    if (!over)
        snprintf(text, sizeof text, "%s%s %s%s", demo, ui->playing ? "PLAY" : "PAUSED",
                 lp_speed_name(ui->speed), stops ? ", stops at decisions" : "");
    int end = area->rect.w - (area->rect.w > 1), x = end - lp_text_width(text);
    lp_area_text(area, x, 0, LP_ROLE_TITLE, text);
    if (marks && ui->playing)
        lp_area_glyph(area, x -= 2, 0, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    for (int i = 0; marks && !ui->playing && i < 2; i++)
        lp_area_glyph(area, x - 3 + i, 0, LP_ROLE_PENDING, LP_GLYPH_PAUSED);
    return marks && !ui->playing ? x - 3 : x;
}

/* "job 5 of 100": the job that is due, else the last that arrived. */
static int draw_job(const LpModel *model, const LpArea *area, int x, int width) {
    uint32_t jobs = lp_world_jobs(model->world);
    uint64_t expected = lp_model_expected_jobs(model->scenario);
    char text[LP_SHOW_TEXT];
    if (jobs == 0)
        return lp_area_text(area, x, 0, LP_ROLE_TEXT, "no job yet");
    uint32_t job = model->decision.due ? model->decision.job : jobs - 1;
    x = lp_area_textf(area, x, 0, LP_ROLE_TEXT, "job %s", lp_show_count(job, text));
    lp_show_count(expected, text);
    int rest = area->rect.w - x; /* a number that is cut is another number */
    if (expected == 0 || width < WITH_NAME || rest < 4 + lp_text_width(text))
        return x;
    return lp_area_textf(area, x, 0, LP_ROLE_TEXT, " of %s", text);
}

/* On another branch than the trunk, or back in time. */
static bool is_elsewhere(const LpModel *model) {
    const LpTimeModel *time = &model->time;
    return time->known && (time->moment.branch != 0 || time->moment.step < time->tip);
}

/* What the branch takes where it is shown. */
static int branch_width(const LpModel *model) {
    return is_elsewhere(model) ? 13 + (model->time.twigs > 1 ? 8 : 0) : 0;
}

/* Program, scenario and policy, as far as there is room. */
static int draw_names(const LpModel *model, const LpArea *area, int x, int width) {
    const char *policy = lp_session_policy_name(model->session);
    int room = width - branch_width(model);
    if (room >= WITH_PROGRAM)
        x = lp_area_text(area, x, 0, LP_ROLE_TITLE, "lightpath") + 2;
    if (room >= WITH_NAME)
        x = lp_area_fit(area, x, 0, 24, LP_ROLE_TITLE, model->scenario->name) + 2;
    if (room < WITH_POLICY)
        return x;
    if (room >= WITH_WORDS)
        x = lp_area_text(area, x, 0, LP_ROLE_TEXT, "policy ");
    x = lp_area_fit(area, x, 0, 20, LP_ROLE_TEXT, policy && *policy ? policy : "defaults") + 2;
    if (lp_session_reload_error(model->session) != NULL) /* until a save is taken */
        x = lp_area_text(area, x - 1, 0, LP_ROLE_BAD, "(last save broken)") + 2;
    if (model->ui->by_hand && !model->time.known)
        x = lp_area_textf(area, x - 1, 0, LP_ROLE_WAIT, "+%u by hand",
                          (unsigned)model->ui->by_hand) +
            2;
    return x;
}

/* "branch main 37 steps back" where there are several, or the present is back in time. */
static void draw_branch(const LpModel *model, const LpArea *area, int x, int end) {
    const LpTimeModel *time = &model->time;
    char count[LP_SHOW_TEXT], back[LP_SHOW_TEXT + 16] = "";
    if (!time->known || (time->twigs < 2 && !is_elsewhere(model)))
        return;
    if (time->moment.step < time->tip)
        snprintf(back, sizeof back, " %s step%s back",
                 lp_show_count(time->tip - time->moment.step, count),
                 time->tip - time->moment.step == 1 ? "" : "s");
    int room = end - x - 2 - lp_text_width(back);
    if (time->twigs > 1 && room > 6) {
        lp_area_glyph(area, x, 0, LP_ROLE_TEXT, LP_GLYPH_BRANCH);
        x = lp_area_fit(area, x + 2, 0, room < 24 ? room : 24, LP_ROLE_STAGE, time->branch.name);
    } else {
        x -= 1;
    }
    if (x + lp_text_width(back) <= end)
        lp_area_text(area, x, 0, LP_ROLE_WAIT, back);
}

void lp_view_title(const LpModel *model, const LpArea *area) {
    char text[LP_WORDS_TIME], date[LP_DATE_TEXT] = "";
    int end = draw_state(model, area) - 2;
    LpArea left = lp_area_part(area, (LpRect){0, 0, end > 0 ? end : 0, 1});
    int x = draw_names(model, &left, area->rect.w > 1, area->rect.w);
    double now = lp_world_now(model->world);
    x = lp_area_text(&left, x, 0, LP_ROLE_TITLE, lp_words_time(model, now, text)) + 2;
    if (!model->scenario->epoch.given)
        lp_scenario_date(model->scenario, now, LP_DATE_PLAIN, date);
    if (*date && x + lp_text_width(date) < end)
        x = lp_area_text(&left, x, 0, LP_ROLE_TEXT, date) + 2;
    if (area->rect.w >= WITH_JOB)
        x = draw_job(model, &left, x, area->rect.w) + 2;
    draw_branch(model, &left, x, end);
}

static void draw_mark(const LpArea *area, int x, uint8_t bits, bool past) {
    if (bits & LP_MARK_BLOCKED)
        lp_area_glyph(area, x, 0, LP_ROLE_BAD, LP_GLYPH_BLOCKED);
    else if (bits & LP_MARK_STARTED)
        lp_area_glyph(area, x, 0, LP_ROLE_TEXT, LP_GLYPH_STARTED);
    else if (bits & LP_MARK_WAITING)
        lp_area_glyph(area, x, 0, LP_ROLE_WAIT, LP_GLYPH_WAITING);
    else if (bits & LP_MARK_DONE)
        lp_area_glyph(area, x, 0, LP_ROLE_GOOD, LP_GLYPH_DONE);
    else if (past)
        lp_area_glyph(area, x, 0, LP_ROLE_BORDER, LP_GLYPH_PAST);
    else
        lp_area_glyph(area, x, 0, LP_ROLE_FREE, LP_GLYPH_FUTURE);
}

/* Where other branches leave the current one. */
static void draw_forks(const LpModel *model, const LpArea *area, int x, int columns) {
    const LpTimeModel *time = &model->time;
    for (uint32_t i = 0; i < time->twigs; i++) {
        const LpTwig *twig = &time->twig[i];
        double share = twig->info.fork_time / model->marks.scale;
        if (twig->info.parent != time->moment.branch || !(share >= 0.0 && share <= 1.0))
            continue;
        lp_area_glyph(area, x + (int)(share * (columns - 1) + 0.5), 0, LP_ROLE_CURSOR,
                      LP_GLYPH_BRANCH);
    }
}

static void draw_bookmarks(const LpModel *model, const LpArea *area, int x, int columns) {
    for (int i = 0; i < model->ui->bookmarks; i++) {
        double share = model->ui->bookmark_time[i] / model->marks.scale;
        if (model->ui->bookmark[i].branch == model->time.moment.branch && share <= 1.0)
            lp_area_glyph(area, x + (int)(share * (columns - 1) + 0.5), 0, LP_ROLE_CURSOR,
                          LP_GLYPH_BOOKMARK);
    }
}

void lp_view_timeline(const LpModel *model, const LpArea *area) {
    double scale = model->marks.scale, now = lp_world_now(model->world);
    char begin[LP_SHOW_TEXT] = "0", end[LP_SHOW_TEXT];
    if (model->scenario->epoch.given)
        lp_words_axis(model, 0, scale, begin);
    lp_words_axis(model, scale, scale, end);
    int last = area->rect.w - lp_text_width(end) - 3, first = lp_text_width(begin) + 2;
    int columns = last - first - 1;
    if (columns < 4) {
        first = -1, last = area->rect.w, columns = area->rect.w;
    } else {
        lp_area_text(area, 1, 0, LP_ROLE_TEXT, begin);
        lp_area_glyph(area, first, 0, LP_ROLE_BORDER, LP_GLYPH_TICK_RIGHT);
        lp_area_glyph(area, last, 0, LP_ROLE_BORDER, LP_GLYPH_TICK_LEFT);
        lp_area_text(area, last + 2, 0, LP_ROLE_TEXT, end);
    }
    if (columns <= 0)
        return;
    double share = scale > 0.0 ? fmin(now / scale, 1.0) : 0.0;
    int cursor = (int)(share * (columns - 1) + 0.5);
    for (int i = 0; i < columns; i++) {
        uint8_t bits = lp_marks_between(&model->marks, (double)i / columns, (i + 1.0) / columns);
        draw_mark(area, first + 1 + i, bits, i < cursor);
    }
    draw_forks(model, area, first + 1, columns);
    draw_bookmarks(model, area, first + 1, columns);
    lp_area_glyph(area, first + 1 + cursor, 0, LP_ROLE_CURSOR, LP_GLYPH_CURSOR);
    for (int i = 0; i < columns; i++) /* the inverse of where the cursor stands */
        lp_area_hit(area, (LpRect){first + 1 + i, 0, 1, 1}, LP_HIT_TIME,
                    columns > 1 ? (uint32_t)((double)i / (columns - 1) * LP_HIT_TIMES) : 0);
    if (model->ui->focus) {
        lp_area_mark(area, first + 1 + cursor, 0, 1, LP_REVERSE);
        lp_area_mark(area, first, 0, 1, LP_REVERSE);
        lp_area_mark(area, last, 0, 1, LP_REVERSE);
    }
}

/* "17 of 200 decisions differ, ...", and what can be done about it. */
static void draw_ghost(const LpModel *model, const LpArea *area) {
    const LpGhostReport *report = &model->ghost.report;
    char text[160], key[16];
    int x = 1;
    if (area->rect.w >= WITH_PROGRAM)
        x = lp_area_text(area, x, 0, LP_ROLE_MUTED, "saved: ");
    x = lp_area_fit(area, x, 0, area->rect.w - x, LP_ROLE_WAIT,
                    lp_ghost_text(report, text, sizeof text));
    if (!report->done)
        x = lp_area_fit(area, x, 0, area->rect.w - x, LP_ROLE_MUTED, " so far");
    if (report->differ == 0 || x + 3 >= area->rect.w)
        return;
    x = lp_area_text(area, x + 2, 0, LP_ROLE_KEY,
                     lp_keymap_key(model->ui->keymap, LP_UI_ACTION_DIFFERENCE, key));
    x = lp_area_fit(area, x + 1, 0, area->rect.w - x - 1, LP_ROLE_TEXT, "next");
    if (x + 14 > area->rect.w)
        return;
    x = lp_area_text(area, x + 2, 0, LP_ROLE_KEY,
                     lp_keymap_key(model->ui->keymap, LP_UI_ACTION_TAKE, key));
    lp_area_text(area, x + 1, 0, LP_ROLE_TEXT, "branch");
}

/* "/block: 2 of 7", and which keys mean what meanwhile. */
static void draw_search(const LpModel *model, const LpArea *area) {
    const LpSearch *search = &model->ui->search;
    int x = lp_area_text(area, 1, 0, LP_ROLE_KEY, "/");
    x = lp_area_fit(area, x, 0, area->rect.w / 2, LP_ROLE_TEXT, search->text);
    x = lp_area_textf(area, x + 1, 0, LP_ROLE_WAIT, "%d of %d", search->match, search->matches);
    static const char *const labels[][2] = {{"n", "next"}, {"N", "before"}, {"Esc", "ends"}};
    for (size_t i = 0; i < LP_COUNTOF(labels); i++) {
        x = lp_area_text(area, x + 2, 0, LP_ROLE_KEY, labels[i][0]);
        x = lp_area_text(area, x + 1, 0, LP_ROLE_TEXT, labels[i][1]);
    }
}

/* Letters are answers while a question is open. */
static void draw_question(const LpModel *model, const LpArea *area) {
    const LpKeymap *map = model->ui->keymap;
    char letters[8], answer[16], on[16], twice[34], back[16], next[16];
    lp_keymap_key(map, LP_UI_ACTION_PAGE_DOWN, on);
    snprintf(twice, sizeof twice, "%s %s", on, on);
    snprintf(letters, sizeof letters, "a-%c", 'a' + (int)lp_model_asked(model->ui)->choices - 1);
    const char *const labels[][2] = {
        {letters, "choose"},
        {lp_keymap_key(map, LP_UI_ACTION_ANSWER, answer), "answer"},
        {lp_keymap_key(map, LP_UI_ACTION_NEXT_DECISION, next), "next decision"},
        {twice, "pass"},
        {lp_keymap_key(map, LP_UI_ACTION_PAGE_UP, back), "back"}};
    int x = -1;
    for (size_t i = 0; i < LP_COUNTOF(labels); i++) {
        if (x + 3 + lp_text_width(labels[i][0]) + lp_text_width(labels[i][1]) > area->rect.w)
            return;
        x = lp_area_text(area, x + 2, 0, LP_ROLE_KEY, labels[i][0]);
        x = lp_area_text(area, x + 1, 0, LP_ROLE_TEXT, labels[i][1]);
    }
}

/* "mouse" or "copy mode" at the right end, to be clicked; a message that needs the room hides it.
 */
static LpArea draw_mouse(const LpModel *model, const LpArea *area) {
    static const char *const words[] = {[LP_MOUSE_ON] = "mouse", [LP_MOUSE_FREE] = "copy mode"};
    LpMouseState state = model->ui->mouse;
    LpArea rest = *area;
    char key[16], text[40];
    if (state == LP_MOUSE_NONE)
        return rest;
    snprintf(text, sizeof text, "%s %s", lp_keymap_key(model->ui->keymap, LP_UI_ACTION_MOUSE, key),
             words[state]);
    int width = lp_text_width(text), x = area->rect.w - width - 1;
    if (x < MOUSE_LEAST || lp_text_width(model->ui->message) + 2 > x)
        return rest; /* what is said goes first */
    lp_area_text(area, x, 0, state == LP_MOUSE_FREE ? LP_ROLE_WAIT | LP_BOLD : LP_ROLE_MUTED, text);
    lp_area_hit(area, (LpRect){x, 0, width, 1}, LP_HIT_KEY, LP_UI_ACTION_MOUSE);
    rest.rect.w -= width + 2;
    return rest;
}

/* A mark that stays until all is saved again; the rest goes where it leaves room. */
static LpArea draw_unsaved(const LpModel *model, const LpArea *area) {
    LpArea rest = *area;
    int width = lp_text_width(model->ui->unsaved), most = area->rect.w / 2;
    if (width == 0)
        return rest;
    width = width < most ? width : most;
    lp_area_fit(area, area->rect.w - width - 1, 0, width, LP_ROLE_BAD | LP_BOLD,
                model->ui->unsaved);
    rest.rect.w -= width + 2;
    return rest;
}

/* While whoever presents speaks from the bar: the program's own sentence, and the keys. */
static void draw_presenting(const LpModel *model, const LpArea *area) {
    const LpNow *now = &model->now;
    char keys[60];
    LpBuf text = {0};
    lp_keymap_text(model->ui->keymap,
                   model->ui->demo ? "{take} goes on  {page-up} back  {out} ends" : "", keys,
                   sizeof keys);
    int end = area->rect.w - lp_text_width(keys) - 1, x = 1;
    if (end > area->rect.w / 3)
        lp_area_text(area, end, 0, LP_ROLE_KEY, keys);
    else
        end = area->rect.w;
    if (now->verb)
        x = lp_area_fit(area, x, 0, end - x - 1, LP_ROLE_LABEL, now->verb) + 1;
    if (end - x > 10)
        lp_said_fit(&now->said, end - x - 1, &text);
    lp_area_text(area, x, 0, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_area_done(area, &text);
}

/* What is asked or said; else the keys that do something now. */
void lp_view_keys(const LpModel *model, const LpArea *whole) {
    const LpUiState *ui = model->ui;
    const LpArea most = draw_mouse(model, whole);
    const LpArea left = draw_unsaved(model, &most), *area = &left;
    if (ui->ask[0]) {
        lp_area_fit(area, 1, 0, area->rect.w - 1, LP_ROLE_WAIT | LP_BOLD, ui->ask);
        return;
    }
    if (ui->message[0]) {
        lp_area_fit(area, 1, 0, area->rect.w - 1, ui->message_bad ? LP_ROLE_BAD : LP_ROLE_TEXT,
                    ui->message);
        return;
    }
    if (ui->search.text[0]) {
        draw_search(model, area);
        return;
    }
    if (ui->ghost) {
        draw_ghost(model, area);
        return;
    }
    if (ui->told[0])
        draw_presenting(model, area);
    else if (lp_model_asked(ui))
        draw_question(model, area);
    else
        lp_ledger_draw_keys(model, area);
}
