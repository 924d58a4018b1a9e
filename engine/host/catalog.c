/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what there is to be opened. */
#include "host/catalog.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "host/paths.h"
#include "io/scenario/scenario.h"
#include "model/fabric/fabric.h"
#include "model/lesson/lesson.h"

typedef struct Catalog {
    LpArena *arena;
    const char *const *dirs;
    const LpTraceSource *traces;
    LpCatalogItem *item;
    size_t count;
    bool failed; /* out of memory */
} Catalog;

static const char *keep(Catalog *c, const char *text) {
    const char *kept = lp_arena_strdup(c->arena, text != NULL ? text : "");
    c->failed |= kept == NULL;
    return kept != NULL ? kept : "";
}

/* "needs 1, 2" */
static const char *keep_needs(Catalog *c, const LpLesson *lesson) {
    LpBuf text = {0};
    for (uint32_t i = 0; i < lesson->needs; i++)
        lp_buf_addf(&text, "%s%u", i == 0 ? "needs " : ", ", (unsigned)lesson->need[i]);
    const char *kept = keep(c, lp_buf_text(&text));
    lp_buf_fini(&text);
    return kept;
}

/* A file that cannot be read is listed with its error; no memory to read it ends the list. */
static LpErr add(Catalog *c, const char *name, LpDiag *diag) {
    LpCatalogItem *item = &c->item[c->count];
    LpLoadOptions options = {.data_dirs = c->dirs, .traces = c->traces};
    LpScenario *scenario;
    char path[LP_PATH_TEXT], why[LP_DIAG_TEXT + LP_DIAG_FILE];
    LpDiag own = {0};
    if (!lp_paths_scenario(name, path, sizeof path))
        return LP_OK;
    *item = (LpCatalogItem){.name = keep(c, name),
                            .path = keep(c, path),
                            .title = "",
                            .notes = "",
                            .fabric = "",
                            .semantics = ""};
    LpErr err = lp_scenario_load(path, &options, &scenario, &own);
    if (err == LP_ENOMEM) {
        *diag = own;
        return err;
    }
    if (err == LP_OK) {
        item->title = keep(c, scenario->title);
        item->notes = keep(c, scenario->notes);
        item->fabric = lp_fabric_ops(scenario->cluster.fabric)->name;
        item->semantics = scenario->semantics_published ? "published" : "corrected";
        item->servers = scenario->cluster.servers;
        item->graphs = scenario->graphs;
        if (scenario->lesson != NULL) {
            item->lesson = scenario->lesson->number;
            item->minutes = scenario->lesson->minutes;
            item->order = scenario->lesson->order;
            if (scenario->lesson->needs > 0)
                item->needs = keep_needs(c, scenario->lesson);
            item->goal = keep(c, scenario->lesson->goal);
        }
        lp_scenario_free(scenario);
    } else {
        item->error = keep(c, lp_diag_format(&own, why, sizeof why));
    }
    c->count++;
    return c->failed ? lp_fail_memory(diag, "the list of scenarios") : LP_OK;
}

/* Lessons in their order, those without one last, then by name. */
static int by_lesson(const void *a, const void *b) {
    const LpCatalogItem *x = a, *y = b;
    uint32_t m = x->order > 0 ? x->order : UINT32_MAX, n = y->order > 0 ? y->order : UINT32_MAX;
    return m != n ? (m > n) - (m < n) : strcmp(x->name, y->name);
}

static size_t lines_of(const LpBuf *names) {
    size_t lines = 0;
    for (const char *at = lp_buf_text(names); (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    return lines;
}

static LpErr add_all(Catalog *c, const LpBuf *names, LpDiag *diag) {
    for (const char *at = lp_buf_text(names); *at != '\0';) {
        size_t blank = strspn(at, " "), len = strcspn(at + blank, "\n");
        char name[256];
        lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, at + blank);
        LP_TRY(add(c, name, diag));
        at += blank + len + 1;
    }
    return LP_OK;
}

static LpErr read_all(Catalog *c, const LpBuf *names, const LpBuf *lessons, LpDiag *diag) {
    c->item = lp_arena_alloc(c->arena, lines_of(names) + lines_of(lessons) + 1, sizeof *c->item);
    if (c->item == NULL)
        return lp_fail_memory(diag, "the list of scenarios");
    LP_TRY(add_all(c, names, diag));
    size_t first = c->count;
    LP_TRY(add_all(c, lessons, diag));
    qsort(c->item + first, c->count - first, sizeof *c->item, by_lesson);
    return LP_OK;
}

LpErr lp_catalog_read(LpArena *arena, const LpTraceSource *traces, const LpCatalogItem **out,
                      size_t *count, LpDiag *diag) {
    LpPaths paths;
    LpBuf names = {0}, lessons = {0};
    Catalog c = {.arena = arena, .dirs = lp_paths_dirs(&paths), .traces = traces};
    LpErr err = lp_paths_list_scenarios(&names, diag);
    if (err == LP_OK)
        err = lp_paths_list_lessons(&lessons, diag);
    if (err == LP_OK)
        err = read_all(&c, &names, &lessons, diag);
    lp_buf_fini(&names);
    lp_buf_fini(&lessons);
    if (err != LP_OK)
        return err;
    *out = c.item;
    *count = c.count;
    return LP_OK;
}
