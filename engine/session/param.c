/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "k=v" on a command line as a parameter of a policy. */
#include "session/param.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

/* "16", "0.5" and "true" are what they look like; anything else is a text. */
static LpErr param_json(LpArena *arena, const char *text, const char **json) {
    double number;
    bool literal = strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
    if (literal || text[0] == '"' || lp_num_parse(text, &number, NULL) == LP_OK) {
        *json = lp_arena_strdup(arena, text);
        return *json ? LP_OK : LP_ENOMEM;
    }
    LpBuf quoted = {0};
    lp_str_json(&quoted, text);
    *json = lp_buf_ok(&quoted, NULL) == LP_OK ? lp_arena_strdup(arena, lp_buf_text(&quoted)) : NULL;
    lp_buf_fini(&quoted);
    return *json ? LP_OK : LP_ENOMEM;
}

LpErr lp_param_parse(LpArena *arena, const char *text, LpPolicyParam *out, LpDiag *diag) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return lp_fail(diag, LP_EINVAL, "--param %s: expected NAME=VALUE", text);
    out->name = lp_arena_strndup(arena, text, (size_t)(equals - text));
    if (out->name == NULL || param_json(arena, equals + 1, &out->json) != LP_OK)
        return lp_fail_memory(diag, "a parameter");
    return LP_OK;
}
