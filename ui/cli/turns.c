/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath turns`: circuits that turn inside one training step. */
#include "ask/predict/turns.h"

#include "ask/predict/iteration.h"
#include "ask/predict/region.h"
#include "cli/common/cli.h"
#include "term/canvas.h"
#include "widgets/chart.h"

enum { CHART_COLUMNS = 76, CHART_ROWS = 15 };

typedef struct Options {
    const char *delays;
    bool json, each, ascii, region, iteration, experts;
} Options;

static const LpFlag flags[] = {
    {"--delays", NULL, "LIST", LP_FLAG_TEXT, offsetof(Options, delays), NULL,
     "from an order to light that carries bits: times such as 0,60ms,1s, or names of lightpath "
     "presets (default 0,1ms,10ms,100ms,1s)"},
    {"--each", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, each), NULL,
     "also list every transfer: when it was ready, its circuit ordered and lit"},
    {"--ascii", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, ascii), NULL,
     "draw the curve with ASCII characters only"},
    {"--region", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, region), NULL,
     "STEP is the demand of a region for experts: which servers a switch joins, and the time of an "
     "all-to-all"},
    {"--experts", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, experts), NULL,
     "STEP is one of layers with experts whose region turns between layers: layers, attention, "
     "experts, attention_backward, experts_backward, all_to_all, demand (gate, last), turn (layer, "
     "all_to_all), steps, order_cost"},
    {"--iteration", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, iteration), NULL,
     "STEP is a mixture of experts (mixtral_8x22b, mixtral_8x7b, qwen_moe, llama_moe): its "
     "published iterations by link rate, beside a model"},
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
};

/* ---- the curve ---- */

static double on_demand(const void *data, double delay) {
    return lp_turns_height(data, LP_TURN_DEMAND, delay);
}

static double provisioned(const void *data, double delay) {
    return lp_turns_height(data, LP_TURN_PROVISIONED, delay);
}

static LpErr add_curve(const LpTurns *turns, bool ascii, LpBuf *out, LpDiag *diag) {
    const LpPlotLine line[] = {
        {.at = on_demand, .data = turns, .name = "on-demand", .style = lp_chart_style(0)},
        {.at = provisioned, .data = turns, .name = "provisioned", .style = lp_chart_style(1)},
    };
    LpChart chart = {.to = lp_turns_most(turns),
                     .print_x = lp_chart_seconds,
                     .print_y = lp_chart_seconds,
                     .lines = (int)LP_COUNTOF(line),
                     .line = line,
                     .cursor = -1};
    LpCanvas canvas = {0};
    if (!(chart.to > 0))
        return LP_OK;
    lp_chart_fit(&chart, lp_turns_height(turns, LP_TURN_PROVISIONED, 0),
                 lp_turns_height(turns, LP_TURN_DEMAND, chart.to), false);
    LP_TRY(lp_canvas_resize(&canvas, CHART_ROWS, CHART_COLUMNS, diag));
    canvas.ascii = ascii;
    LpArea area = lp_canvas_area(&canvas, (LpRect){.w = CHART_COLUMNS, .h = CHART_ROWS});
    lp_chart_draw(&chart, &area);
    lp_buf_add(out, "\ntime of the step by delay; the slope is the number of exposed turns\n");
    lp_canvas_print(&canvas, out);
    lp_turns_corners(turns, out);
    bool incomplete = canvas.incomplete;
    lp_canvas_fini(&canvas);
    return incomplete ? lp_fail_memory(diag, "the curve") : LP_OK;
}

/* ---- the command ---- */

static int tell(const Options *o, const char *step) {
    LpTurns *turns = NULL;
    LpBuf text = {0};
    LpDiag diag;
    const char *delays = o->delays != NULL ? o->delays : "0,1ms,10ms,100ms,1s";
    LpErr err = lp_turns_make(step, o->experts, delays, &turns, &diag);
    if (err == LP_OK && o->json) {
        lp_turns_json(turns, o->each, &text);
    } else if (err == LP_OK) {
        lp_turns_text(turns, o->each, &text);
        err = add_curve(turns, o->ascii, &text, &diag);
    }
    lp_turns_free(turns);
    return lp_cli_print(err, &text, &diag);
}

typedef LpErr Report(const char *text, bool json, LpBuf *out, LpDiag *diag);

/* What is no step: a region, or an iteration. */
static int tell_other(const Options *o, const char *words) {
    LpBuf text = {0};
    LpDiag diag;
    LpErr err;
    Report *report = o->region ? lp_region_report : lp_iteration_report;
    if (o->delays != NULL || o->each || o->experts || (o->region && o->iteration))
        err = lp_fail(&diag, LP_EINVAL, "%s: expected it without --delays%s%s and --each",
                      o->region ? "--region" : "--iteration",
                      o->region && o->iteration ? ", --iteration" : "",
                      o->experts ? ", --experts" : "");
    else
        err = report(words, o->json, &text, &diag);
    return lp_cli_print(err, &text, &diag);
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_turns, cli, &options, &args, &code))
        return code;
    code = options.region || options.iteration ? tell_other(&options, args.word[0])
                                               : tell(&options, args.word[0]);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_turns = {
    .name = "turns",
    .arguments = "STEP",
    .summary = "Time one step whose circuits turn inside it, by delay of a turn",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "STEP is \"KEY=VALUE ...\": stages, forward and backward (a time, or one per stage)\n"
             "and, where wanted, replicas, micro_batches, chunks, send, layers, bucket, gather,\n"
             "optimiser, notice, order_cost, ports (1 or 2), steps, serial (true or false),\n"
             "reduce (none, bucket, flush, zero3), overlap (none, full), schedule (1f1b,\n"
             "gpipe); preset=opus_pp4 or opus_pp8 first stands for a published step. Example:\n"
             "  lightpath turns \"stages=4 replicas=2 forward=100ms backward=200ms send=10ms\n"
             "      layers=2 bucket=20ms\" --delays 0,60ms,150ms\n"
             "With --region: demand (bytes from row to column, rows parted by /), rate of a\n"
             "port, ports for circuits (one number, or one per server), packet_ports, nodes, rule\n"
             "(stop, or skip: go on where the longest pair has no free port).\n",
    .run = run,
};
