/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is left of a lesson, its exercise as a page, and the way to the next lesson. */
#include <string.h>

#include "app/keep/keep.h"
#include "app/show/show.h"
#include "app/teach/teach.h"
#include "host/catalog.h"
#include "import/import.h"
#include "model/lesson/lesson.h"

/* "step 2 is not read", "steps 3 and 5 are not read": the steps with the mark. */
static uint32_t add_steps(const LpLessonState *l, bool (*left)(const LpLessonState *, uint32_t),
                          const char *what, LpBuf *out) {
    uint32_t count = 0, told = 0;
    for (uint32_t i = 0; i < l->lesson->steps; i++)
        count += left(l, i);
    if (count == 0)
        return 0;
    lp_buf_addf(out, "%s%s", out->len ? "; " : "", count == 1 ? "step " : "steps ");
    for (uint32_t i = 0; i < l->lesson->steps; i++)
        if (left(l, i))
            told++, lp_buf_addf(out, "%s%u",
                                told == 1       ? ""
                                : told == count ? " and "
                                                : ", ",
                                (unsigned)i + 1);
    lp_buf_addf(out, " %s %s", count == 1 ? "is" : "are", what);
    return count;
}

static bool is_unread(const LpLessonState *l, uint32_t step) {
    return !l->seen[step];
}

static bool is_open(const LpLessonState *l, uint32_t step) {
    return l->seen[step] && l->lesson->step[step].question && !l->told[step];
}

bool lp_app_lesson_left(const LpApp *app, LpBuf *out) {
    const LpLessonState *l = &app->ui.lesson;
    uint32_t unread = add_steps(l, is_unread, "not read", out);
    return add_steps(l, is_open, "not answered", out) + unread > 0;
}

/* What is to be done, in the form of pages, with the first `hints` hints. */
static void add_exercise(const LpApp *app, uint32_t hints, LpBuf *text) {
    const LpLessonExercise *e = app->ui.lesson.lesson->exercise;
    const char *file = lp_session_scenario(app->base)->name;
    char key[16];
    LpBuf left = {0};
    if (lp_app_lesson_left(app, &left))
        lp_buf_addf(text, "# the lesson is not done\n%s\n# exercise\n", lp_buf_text(&left));
    text->failed |= left.failed;
    lp_buf_fini(&left);
    lp_buf_addf(text, "%s\n", e->task);
    for (uint32_t h = 0; h < hints && h < e->hints; h++)
        lp_buf_addf(text, "# hint %u of %u\n%s\n", (unsigned)h + 1, (unsigned)e->hints, e->hint[h]);
    lp_buf_addf(text, "# to check it\nlightpath lesson %s --check FILE.lua\n# keys\n",
                file ? file : "");
    if (hints < e->hints)
        lp_buf_addf(text, "%s\t%s hint, %u left\n",
                    lp_keymap_key(&app->keymap, LP_UI_ACTION_HINT, key),
                    hints == 0 ? "the first" : "the next", (unsigned)(e->hints - hints));
    lp_buf_addf(text, "%s\tthe next lesson\n", lp_keymap_key(&app->keymap, LP_UI_ACTION_TAKE, key));
    lp_buf_addf(text, "%s\tback to the step", lp_keymap_key(&app->keymap, LP_UI_ACTION_OUT, key));
}

LpErr lp_app_tell_exercise(LpApp *app, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    LpBuf text = {0};
    if (!l->lesson || !l->lesson->exercise)
        return lp_fail(diag, LP_ESTATE, "this lesson has no exercise");
    add_exercise(app, l->hints, &text);
    LpErr err = lp_buf_ok(&text, diag);
    if (err == LP_OK) {
        lp_app_page(app, "exercise", &text);
        l->exercise = true;
    }
    lp_buf_fini(&text);
    return err;
}

LpErr lp_app_tell_hint(LpApp *app, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    if (!l->lesson || !l->lesson->exercise || l->lesson->exercise->hints == 0)
        return lp_fail(diag, LP_ESTATE, "there is no hint here");
    if (l->hints < l->lesson->exercise->hints)
        l->hints++;
    return lp_app_tell_exercise(app, diag);
}

/* The lesson after this one in the list. */
static const char *next_of(const LpCatalogItem *item, size_t count, const char *name) {
    size_t i = 0;
    while (i < count && (!item[i].goal || strcmp(item[i].name, name) != 0))
        i++;
    for (i++; i < count; i++)
        if (item[i].goal)
            return item[i].name;
    return NULL;
}

LpErr lp_app_next_lesson(LpApp *app, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    const char *name = lp_session_scenario(app->base)->name, *next = NULL;
    const LpCatalogItem *item;
    size_t count;
    LpErr err = arena ? lp_catalog_read(arena, &lp_import_source, &item, &count, diag)
                      : lp_fail_memory(diag, "a list of lessons");
    if (err == LP_OK && !(next = next_of(item, count, name ? name : "")))
        err = lp_fail(diag, LP_ESTATE, "this was the last lesson");
    if (err == LP_OK)
        err = lp_app_open_other(app, next, diag);
    lp_arena_free(arena);
    return err;
}
