/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath collective`: light that turns inside a collective. */
#include "ask/collective/collective_report.h"
#include "cli/common/cli.h"

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

static int tell(const Options *o, const char *words) {
    LpCollReport *report = NULL;
    LpBuf text = {0};
    LpDiag diag;
    const char *delays = o->delays != NULL ? o->delays : "0,1us,10us,100us,1ms";
    LpErr err = lp_coll_report_make(words, delays, &report, &diag);
    if (err == LP_OK && o->json)
        lp_coll_report_json(report, o->each, &text);
    else if (err == LP_OK)
        lp_coll_report_text(report, o->each, o->ascii, &text);
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
