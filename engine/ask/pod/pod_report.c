/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A slice's figures as JSON and as text. */
#include "ask/pod/pod_report.h"

#include "base/json_out.h"
#include "base/num.h"

enum { SHOWN = 32 };

/* ---- facts ---- */

/* What the fit of twist_efficiency makes of the gain. */
static double fitted(const LpSlicePrediction *p) {
    return p->slice.twisted ? p->gain * p->pod.twist_efficiency : p->gain;
}

static LpFactValue gain_fitted(const void *record, void *around LP_UNUSED) {
    return lp_fact_real(fitted(record));
}

static LpFactValue slowdown(const void *record, void *around LP_UNUSED) {
    const LpSlicePrediction *p = record;
    return lp_fact_real(p->intact_load > 0 ? p->load / p->intact_load : 1);
}

static LpFactValue slice(const void *record, void *around) {
    return lp_fact_text(lp_slice_name(&((const LpSlicePrediction *)record)->slice, around));
}

static LpFactValue wiring(const void *record, void *around LP_UNUSED) {
    return lp_fact_text(((const LpSlicePrediction *)record)->pod.fixed ? "static" : "switched");
}

#define MEMBER(name) LP_TO_JSON, .member = LP_FACT_MEMBER(LpSlicePrediction, name)

static const LpFact of_slice[] = {
    {"slice", LP_WORDS, "its shape, with twisted where it was asked for so", LP_TO_JSON,
     .value = slice},
    {"wiring", LP_WORDS, "of the pod, static or switched", LP_TO_JSON, .value = wiring},
    {"twisted", LP_FLAG, "it is wired so", MEMBER(slice.twisted)},
    {"all_to_all_load", LP_NUMBER,
     "units on the fullest directed link when each accelerator sends one to each other, over "
     "evenly split shortest paths",
     MEMBER(load)},
    {"diameter", LP_NUMBER, "hops between the two that are farthest apart", MEMBER(diameter)},
    {"mean_distance", LP_NUMBER, "hops, over ordered pairs", MEMBER(mean_distance)},
    {"gain", LP_NUMBER,
     "the ideal rate of all-to-all over that of the plain, switched slice with nothing dead",
     MEMBER(gain)},
    {"gain_fitted", LP_NUMBER, "the gain times twist_efficiency, a fit to two published gains",
     LP_TO_JSON, .value = gain_fitted},
    {"slowdown", LP_NUMBER, "the load over that with nothing dead", LP_TO_JSON, .value = slowdown},
    {"all_to_all_time", LP_SECONDS, "time of an all-to-all from each to each other",
     MEMBER(all_to_all_time)},
    {"all_reduce_time", LP_SECONDS, "time of an all-reduce", MEMBER(all_reduce_time)},
    {"cross_connects", LP_NUMBER, "circuits that are lit", MEMBER(cross_connects)},
    {"replace_connects", LP_NUMBER, "circuits that are set when one cube is replaced",
     MEMBER(replaced)},
    {"dead_circuits", LP_NUMBER, "circuits that are dead", MEMBER(lost)},
    {"accelerators", LP_NUMBER, "how many it has", MEMBER(slice.accelerators)},
    {"cubes", LP_NUMBER, "how many it has; 0: it is a part of one", MEMBER(slice.cubes)},
};
const LpFacts lp_slice_facts = {"slice", of_slice, LP_COUNTOF(of_slice), NULL};

/* ---- JSON ---- */

