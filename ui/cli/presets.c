/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath presets`: reconfiguration delays of circuit switches, with where they come from. */
#include <stdio.h>

#include "base/num.h"
#include "cli/cli.h"
#include "model/fabric/circuit.h"

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

static void add_key(LpBuf *out, const char *key, double value) {
    char text[LP_NUM_TEXT];
    lp_buf_addf(out, "\"%s\":%s,", key, lp_num_print(value, text));
}

static void add_json_row(LpBuf *out, const LpPreset *p, bool first) {
    lp_buf_addf(out, "%s{\"name\":\"%s\",\"title\":", first ? "" : ",\n", p->name);
    lp_str_json(out, p->title);
    lp_buf_add(out, ",");
    add_key(out, "program", p->delay.program);
    add_key(out, "switch", p->delay.turn);
    add_key(out, "lock", p->delay.lock);
    add_key(out, "least", p->least);
    add_key(out, "most", p->most);
    lp_buf_addf(out, "\"evidence\":\"%s\",\"source\":", lp_evidence_name(p->evidence));
    lp_str_json(out, p->source);
    lp_buf_add(out, "}");
}

static int print_presets(const Options *o) {
    LpBuf out = {0};
    size_t count;
    const LpPreset *preset = lp_preset_table(&count);
    lp_buf_add(&out, o->json ? "{\"lightpath\":1,\"presets\":[\n" : "");
    if (!o->json)
        lp_buf_addf(&out, "%-17s %-10s %-20s %-12s %s\n", "NAME", "TAKEN", "SOURCES SAY",
                    "EVIDENCE", "DEVICE");
    for (size_t i = 0; i < count; i++) {
        if (o->json)
            add_json_row(&out, &preset[i], i == 0);
        else
            add_text_row(&out, &preset[i]);
    }
    lp_buf_add(&out, o->json ? "]}\n" : "");
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
