/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath predict`: one job on an empty cluster, per degree. */
#include <string.h>

#include "ask/pod/pod_report.h"
#include "ask/predict/parallel_predict.h"
#include "ask/predict/predict.h"
#include "base/num.h"
#include "cli/common/cli.h"
#include "model/parallel/zoo.h"
#include "model/zoo/zoo.h"

enum { DEGREES_MAX = 4096 };

typedef struct Degrees {
    uint32_t count;
    uint32_t item[DEGREES_MAX];
} Degrees;

typedef struct Options {
    const char *fabric, *time_unit, *bandwidth, *latency, *io_latency, *device, *quantum, *kind,
        *precision, *efficiency, *trace;
    Degrees degrees;
    bool published;
    double steps;
    LpTexts sets;
    const char *model, *parallel, *machine, *rails;
    const char *dead, *bytes;
    bool json;
    size_t max_input;
    const LpDebugLog *log; /* NULL: nobody listens */
} Options;

static const char DECODER[] = "zoo:decoder", ZOO[] = "zoo:", SLICE[] = "slice:";

/* "zoo:llama-3-405b": the name of a transformer; NULL for other graphs. */
static const char *transformer_of(const char *graph) {
    const char *name = strncmp(graph, ZOO, sizeof ZOO - 1) == 0 ? graph + sizeof ZOO - 1 : NULL;
    return name != NULL && lp_transformer_find(name) != NULL ? name : NULL;
}

/* Is it "zoo:NAME" of no model that there is? */
static bool is_unknown(const char *graph) {
    size_t count;
    const LpZooModel *table = lp_zoo_table(&count);
    if (strncmp(graph, ZOO, sizeof ZOO - 1) != 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (strcmp(graph + sizeof ZOO - 1, table[i].name) == 0)
            return false;
    return true;
}

/* Names all models: those that are cut by degrees, and those that plans split. */
static LpErr fail_unknown(const char *graph, LpDiag *diag) {
    enum { MOST = 64 };
    const char *names[MOST];
    char shown[64];
    size_t models, transformers, count = 0;
    const LpZooModel *model = lp_zoo_table(&models);
    const LpTransformer *transformer = lp_transformer_table(&transformers);
    LpBuf all = {0};
    for (size_t i = 0; i < models && count < MOST; i++)
        names[count++] = model[i].name;
    if (count < MOST)
        names[count++] = DECODER + sizeof ZOO - 1;
    for (size_t i = 0; i < transformers && count < MOST; i++)
        names[count++] = transformer[i].name;
    int near = lp_str_nearest(graph + sizeof ZOO - 1, names, count);
    for (size_t i = 0; i < count && near < 0; i++)
        lp_buf_addf(&all, "%s%s",
                    i == 0        ? "expected one of "
                    : i == models ? "; with --parallel "
                                  : ", ",
                    names[i]);
    if (near >= 0)
        lp_buf_addf(&all, "did you mean '%s'?", names[near]);
    LpErr err =
        lp_fail(diag, LP_EINVAL, "unknown zoo model '%s', %s",
                lp_str_show(shown, sizeof shown, graph + sizeof ZOO - 1), lp_buf_text(&all));
    lp_buf_fini(&all);
    return err;
}

/* The transformer whose name is near that of "zoo:NAME"; NULL: none is. */
static const char *near_transformer(const char *graph) {
    enum { MOST = 64 };
    const char *names[MOST];
    size_t count;
    const LpTransformer *table = lp_transformer_table(&count);
    if (strncmp(graph, ZOO, sizeof ZOO - 1) != 0)
        return NULL;
    count = count < MOST ? count : MOST;
    for (size_t i = 0; i < count; i++)
        names[i] = table[i].name;
    int near = lp_str_nearest(graph + sizeof ZOO - 1, names, count);
    return near >= 0 ? names[near] : NULL;
}

/* That the graph is none that a plan splits, with the names of those that are. */
static LpErr fail_unplanned(const char *option, const char *graph, LpDiag *diag) {
    const char *near = near_transformer(graph);
    LpBuf names = {0};
    size_t count;
    const LpTransformer *table = lp_transformer_table(&count);
    for (size_t i = 0; i < count; i++)
        lp_buf_addf(&names, "%s%s", i > 0 ? ", " : "", table[i].name);
    LpErr err =
        near != NULL
            ? lp_fail(diag, LP_EINVAL,
                      "%s is of %s, expected that in place of the graph, or did you mean zoo:%s",
                      option, DECODER, near)
            : lp_fail(diag, LP_EINVAL,
                      "%s is of %s, expected that in place of the graph, or zoo: with one of %s",
                      option, DECODER, lp_buf_text(&names));
    lp_buf_fini(&names);
    return err;
}

/* ---- values ---- */

/* One number of a list, up to a comma or the end. */
static bool read_degree(const char **text, uint32_t *out) {
    uint64_t value = 0;
    const char *at = *text;
    for (; *at >= '0' && *at <= '9' && value <= UINT32_MAX; at++)
        value = 10 * value + (uint64_t)(*at - '0');
    if (at == *text || value == 0 || value > INT32_MAX || (*at != ',' && *at != '\0'))
        return false;
    *out = (uint32_t)value;
    *text = *at == ',' ? at + 1 : at;
    return *at == '\0' || **text != '\0';
}

static LpErr parse_degrees(const char *text, void *field, LpDiag *diag) {
    Degrees *degrees = field;
    degrees->count = 0;
    do {
        if (degrees->count == DEGREES_MAX)
            return lp_fail(diag, LP_ELIMIT, "expected at most %d degrees", (int)DEGREES_MAX);
        if (!read_degree(&text, &degrees->item[degrees->count]))
            return lp_fail(diag, LP_EINVAL,
                           "expected whole numbers from 1, joined by commas, such as 1,2,4,8");
        degrees->count++;
    } while (*text != '\0');
    return LP_OK;
}

static LpErr parse_semantics(const char *text, void *field, LpDiag *diag) {
    bool published = strcmp(text, "published") == 0;
    if (!published && strcmp(text, "corrected") != 0)
        return lp_fail(diag, LP_EINVAL, "expected published or corrected");
    *(bool *)field = published;
    return LP_OK;
}

#define TEXT_FLAG(flag, value, field, help)                                                        \
    { flag, NULL, value, LP_FLAG_TEXT, offsetof(Options, field), NULL, help }

static const LpFlag flags[] = {
    TEXT_FLAG(
        "--fabric", "FABRIC", fabric,
        "ramp:GROUPSxRACKSxSERVERS, packet:LEAVESxSPINESxSERVERS, ocs:SERVERS (as if every "
        "circuit were lit), zones:ZONESxSERVERS or ideal:SERVERS (default ramp:4x4x2); of a slice "
        "pod:CUBES or pod:CUBES:static (default pod:64)"),
    {"--degree", NULL, "LIST", LP_FLAG_PARSED, offsetof(Options, degrees), parse_degrees,
     "largest numbers of ways to split an operation (default 1,2,4,8,16)"},
    {"--semantics", NULL, "WORD", LP_FLAG_PARSED, offsetof(Options, published), parse_semantics,
     "corrected (default) or published"},
    TEXT_FLAG("--time-unit", "UNIT", time_unit,
              "of a PipeDream profile's times: s, ms, us, ns (default ms)"),
    TEXT_FLAG("--bandwidth", "RATE", bandwidth, "of a server, such as \"1.6 TB/s\" (the default)"),
    TEXT_FLAG("--latency", "TIME", latency, "of propagation, such as \"50 ns\" (the default)"),
    TEXT_FLAG("--io-latency", "TIME", io_latency,
              "charged at both ends, such as \"100 ns\" (the default)"),
    {"--steps", NULL, "N", LP_FLAG_PARSED, offsetof(Options, steps), lp_arg_whole,
     "training steps of the job (default 50)"},
    TEXT_FLAG("--quantum", "TIME", quantum,
              "split no further than parts of this time, in the profile's unit or one that is "
              "given (default 10 us; published 0.01)"),
    TEXT_FLAG("--kind", "WORD", kind,
              "how operations are split: model (by channels, the default), data (by samples) or "
              "tensor (each by what it does)"),
    TEXT_FLAG("--device", "NAME", device, "accelerator of every server (default A100)"),
    TEXT_FLAG(
        "--precision", "P", precision,
        "of products of ops that state work: fp32 (default), tf32, fp16, bf16 or fp8, in which "
        "the device's matrix units compute them"),
    TEXT_FLAG("--efficiency", "E", efficiency,
              "flat (default): the same share of the peak for all; size: products lose what their "
              "tiles waste, parts of a cut op more so, and kernels take their start"),
    TEXT_FLAG("--trace", "FILE", trace, "write the tasks of one step as JSON lines"),
    {"--set", NULL, "PATH=VALUE", LP_FLAG_LIST, offsetof(Options, sets), NULL,
     "override a key of the scenario that this makes; may be repeated"},
    {"--max-input", NULL, "SIZE", LP_FLAG_PARSED, offsetof(Options, max_input), lp_arg_size,
     "largest input file (default 64 MiB)"},
    TEXT_FLAG("--model", "SIZES", model,
              "of zoo:decoder: \"hidden=12288 heads=96 layers=96\", and ff, sequence, "
              "vocabulary, tied, gated, unbiased, rotary, kv_heads, head_width, q_rank, kv_rank, "
              "rope, experts, active, shared, dense, dense_ff; of zoo:llama-3-405b and the like, "
              "what differs"),
    TEXT_FLAG(
        "--parallel", "PLAN", parallel,
        "how zoo:decoder is split: \"tensor=8 pipeline=8 data=1 micro_batch=1 batch=64\", and "
        "expert, context, chunks, recompute, sequence, wait, zero, overlap, attention"),
    TEXT_FLAG("--machine", "CONSTANTS", machine,
              "of zoo:decoder's devices, instead of those of `lightpath devices --step`: "
              "\"node=4 network_rate=50GB/s\""),
    TEXT_FLAG("--rails", "CIRCUITS", rails,
              "zoo:decoder on circuits that turn inside the step: \"delay=50ms provisioned=true "
              "ports=2 serial=true\", and rate, reduce, parts, overlap, both_ways, notice, "
              "order_cost"),
    TEXT_FLAG(
        "--bytes", "SIZE", bytes,
        "of a slice's collectives: all-reduce, and all-to-all from each to each (default 1 GB)"),
    TEXT_FLAG("--dead", "LIST", dead,
              "of a slice's pod, such as switch:32 or cable:5, with commas between"),
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
};

/* ---- what is printed ---- */

static int write_trace(const Options *o, const char *graph, const LpPrediction *prediction) {
    LpOutput output = {.fd = -1};
    LpDiag diag;
    uint32_t degree = 0;
    if (o->trace == NULL)
        return LP_EXIT_OK;
    if (lp_output_open(&output, o->trace, graph, &diag) != LP_OK)
        return diag.code == LP_EINVAL ? lp_cli_fail(&diag) : lp_cli_fail_run(&diag);
    LpErr err = lp_prediction_trace(prediction, lp_output_write, &output, &degree, &diag);
    if (err == LP_OK)
        err = lp_output_close(&output, &diag);
    lp_output_drop(&output);
    if (err != LP_OK)
        return lp_cli_fail_output(&output, &diag);
    if (lp_prediction_rows(prediction) > 1)
        lp_cli_note("the trace is that of degree %u", (unsigned)degree);
    return LP_EXIT_OK;
}

static LpPredictSpec make_spec(const Options *o, const char *graph) {
    static const uint32_t usual[] = {1, 2, 4, 8, 16};
    bool given = o->degrees.count > 0;
    return (LpPredictSpec){.graph = graph,
                           .fabric = o->fabric,
                           .degrees = given ? o->degrees.count : LP_COUNTOF(usual),
                           .degree = given ? o->degrees.item : usual,
                           .published = o->published,
                           .time_unit = o->time_unit,
                           .bandwidth = o->bandwidth,
                           .latency = o->latency,
                           .io_latency = o->io_latency,
                           .device = o->device,
                           .precision = o->precision,
                           .efficiency = o->efficiency,
                           .steps = o->steps,
                           .quantum = o->quantum,
                           .kind = o->kind,
                           .sets = o->sets.count,
                           .set = o->sets.item,
                           .max_input = o->max_input,
                           .log = o->log};
}

/* ---- a transformer, split in several dimensions ---- */

static LpErr check_plan(const Options *o, const char *graph, LpDiag *diag) {
    const struct {
        const char *name;
        bool given;
    } other[] = {
        {"--fabric", o->fabric != NULL},
        {"--time-unit", o->time_unit != NULL},
        {"--bandwidth", o->bandwidth != NULL},
        {"--latency", o->latency != NULL},
        {"--quantum", o->quantum != NULL},
        {"--kind", o->kind != NULL},
        {"--io-latency", o->io_latency != NULL},
        {"--trace", o->trace != NULL},
        {"--degree", o->degrees.count > 0},
        {"--steps", o->steps > 0},
        {"--set", o->sets.count > 0},
        {"--semantics", o->published},
        {"--max-input", o->max_input > 0},
        {"--precision", o->precision != NULL},
        {"--efficiency", o->efficiency != NULL},
    };
    bool named = transformer_of(graph) != NULL;
    if (strcmp(graph, DECODER) != 0 && !named)
        return fail_unplanned(o->parallel != NULL ? "--parallel"
                              : o->model != NULL  ? "--model"
                              : o->rails != NULL  ? "--rails"
                                                  : "--machine",
                              graph, diag);
    if (o->parallel == NULL || (o->model == NULL && !named))
        return lp_fail(diag, LP_EINVAL, "%s needs %s--parallel (see lightpath predict --help)",
                       graph, named ? "" : "both --model and ");
    for (size_t i = 0; i < LP_COUNTOF(other); i++)
        if (other[i].given)
            return lp_fail(diag, LP_EINVAL, "%s says nothing of a plan of %s, expected it without",
                           other[i].name, graph);
    return LP_OK;
}

static int predict_plan(const Options *o, const char *graph) {
    LpParallelSpec spec = {.name = transformer_of(graph),
                           .model = o->model,
                           .parallel = o->parallel,
                           .device = o->device,
                           .machine = o->machine,
                           .rails = o->rails};
    LpParallelPrediction prediction;
    LpBuf text = {0};
    LpDiag diag;
    LpErr err = check_plan(o, graph, &diag);
    if (err == LP_OK)
        err = lp_parallel_predict(&spec, &prediction, &diag);
    if (err == LP_OK)
        (o->json ? lp_parallel_json : lp_parallel_text)(&prediction, &text);
    return lp_cli_print(err, &text, &diag);
}

static bool is_plan(const Options *o, const char *graph) {
    return o->model != NULL || o->parallel != NULL || o->machine != NULL || o->rails != NULL ||
           strcmp(graph, DECODER) == 0 || transformer_of(graph) != NULL;
}

/* ---- a slice of a pod ---- */

static bool is_slice(const Options *o, const char *graph) {
    return strncmp(graph, SLICE, sizeof SLICE - 1) == 0 || o->dead != NULL || o->bytes != NULL;
}

static LpErr check_slice(const Options *o, const char *graph, LpDiag *diag) {
    const struct {
        const char *name;
        bool given;
    } other[] = {
        {"--time-unit", o->time_unit != NULL}, {"--quantum", o->quantum != NULL},
        {"--trace", o->trace != NULL},         {"--kind", o->kind != NULL},
        {"--degree", o->degrees.count > 0},    {"--steps", o->steps > 0},
        {"--semantics", o->published},         {"--max-input", o->max_input > 0},
        {"--precision", o->precision != NULL}, {"--efficiency", o->efficiency != NULL},
        {"--device", o->device != NULL},       {"--model", o->model != NULL},
        {"--parallel", o->parallel != NULL},   {"--machine", o->machine != NULL},
        {"--rails", o->rails != NULL},
    };
    if (strncmp(graph, SLICE, sizeof SLICE - 1) != 0)
        return lp_fail(diag, LP_EINVAL,
                       "%s is of slices, expected slice:AxBxC in place of the graph",
                       o->dead != NULL ? "--dead" : "--bytes");
    for (size_t i = 0; i < LP_COUNTOF(other); i++)
        if (other[i].given)
            return lp_fail(diag, LP_EINVAL, "%s says nothing of a slice, expected it without",
                           other[i].name);
    return LP_OK;
}

static int predict_slice(const Options *o, const char *graph) {
    LpSliceSpec spec = {.slice = graph + sizeof SLICE - 1,
                        .fabric = o->fabric,
                        .bandwidth = o->bandwidth,
                        .latency = o->latency,
                        .io_latency = o->io_latency,
                        .dead = o->dead,
                        .bytes = o->bytes,
                        .sets = o->sets.count,
                        .set = o->sets.item};
    LpSlicePrediction prediction;
    LpBuf text = {0};
    LpDiag diag;
    LpErr err = check_slice(o, graph, &diag);
    if (err == LP_OK)
        err = lp_slice_predict(&spec, &prediction, &diag);
    if (err == LP_OK)
        (o->json ? lp_slice_json : lp_slice_text)(&prediction, &text);
    return lp_cli_print(err, &text, &diag);
}

/* ---- the command ---- */

static int predict(const Options *o, const char *graph) {
    if (is_slice(o, graph))
        return predict_slice(o, graph);
    if (is_plan(o, graph))
        return predict_plan(o, graph);
    LpPredictSpec spec = make_spec(o, graph);
    LpPrediction *prediction;
    LpDiag diag;
    if (is_unknown(graph)) {
        fail_unknown(graph, &diag);
        return lp_cli_fail(&diag);
    }
    if (lp_predict_run(&spec, &prediction, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    int code = write_trace(o, graph, prediction);
    LpBuf text = {0};
    if (o->json)
        lp_prediction_json(prediction, &text);
    else
        lp_prediction_text(prediction, &text);
    int second = lp_cli_print(LP_OK, &text, NULL);
    lp_prediction_free(prediction);
    return code != LP_EXIT_OK ? code : second;
}

static int run(const LpCli *cli) {
    Options *options = lp_alloc(1, sizeof *options); /* the list of degrees is long */
    LpArgs args;
    LpDiag diag;
    int code;
    if (options == NULL) {
        lp_fail_memory(&diag, "the options");
        return lp_cli_fail(&diag);
    }
    if (lp_args_read(&lp_command_predict, cli, options, &args, &code)) {
        options->log = lp_cli_log_to(cli->log);
        code = predict(options, args.word[0]);
        lp_args_fini(&args);
    }
    lp_free(options);
    return code;
}

const LpCommand lp_command_predict = {
    .name = "predict",
    .arguments = "GRAPH",
    .summary = "Predict one job on an empty cluster, for each degree of splitting",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "GRAPH is a profile, PipeDream's or lightpath's own, or zoo:NAME for a\n"
             "built-in model:\n"
             "alexnet, vgg16, resnet18, squeezenet1_0, gnmt, transformer.\n"
             "slice:AxBxC is a slice of a pod of cubes, \"slice:4x4x8 twisted\" a twisted one.\n"
             "zoo:decoder is a transformer given by --model that --parallel splits by\n"
             "tensors, into pipeline stages and by data; --device times one training step.\n"
             "So are gpt-2 (-medium, -large, -xl), gpt-3-125m to gpt-3-175b, llama-2-7b, -13b,\n"
             "-70b, llama-3-8b, -70b, -405b, mixtral-8x7b, -8x22b and deepseek-v3, by name.\n"
             "With --rails its stages and replicas are joined by circuits that turn meanwhile.\n"
             "Published semantics read a profile's numbers as seconds, whatever their unit.\n",
    .run = run,
};
