/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes where a result comes from. */
#include "host/provenance.h"

void lp_provenance_json(const LpProvenance *p, const char *key, LpJsonOut *out) {
    lp_json_open(out, key, '{');
    lp_json_put_text(out, "version", LP_VERSION);
    lp_json_put_text(out, "build", lp_build_sources());
    lp_json_put_texts(out, "command", p->word, p->words);
    lp_json_open(out, "inputs", '[');
    for (uint32_t i = 0; i < p->sources; i++) {
        const LpSource *source = &p->source[i];
        lp_json_open(out, NULL, '{');
        lp_json_put_text(out, "kind", source->kind);
        lp_json_put_text(out, "file", source->file);
        lp_json_put_text(out, "sha256", source->sha256);
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
    lp_json_put_texts(out, "set", p->set, p->sets);
    lp_json_put_texts(out, "param", p->param, p->params);
    lp_json_open(out, "seeds", '[');
    for (uint32_t i = 0; i < p->seeds; i++)
        lp_json_put_count(out, NULL, p->seed[i]);
    lp_json_close(out, ']');
    lp_json_close(out, '}');
}