static void put_rings(LpJsonOut *out, const LpSlicePrediction *p) {
    lp_json_open(out, "ring", '[');
    for (int d = 0; d < 3; d++) {
        lp_json_open(out, NULL, '{');
        lp_json_put_count(out, "extent", p->slice.extent[d]);
        lp_json_put_bool(out, "closed", p->slice.closed[d]);
        lp_json_put_number(out, "load", p->ring[d].load);
        lp_json_put_count(out, "hops", p->ring[d].hops);
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
}

void lp_slice_json(const LpSlicePrediction *p, LpBuf *text) {
    char name[LP_SLICE_TEXT];
    LpJsonOut out = {.out = text};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath", 1);
    lp_json_open(&out, "rows", '[');
    lp_json_open(&out, NULL, '{');
    lp_facts_json(&lp_slice_facts, p, name, &out);
    put_rings(&out, p);
    lp_json_put_text(&out, "rings", "as plain");
    lp_json_close(&out, '}');
    lp_json_close(&out, ']');
    lp_json_end(&out);
}

/* ---- text ---- */

typedef struct Shown {
    char text[SHOWN];
} Shown;

static Shown show(double value, LpDimension dimension) {
    Shown s;
    lp_quantity_print(value, dimension, s.text, sizeof s.text);
    return s;
}

static void add_slice(LpBuf *out, const LpSlicePrediction *p) {
    char name[LP_SLICE_TEXT], cubes[LP_MANY_TEXT];
    lp_buf_addf(out, "slice           %s: %u accelerators, ", lp_slice_name(&p->slice, name),
                p->slice.accelerators);
    if (p->slice.cubes == 0)
        lp_buf_add(out, "part of a cube, a mesh of copper\n");
    else
        lp_buf_addf(out, "%s of %ux%ux%u, %s wiring\n", lp_str_many(cubes, p->slice.cubes, "cube"),
                    p->pod.cube, p->pod.cube, p->pod.cube, p->pod.fixed ? "static" : "switched");
    if (p->slice.asked_twist && !p->slice.twisted)
        lp_buf_add(out, "                static wiring cannot twist: it runs plain\n");
    if (p->lost > 0)
        lp_buf_addf(out, "dead            %u circuit%s, as if the slice goes round %s\n", p->lost,
                    lp_str_s(p->lost), p->lost == 1 ? "it" : "them");
}

static void add_network(LpBuf *out, const LpSlicePrediction *p) {
    lp_buf_addf(out,
                "all-to-all load %.10g   units on the fullest link, one unit from each to each\n",
                p->load);
    lp_buf_addf(out, "diameter        %u   mean distance %.6f\n", p->diameter, p->mean_distance);
    lp_buf_addf(out, "gain            %.6f   ideal, against the plain, switched, intact slice\n",
                p->gain);
    if (p->slice.twisted)
        lp_buf_addf(out,
                    "                %.6f   with twist_efficiency %.3g, a fit to two published "
                    "gains\n",
                    fitted(p), p->pod.twist_efficiency);
    if (p->lost > 0)
        lp_buf_addf(out, "slowdown        %.6f   load over that with nothing dead\n",
                    p->load / p->intact_load);
}

static void add_rings(LpBuf *out, const LpSlicePrediction *p) {
    for (int d = 0; d < 3; d++) {
        lp_buf_addf(out, "%-16s%c %4u  %s", d == 0 ? "rings" : "", "xyz"[d], p -> slice.extent[d],
                    p->slice.closed[d] ? "ring" : "line");
        if (p->lost > 0 && p->slice.closed[d])
            lp_buf_addf(out, "   load %.6g, ways of %u", p->ring[d].load, p->ring[d].hops);
        lp_buf_add(out, "\n");
    }
    if (p->slice.twisted)
        lp_buf_add(out, "                rings: as plain (true to first order)\n");
}

void lp_slice_text(const LpSlicePrediction *p, LpBuf *out) {
    add_slice(out, p);
    add_network(out, p);
    add_rings(out, p);
    lp_buf_addf(out, "all-reduce      %s   of %s, %s\n", show(p->all_reduce_time, LP_DIM_TIME).text,
                show(p->bytes, LP_DIM_BYTES).text,
                p->pod.sequential ? "one dimension after the other" : "three parts at once");
    lp_buf_addf(out, "all-to-all      %s   of %s from each to each other\n",
                show(p->all_to_all_time, LP_DIM_TIME).text, show(p->bytes, LP_DIM_BYTES).text);
    lp_buf_addf(out, "cross-connects  %u", p->cross_connects);
    if (p->replaced > 0)
        lp_buf_addf(out, "   replacing a cube sets %u", p->replaced);
    lp_buf_add(out, "\n");
}
