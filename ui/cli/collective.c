/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath collective`: light that turns inside a collective. */
#include "ask/collective/collective_report.h"
#include "cli/common/cli.h"
#include "term/canvas.h"
#include "widgets/chart.h"

enum { CHART_COLUMNS = 76, CHART_ROWS = 15 };

typedef struct Options {
    const char *delays;
    bool json, each, ascii;
} Options;

static const LpFlag flags[] = {
    {"--delays", NULL, "LIST", LP_FLAG_TEXT, offsetof(Options, delays), NULL,
     "from an order to light that carries bits: times such as 0,10us,1ms, or names of lightpath "
     "presets (default 0,1us,10us,100us,1ms)"},
    {"--each", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, each), NULL,
     "also list every step with its times"},
    {"--ascii", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, ascii), NULL,
     "draw with ASCII characters only"},
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
};

/* ---- the curve ---- */

static double on_demand(const void *data, double delay) {
    const LpCollCurves *curves = data;
    return lp_coll_curve_at(curves->piece[LP_COLL_DEMAND], curves->pieces[LP_COLL_DEMAND], delay);
}

static double provisioned(const void *data, double delay) {
    const LpCollCurves *curves = data;
    return lp_coll_curve_at(curves->piece[LP_COLL_PROVISIONED], curves->pieces[LP_COLL_PROVISIONED],
                            delay);
}

static LpErr add_curves(const LpCollCurves *curves, bool ascii, LpBuf *out, LpDiag *diag) {
    const LpPlotLine line[] = {
        {.at = on_demand, .data = curves, .name = "on-demand", .style = lp_chart_style(0)},
        {.at = provisioned, .data = curves, .name = "provisioned", .style = lp_chart_style(1)},
    };
    LpChart chart = {.to = curves->most,
                     .print_x = lp_chart_seconds,
                     .print_y = lp_chart_seconds,
                     .lines = (int)LP_COUNTOF(line),
                     .line = line,
                     .cursor = -1};
    LpCanvas canvas = {0};
    lp_chart_fit(&chart, provisioned(curves, 0), on_demand(curves, chart.to), false);
    LP_TRY(lp_canvas_resize(&canvas, CHART_ROWS, CHART_COLUMNS, diag));
    canvas.ascii = ascii;
    LpArea area = lp_canvas_area(&canvas, (LpRect){.w = CHART_COLUMNS, .h = CHART_ROWS});
    lp_chart_draw(&chart, &area);
    lp_buf_add(out, "\nleast time by delay; the slope is the number of exposed turns\n");
    lp_canvas_print(&canvas, out);
    bool incomplete = canvas.incomplete;
    lp_canvas_fini(&canvas);
    return incomplete ? lp_fail_memory(diag, "the curve") : LP_OK;
}

/* ---- the command ---- */

static LpErr add_text(const LpCollReport *report, const Options *o, LpBuf *out, LpDiag *diag) {
    const LpCollCurves *curves = lp_coll_report_curves(report);
    lp_coll_report_text(report, o->each, o->ascii, out);
    return curves != NULL && curves->most > 0 ? add_curves(curves, o->ascii, out, diag) : LP_OK;
}

static int tell(const Options *o, const char *words) {
    LpCollReport *report = NULL;
    LpBuf text = {0};
    LpDiag diag;
    const char *delays = o->delays != NULL ? o->delays : "0,1us,10us,100us,1ms";
    LpErr err = lp_coll_report_make(words, delays, &report, &diag);
    if (err == LP_OK && o->json)
        lp_coll_report_json(report, o->each, &text);
    else if (err == LP_OK)
        err = add_text(report, o, &text, &diag);
    lp_coll_report_free(report);
    return lp_cli_print(err, &text, &diag);
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_collective, cli, &options, &args, &code))
        return code;
    code = tell(&options, args.word[0]);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_collective = {
    .name = "collective",
    .arguments = "WORDS",
    .summary = "When it pays to turn the light inside a collective, by delay of a turn",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes =
        "WORDS is \"KEY=VALUE ...\": algorithm (ring, halving, doubling, bruck, ternary,\n"
        "direct, rotations, matchings), servers, bytes, rate (of a port, each way) and, where\n"
        "wanted, op (all_reduce, reduce_scatter, all_gather, all_to_all), ports, start, hop,\n"
        "adds, base (ring, torus:AxB, none), order (near, far, swing), fan, turn (own, any).\n"
        "Example:\n"
        "  lightpath collective \"algorithm=halving op=reduce_scatter servers=16 bytes=16MiB\n"
        "      rate=50GB/s hop=500ns\" --delays 0,10us,100us\n"
        "demand=ROWS in place of algorithm: an uneven all-to-all in matchings (rate, ports, "
        "start,\n"
        "hop, packet_ports, compute, launch, tile, merge, cut, matchings):\n"
        "  lightpath collective \"demand=zipf:16,1,16MB rate=50GB/s compute=100GB/s launch=5us\"\n"
        "combs=TIME/BYTES,...: jobs that compute and send in turn over one link (rate, cap, "
        "shift,\n"
        "steps, tries):\n"
        "  lightpath collective \"combs=100ms/1GB,100ms/1GB rate=10GB/s shift=0,0/0,50ms\"\n",
    .run = run,
};
