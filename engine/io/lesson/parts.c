/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands in several objects of a lesson: lists, texts, paragraphs, commands, panes. */
#include "io/lesson/parts.h"

#include <string.h>

static LpErr fail_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "a lesson");
}

LpErr lp_lesson_list(LpJsonValue value, size_t size, size_t least, size_t most, LpLessonRead *read,
                     LpArena *arena, void **out, uint32_t *count, LpDiag *diag) {
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    size_t entries = lp_json_count(value), i = 0;
    if (entries < least || entries > most)
        return lp_json_fail(value, diag, LP_EINVAL, "\"%s\" has %zu entries, expected %zu to %zu",
                            lp_json_key(value), entries, least, most);
    char *list = lp_arena_alloc(arena, entries + 1, size);
    if (list == NULL)
        return fail_memory(diag);
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read(v, list + size * i++, arena, diag));
    *out = list;
    *count = (uint32_t)entries;
    return LP_OK;
}

/* ---- texts ---- */

LpErr lp_lesson_text(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    if (lp_json_text(value)[0] == '\0')
        return lp_json_fail(value, diag, LP_EINVAL, "the text is empty, expected some words");
    const char *text = lp_arena_strdup(arena, lp_json_text(value));
    if (text == NULL)
        return fail_memory(diag);
    *(const char **)one = text;
    return LP_OK;
}

static LpErr keep_text(const LpBuf *text, LpArena *arena, const char **out, LpDiag *diag) {
    LP_TRY(lp_buf_ok(text, diag));
    const char *kept = lp_arena_strdup(arena, lp_buf_text(text));
    if (kept == NULL)
        return fail_memory(diag);
    *out = kept;
    return LP_OK;
}

LpErr lp_lesson_paragraphs(LpJsonValue value, LpArena *arena, const char **out, LpDiag *diag) {
    LpBuf text = {0};
    LpErr err = LP_OK;
    if (lp_json_kind(value) != LP_JSON_LIST)
        return lp_lesson_text(value, out, arena, diag);
    for (LpJsonValue v = lp_json_first(value); v.item != NULL && err == LP_OK;
         v = lp_json_next(v)) {
        const char *line = "";
        err = lp_lesson_text(v, &line, arena, diag);
        if (err == LP_OK)
            lp_buf_addf(&text, "%s%s", text.len > 0 ? "\n" : "", line);
    }
    if (err == LP_OK && lp_json_count(value) == 0)
        err = lp_json_fail(value, diag, LP_EINVAL, "the list is empty, expected paragraphs");
    if (err == LP_OK)
        err = keep_text(&text, arena, out, diag);
    lp_buf_fini(&text);
    return err;
}

LpErr lp_lesson_sets(LpJsonValue value, LpArena *arena, const char *const **out, uint32_t *count,
                     LpDiag *diag) {
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof(char *), 0, LP_LESSON_LIST_MOST, lp_lesson_text, arena,
                          &list, count, diag));
    *out = list;
    return LP_OK;
}

/* ---- commands ---- */

static LpErr read_command(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    LpLessonCommand *command = one;
    lp_json_place(value, &command->line, &command->col);
    return lp_lesson_text(value, &command->text, arena, diag);
}

LpErr lp_lesson_commands(LpJsonValue value, LpArena *arena, const LpLessonCommand **out,
                         uint32_t *count, LpDiag *diag) {
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof **out, 0, LP_LESSON_LIST_MOST, read_command, arena, &list,
                          count, diag));
    *out = list;
    return LP_OK;
}

/* ---- panes ---- */

static const char *const panes[] = {
#define X(name) name,
    LP_LESSON_PANE_TABLE(X)
#undef X
        NULL};

LpErr lp_lesson_pane(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    int pane;
    (void)arena;
    LP_TRY(lp_json_word(value, panes, &pane, diag));
    *(const char **)one = panes[pane];
    return LP_OK;
}

bool lp_lesson_is_pane(const char *name) {
    size_t i = 0;
    while (panes[i] != NULL && strcmp(panes[i], name) != 0)
        i++;
    return panes[i] != NULL;
}

/* ---- keys that exclude each other ---- */

LpErr lp_lesson_one_of(LpJsonValue object, const char *const *names, size_t count, LpDiag *diag) {
    size_t found = 0;
    LpBuf list = {0};
    for (size_t i = 0; i < count; i++) {
        found += lp_json_member(object, names[i]).item != NULL;
        lp_buf_addf(&list, "%s\"%s\"", i == 0 ? "" : i + 1 < count ? ", " : " or ", names[i]);
    }
    if (found != 1)
        lp_json_fail(object, diag, LP_EINVAL, "%s, expected one of %s",
                     found == 0 ? "it does not say where the value is from"
                                : "it says more than once where the value is from",
                     lp_buf_text(&list));
    lp_buf_fini(&list);
    return found == 1 ? LP_OK : LP_EINVAL;
}

/* ---- shapes ---- */

static const LpJsonShape *const text_only[] = {&lp_lesson_shape_text, NULL};
static const LpJsonShape *const text_or_texts[] = {&lp_lesson_shape_text, &lp_lesson_shape_texts,
                                                   NULL};
static const LpJsonShape *const pane_only[] = {&lp_lesson_shape_pane, NULL};
const LpJsonShape lp_lesson_shape_number = {.form = LP_FORM_NUMBER};
const LpJsonShape lp_lesson_shape_text = {.form = LP_FORM_TEXT};
const LpJsonShape lp_lesson_shape_texts = {.form = LP_FORM_LIST, .of = text_only};
const LpJsonShape lp_lesson_shape_paragraphs = {.form = LP_FORM_ONE_OF, .of = text_or_texts};
const LpJsonShape lp_lesson_shape_pane = {.form = LP_FORM_WORD, .words = panes};
const LpJsonShape lp_lesson_shape_panes = {.form = LP_FORM_LIST, .of = pane_only};

/* ---- runs ---- */

LpErr lp_lesson_run_set(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLessonSetup *run = target;
    return lp_lesson_sets(value, arena, &run->set, &run->sets, diag);
}

LpErr lp_lesson_run_params(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLessonSetup *run = target;
    return lp_lesson_sets(value, arena, &run->param, &run->params, diag);
}

LpErr lp_lesson_run_seed(LpJsonValue value, void *target, void *arena, LpDiag *diag) {
    LpLessonSetup *run = target;
    (void)arena;
    run->has_seed = true;
    return lp_json_u64(value, 0, UINT64_MAX, &run->seed, diag);
}
