/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath presets`: reconfiguration delays of circuit switches, with where they come from. */
#include <stdio.h>

#include "base/json_out.h"
#include "base/num.h"
#include "cli/common/cli.h"
#include "model/circuit/circuit.h"

typedef struct Options {
    bool json;
} Options;

static const LpFlag flags[] = {
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
};

static void add_text_row(LpBuf *out, const LpPreset *p) {
    char sum[LP_NUM_TEXT], least[LP_NUM_TEXT], most[LP_NUM_TEXT], range[2 * LP_NUM_TEXT + 8] = "";
    lp_quantity_print(lp_reconfiguration_time(&p->delay), LP_DIM_TIME, sum, sizeof sum);
    lp_quantity_print(p->least, LP_DIM_TIME, least, sizeof least);
    lp_quantity_print(p->most, LP_DIM_TIME, most, sizeof most);
    if (p->least < p->most)
        snprintf(range, sizeof range, "%s to %s", least, most);
    lp_buf_addf(out, "%-17s %-10s %-20s %-12s %s\n%55s %s\n", p->name, sum, range,
                lp_evidence_name(p->evidence), p->title, "source:", p->source);
}

static void add_json_row(LpJsonOut *out, const LpPreset *p) {
    lp_json_break(out);
    lp_json_open(out, NULL, '{');
    lp_json_put_text(out, "name", p->name);
    lp_json_put_text(out, "title", p->title);
    lp_json_put_number(out, "program", p->delay.program);
    lp_json_put_number(out, "switch", p->delay.turn);
    lp_json_put_number(out, "lock", p->delay.lock);
    lp_json_put_number(out, "least", p->least);
    lp_json_put_number(out, "most", p->most);
    lp_json_put_text(out, "evidence", lp_evidence_name(p->evidence));
    lp_json_put_text(out, "source", p->source);
    lp_json_close(out, '}');
}

static void add_json(LpBuf *text, const LpPreset *preset, size_t count) {
    LpJsonOut out = {.out = text};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath", 1);
    lp_json_open(&out, "presets", '[');
    for (size_t i = 0; i < count; i++)
        add_json_row(&out, &preset[i]);
    lp_json_close(&out, ']');
    lp_json_end(&out);
}

static int print_presets(const Options *o) {
    LpBuf out = {0};
    size_t count;
    const LpPreset *preset = lp_preset_table(&count);
    if (o->json)
        add_json(&out, preset, count);
    else
        lp_buf_addf(&out, "%-17s %-10s %-20s %-12s %s\n", "NAME", "TAKEN", "SOURCES SAY",
                    "EVIDENCE", "DEVICE");
    for (size_t i = 0; !o->json && i < count; i++)
        add_text_row(&out, &preset[i]);
    return lp_cli_print(LP_OK, &out, NULL);
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_presets, cli, &options, &args, &code))
        return code;
    code = print_presets(&options);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_presets = {
    .name = "presets",
    .arguments = "",
    .summary = "List reconfiguration delays of circuit switches, with their sources",
    .least = 0,
    .most = 0,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes =
        "A scenario takes one by its name: \"ocs\": { \"reconfiguration\": \"mems\" }. TAKEN is\n"
        "what the name stands for; where sources disagree or give a range it is shown too.\n"
        "EVIDENCE: read in the text, in its abstract, second hand, or unsourced.\n",
    .run = run,
};
