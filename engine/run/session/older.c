/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions from before a default changed: what their scenario left open is written into it. */
#include <string.h>

#include "io/json/json.h"
#include "run/session/lines.h"

/* A key inside an object of the scenario, and what it meant where it was not there. */
typedef struct Meant {
    const char *object, *key, *assignment;
} Meant;

static const Meant BEFORE_2[] = {
    {"partition", "kind", "partition.kind=model"},
    {"options", "shapes", "options.shapes=published"},
};

static LpErr write_out(LpJson *doc, LpDiag *diag) {
    LpJsonValue root = lp_json_root(doc);
    for (size_t i = 0; i < LP_COUNTOF(BEFORE_2); i++) {
        LpJsonValue object = lp_json_member(root, BEFORE_2[i].object);
        if (object.item == NULL || lp_json_member(object, BEFORE_2[i].key).item == NULL)
            LP_TRY(lp_json_set(doc, BEFORE_2[i].assignment, diag));
    }
    return LP_OK;
}

LpErr lp_older_scenario(const char *name, LpArena *arena, const char **text, LpDiag *diag) {
    LpJson *doc;
    LpBuf out = {0};
    LP_TRY(lp_json_parse(name, *text, strlen(*text), &doc, diag));
    LpErr err = write_out(doc, diag);
    if (err == LP_OK) {
        lp_json_print(lp_json_root(doc), &out);
        err = lp_buf_ok(&out, diag);
    }
    const char *kept = err == LP_OK ? lp_arena_strdup(arena, lp_buf_text(&out)) : NULL;
    if (err == LP_OK && kept == NULL)
        err = lp_fail_memory(diag, "a session");
    if (err == LP_OK)
        *text = kept;
    lp_buf_fini(&out);
    lp_json_free(doc);
    return err;
}
