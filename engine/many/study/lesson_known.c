/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of questions as texts, with their values. There are tens of them, runs take a second. */
#include "many/study/lesson_known.h"

#include <stdlib.h>
#include <string.h>

struct LpLessonKept {
    char *ask, *value;
};

static void add_sets(LpBuf *key, const LpLessonSetup *setup) {
    for (uint32_t i = 0; setup != NULL && i < setup->sets; i++)
        lp_buf_addf(key, "%s\n", setup->set[i]);
}

/* The same rules as opening has (lesson.c): what is set over a step's settings comes after them. */
static void add_key(LpBuf *key, const LpLessonAsk *ask) {
    static const LpLessonSetup nothing = {0};
    const LpLessonSetup *base = ask->base != NULL ? ask->base : &nothing;
    const LpLessonSetup *own = ask->own != NULL ? ask->own : &nothing;
    const char *scenario = own->scenario != NULL ? own->scenario : base->scenario;
    const char *policy = own->policy != NULL ? own->policy : base->policy;
    const LpLessonSetup *params = own->policy != NULL || own->params > 0 ? own : base;
    const LpLessonSetup *seed = own->has_seed ? own : base;
    lp_buf_addf(key, "%s\n%s\n", scenario != NULL ? scenario : "", policy != NULL ? policy : "");
    for (uint32_t i = 0; i < params->params; i++)
        lp_buf_addf(key, "%s\n", params->param[i]);
    lp_buf_addf(key, "%d %llu\n", seed->has_seed, (unsigned long long)seed->seed);
    add_sets(key, base);
    add_sets(key, own);
    lp_buf_addf(key, "%d\n%s\n%s", (int)ask->source, ask->at != NULL ? ask->at : "", ask->text);
}

const char *lp_lesson_known(const LpLessonKnown *known, const LpLessonAsk *ask) {
    const char *value = NULL;
    LpBuf key = {0};
    add_key(&key, ask);
    for (uint32_t i = 0; !key.failed && value == NULL && i < known->count; i++)
        if (strcmp(known->kept[i].ask, lp_buf_text(&key)) == 0)
            value = known->kept[i].value;
    lp_buf_fini(&key);
    return value;
}

static char *copy(const char *text) {
    size_t len = strlen(text) + 1;
    char *own = malloc(len);
    if (own != NULL)
        memcpy(own, text, len);
    return own;
}

static LpErr grow(LpLessonKnown *known, LpDiag *diag) {
    uint32_t room = known->room > 0 ? 2 * known->room : 32;
    if (known->count < known->room)
        return LP_OK;
    struct LpLessonKept *kept = realloc(known->kept, room * sizeof *kept);
    if (kept == NULL)
        return lp_fail_memory(diag, "values of a lesson");
    known->kept = kept;
    known->room = room;
    return LP_OK;
}

LpErr lp_lesson_keep(LpLessonKnown *known, const LpLessonAsk *ask, const char *value,
                     LpDiag *diag) {
    LpBuf key = {0};
    LP_TRY(grow(known, diag));
    add_key(&key, ask);
    struct LpLessonKept own = {copy(lp_buf_text(&key)), copy(value)};
    LpErr err = lp_buf_ok(&key, diag);
    if (err == LP_OK && (own.ask == NULL || own.value == NULL))
        err = lp_fail_memory(diag, "values of a lesson");
    lp_buf_fini(&key);
    if (err == LP_OK) {
        known->kept[known->count++] = own;
    } else {
        free(own.ask);
        free(own.value);
    }
    return err;
}

void lp_lesson_forget(LpLessonKnown *known) {
    for (uint32_t i = 0; i < known->count; i++) {
        free(known->kept[i].ask);
        free(known->kept[i].value);
    }
    free(known->kept);
    *known = (LpLessonKnown){0};
}
