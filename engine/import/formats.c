/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of formats, and telling them apart. */
#include <string.h>

#include "base/mem.h"
#include "import/formats.h"
#include "import/import.h"
#include "import/jobs/jobs.h"
#include "import/nets/net.h"
#include "import/nets/nets.h"
#include "import/steps/steps.h"
#include "io/files/lines.h"

/* In the order of help; what `auto` asks first stands first among those that look alike. */
/* clang-format off */
static const LpFormat *const FORMAT[] = {
    &lp_format_sacct,
    &lp_format_openb,
    &lp_format_swf,
    &lp_format_philly,
    &lp_format_helios,
    &lp_format_acme,
    &lp_format_pai,
    &lp_format_tiresias,
    &lp_format_rfold,
    &lp_format_rfold_mix,
    &lp_format_csv,
    &lp_format_slurm_topology,
    &lp_format_topograph,
    &lp_format_graphml,
    &lp_format_gml,
    &lp_format_edges,
    &lp_format_astra_network,
    &lp_format_chakra,
    &lp_format_goal,
    &lp_format_simai,
    &lp_format_pipedream,
    &lp_format_stepfun,
};
/* clang-format on */

size_t lp_formats(const LpFormat *const **out) {
    *out = FORMAT;
    return LP_COUNTOF(FORMAT);
}

const LpFormat *lp_format_find(const char *name) {
    for (size_t i = 0; i < LP_COUNTOF(FORMAT); i++)
        if (strcmp(FORMAT[i]->name, name) == 0)
            return FORMAT[i];
    return NULL;
}

LpErr lp_format_named(const char *name, const LpFormat **out, LpDiag *diag) {
    const char *names[LP_COUNTOF(FORMAT)];
    LpBuf all = {0};
    char shown[64];
    *out = lp_format_find(name);
    if (*out != NULL)
        return LP_OK;
    for (size_t i = 0; i < LP_COUNTOF(FORMAT); i++) {
        names[i] = FORMAT[i]->name;
        lp_buf_addf(&all, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    int near = lp_str_nearest(name, names, LP_COUNTOF(FORMAT));
    LpErr err = lp_fail(diag, LP_EINVAL, "unknown format \"%s\"%s%s: expected auto, %s",
                        lp_str_show(shown, sizeof shown, name), near >= 0 ? ", did you mean " : "",
                        near >= 0 ? names[near] : "", lp_buf_text(&all));
    lp_buf_fini(&all);
    return err;
}

LpErr lp_format_of(const char *file, const LpFormat **out, LpDiag *diag) {
    LpLineFile *lines;
    LpHead head;
    *out = NULL;
    LP_TRY(lp_lines_open(file, 0, &lines, diag));
    LpErr err = lp_lines_head(lines, &head.text, &head.len, diag);
    if (err == LP_OK && head.len == 0)
        err = lp_fail_at(diag, LP_EPARSE, lp_lines_file(lines), 0, 0, "the file is empty");
    for (size_t i = 0; err == LP_OK && *out == NULL && i < LP_COUNTOF(FORMAT); i++)
        if (FORMAT[i]->is != NULL && FORMAT[i]->is(&head))
            *out = FORMAT[i];
    lp_lines_close(lines);
    return err;
}

LpErr lp_format_hint(const char *file, LpErr err, LpDiag *diag) {
    const LpFormat *format;
    LpDiag inner;
    char shown[LP_DIAG_FILE];
    bool unread = err == LP_EPARSE || err == LP_EINVAL || err == LP_ELIMIT;
    if (!unread || strcmp(file, "-") == 0 || lp_format_of(file, &format, &inner) != LP_OK ||
        format == NULL || format->makes == LP_MAKES_PROFILE) /* scenarios read those themselves */
        return err;
    lp_str_show(shown, sizeof shown, file);
    return lp_fail_at(diag, err, file, 0, 0,
                      "this is no scenario but %s (%s): lightpath doctor %s %s says what it holds, "
                      "lightpath import %s %s -o OUT makes %s of it",
                      format->name, format->what, format->name, shown, format->name, shown,
                      lp_format_becomes(format));
}

const char *lp_format_becomes(const LpFormat *format) {
    static const char *const becomes[] = {[LP_MAKES_JOBS] = "a scenario",
                                          [LP_MAKES_CLUSTER] = "a scenario",
                                          [LP_MAKES_STEP] = "a scenario",
                                          [LP_MAKES_PROFILE] = "a profile of lightpath's own",
                                          [LP_MAKES_FAULTS] = "a trace of failures",
                                          [LP_MAKES_GENERATOR] = "a scenario"};
    return becomes[format->makes];
}

static LpErr check_files(const LpFormat *format, size_t files, LpDiag *diag) {
    if (files >= format->least && (format->most == 0 || files <= format->most))
        return LP_OK;
    if (format->least == format->most)
        return lp_fail(diag, LP_EINVAL, "%s is read from %zu file%s, not %zu", format->name,
                       format->least, lp_str_s(format->least), files);
    return lp_fail(diag, LP_EINVAL, "%s is read from %zu file%s at least, not %zu", format->name,
                   format->least, lp_str_s(format->least), files);
}

LpErr lp_import_read(const LpFormat *format, const char *const *file, size_t files,
                     const LpImportOptions *options, LpImport *out, LpDiag *diag) {
    *out = (LpImport){.format = format, .options = *options};
    LpReading *reading = &out->reading;
    *reading = (LpReading){.file = file,
                           .files = files,
                           .options = &out->options,
                           .called = format->called != NULL ? format->called : format->name};
    LP_TRY(check_files(format, files, diag));
    if (format->makes == LP_MAKES_JOBS)
        LP_TRY(lp_rows_new(&reading->rows, diag));
    if (format->makes == LP_MAKES_CLUSTER)
        LP_TRY(lp_net_new(&reading->net, diag));
    LP_TRY(format->read(reading, diag));
    if (format->makes == LP_MAKES_JOBS)
        LP_TRY(lp_rows_finish(reading->rows, &out->options, diag));
    return LP_OK;
}

void lp_import_free(LpImport *import) {
    if (import->format != NULL && import->format->drop != NULL && import->reading.own != NULL)
        import->format->drop(import->reading.own);
    lp_rows_free(import->reading.rows);
    lp_net_free(import->reading.net);
    *import = (LpImport){0};
}
