/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of options, and which format the words name. */
#include "cli/common/import_args.h"

#include <string.h>
#include <unistd.h>

#include "base/num.h"

LpErr lp_arg_bandwidth(const char *text, void *rate, LpDiag *diag) {
    double value;
    LP_TRY(lp_quantity_parse(text, LP_DIM_BANDWIDTH, &value, diag));
    if (!(value > 0))
        return lp_fail(diag, LP_ERANGE, "expected a rate above 0, such as 12.5GB/s");
    *(double *)rate = value;
    return LP_OK;
}

LpErr lp_arg_factor(const char *text, void *factor, LpDiag *diag) {
    double value;
    LP_TRY(lp_num_parse(text, &value, diag));
    if (!(value > 0))
        return lp_fail(diag, LP_ERANGE, "expected a number above 0");
    *(double *)factor = value;
    return LP_OK;
}

/* The number of a word in a list that NULL ends; 0 for NULL, the default. */
static LpErr word_of(const char *option, const char *text, const char *const *words, int *out,
                     LpDiag *diag) {
    char shown[64];
    *out = 0;
    for (int i = 0; text != NULL && words[i] != NULL; i++)
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return LP_OK;
        }
    if (text == NULL)
        return LP_OK;
    return lp_fail(diag, LP_EINVAL, "%s is \"%s\": expected %s, %s or %s", option,
                   lp_str_show(shown, sizeof shown, text), words[0], words[1], words[2]);
}

static uint32_t count_of(double value) {
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static LpErr options_of(const LpImportArgs *a, LpImportOptions *out, LpDiag *diag) {
    static const char *const units[] = {"gpu", "node", "cpu", NULL};
    static const char *const fits[] = {"drop", "cap", "error", NULL};
    int unit, fit;
    LP_TRY(word_of("--unit", a->unit, units, &unit, diag));
    LP_TRY(word_of("--fit", a->fit, fits, &fit, diag));
    *out = (LpImportOptions){.max_input = a->max_input,
                             .lenient = a->lenient,
                             .sample = (uint64_t)a->sample,
                             .seed = a->seed.given ? a->seed.value : 1,
                             .from = a->from,
                             .to = a->to,
                             .scale_time = a->scale_time,
                             .servers_per_unit = count_of(a->servers_per_unit),
                             .unit = (LpImportUnit)unit,
                             .fit = (LpImportFit)fit,
                             .servers = count_of(a->servers),
                             .required = a->required,
                             .kill = a->kill,
                             .keep = a->keep,
                             .map = a->map,
                             .server_bandwidth = a->server_bandwidth,
                             .uplink_bandwidth = a->uplink_bandwidth,
                             .oversubscription = a->oversubscription,
                             .decimal = a->decimal,
                             .servers_forward = a->servers_forward,
                             .gpus_per_node = count_of(a->gpus_per_node),
                             .groups = a->groups,
                             .system = a->system,
                             .latency = a->latency,
                             .gpus = count_of(a->gpus),
                             .time_unit = a->time_unit,
                             .kind = a->kind,
                             .failing_servers = count_of(a->servers)};
    return LP_OK;
}

static LpErr format_of(const char *file, const LpFormat **out, LpDiag *diag) {
    if (strcmp(file, "-") == 0)
        return lp_fail(diag, LP_EINVAL,
                       "standard input can be read once, so its format has to be "
                       "named: lightpath import FORMAT -");
    LP_TRY(lp_format_of(file, out, diag));
    if (*out == NULL)
        return lp_fail_at(diag, LP_EINVAL, file, 0, 0,
                          "which format this is cannot be told from its contents: name it, as in "
                          "lightpath doctor FORMAT FILE");
    return LP_OK;
}

/* The cluster comes first: it says which jobs are too wide. */
static LpErr read_onto(const LpImportArgs *args, const LpFormat *format, LpImportOptions *options,
                       LpImportedRows *out, LpDiag *diag) {
    if (args->cluster == NULL && args->required != NULL)
        return lp_fail(diag, LP_EINVAL, "--required %s needs a cluster with levels: --cluster FILE",
                       args->required);
    if (args->cluster == NULL)
        return LP_OK;
    if (format->makes != LP_MAKES_JOBS && format->makes != LP_MAKES_STEP)
        return lp_fail(diag, LP_EINVAL, "--cluster is for jobs, and %s holds none", format->name);
    if (args->servers > 0)
        return lp_fail(diag, LP_EINVAL, "--servers beside --cluster: expected one of them");
    out->has_onto = true;
    LP_TRY(lp_import_onto(&args->cluster, options, &out->onto, diag));
    options->servers = out->onto.servers;
    options->level_servers = out->onto.level_servers;
    options->hosts = out->onto.hosts;
    return LP_OK;
}

LpErr lp_cli_import(const char *const *word, int words, const LpImportArgs *args,
                    LpImportedRows *out, LpDiag *diag) {
    LpImportOptions options;
    *out = (LpImportedRows){0};
    if (words == 0)
        return lp_fail(diag, LP_EINVAL, "expected [FORMAT] FILE...");
    const LpFormat *format = lp_format_find(word[0]);
    bool automatic = strcmp(word[0], "auto") == 0;
    int first = format != NULL || automatic ? 1 : 0;
    LP_TRY(options_of(args, &options, diag));
    if (first == words)
        return lp_fail(diag, LP_EINVAL, "%s needs a file: expected FORMAT FILE...", word[0]);
    if (format == NULL && !automatic && words > 1 && access(word[0], F_OK) != 0)
        return lp_format_named(word[0], &format, diag);
    if (format == NULL)
        LP_TRY(format_of(word[first], &format, diag));
    LP_TRY(lp_import_heeds(args, format, diag));
    LP_TRY(read_onto(args, format, &options, out, diag));
    return lp_import_read(format, word + first, (size_t)(words - first), &options, &out->import,
                          diag);
}

void lp_cli_import_free(LpImportedRows *out) {
    lp_import_free(&out->import);
    lp_import_onto_free(&out->onto);
}

LpErr lp_cli_import_text(const LpImportedRows *is, LpBuf *out, LpDiag *diag) {
    LP_TRY(lp_import_text(&is->import, out, diag));
    return is->has_onto && is->onto.net.format != NULL ? lp_import_text(&is->onto.net, out, diag)
                                                       : LP_OK;
}
