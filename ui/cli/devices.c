/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath devices`: every constant of the accelerators that the engine uses, with its source. */
#include <stdio.h>
#include <string.h>

#include "base/fact.h"
#include "cli/common/cli.h"
#include "model/device/device.h"
#include "model/parallel/machine.h"

typedef struct Options {
    bool json, markdown, man, step;
} Options;

static const LpFlag flags[] = {
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
    {"--markdown", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, markdown), NULL,
     "print the table of docs/semantics.md"},
    {"--man", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, man), NULL,
     "print the list of lightpath-scenario(5)"},
    {"--step", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, step), NULL,
     "instead the constants that `predict zoo:decoder` times a training step with"},
};

/* Rates of matrix units, those that the device has. */
static void add_rates(LpBuf *out, const LpDevice *d, const char *between) {
    const struct {
        const char *name;
        double rate;
    } row[] = {{"tf32", d->tf32}, {"fp16", d->fp16}, {"bf16", d->bf16}, {"fp8", d->fp8}};
    bool more = false;
    for (size_t i = 0; i < LP_COUNTOF(row); i++)
        if (row[i].rate > 0) {
            lp_buf_addf(out, "%s%s %.5g", more ? between : "", row[i].name, row[i].rate / 1e12);
            more = true;
        }
    lp_buf_add(out, more ? "" : "none");
}

/* "312 TFLOP/s" of matrix units are reached to that share by large products; who shares their
 * tiles. */
static void add_units(LpBuf *out, const LpDevice *d) {
    if (d->bf16 > 0 || d->fp16 > 0)
        lp_buf_addf(out, " (%.0f %% reached)", 100 * d->matrix_efficiency);
    if (d->units > 0)
        lp_buf_addf(out, "; %.0f multiprocessors", d->units);
}

static void add_text_row(LpBuf *out, const LpDevice *d) {
    lp_buf_addf(out, "%-8s %8.4g %8.3g %9.5g %9.4g %8.3g  %-11s %s\n", d->name,
                d->peak_flops / 1e12, d->flops_efficiency * d->peak_flops / 1e12,
                d->bandwidth / 1e9, d->memory_efficiency * d->bandwidth / 1e9, d->memory / 1e9,
                lp_device_evidence(d), d->source);
    lp_buf_addf(out, "%68s ", "matrix units:");
    add_rates(out, d, ", ");
    add_units(out, d);
    lp_buf_add(out, "\n");
    if (d->doubt[0] != '\0')
        lp_buf_addf(out, "%68s %s\n", "doubt:", d->doubt);
}

static void add_markdown_row(LpBuf *out, const LpDevice *d) {
    lp_buf_addf(out, "| %s | %.4g x %.2g = %.4g | ", d->name, d->peak_flops / 1e12,
                d->flops_efficiency, d->flops_efficiency * d->peak_flops / 1e12);
    add_rates(out, d, ", ");
    add_units(out, d);
    lp_buf_addf(out, " | %.5g x %.2g = %.5g | %.3g | %s%s%s | %s |\n", d->bandwidth / 1e9,
                d->memory_efficiency, d->memory_efficiency * d->bandwidth / 1e9, d->memory / 1e9,
                lp_device_evidence(d), d->doubt[0] != '\0' ? ": " : "", d->doubt, d->source);
}

static void add_man_row(LpBuf *out, const LpDevice *d) {
    lp_buf_addf(out,
                ".It Qq %s\n%.4g TFLOP/s of %s, of which %.0f %% are taken as reached;\n"
                "%.5g GB/s of memory bandwidth, of which %.0f %% are; %.3g GB of memory.\n"
                "Matrix units, TFLOP/s: ",
                d->name, d->peak_flops / 1e12, d->format, 100 * d->flops_efficiency,
                d->bandwidth / 1e9, 100 * d->memory_efficiency, d->memory / 1e9);
    add_rates(out, d, ", ");
    add_units(out, d);
    lp_buf_addf(out, ".\n%s.\n", d->source);
    if (d->doubt[0] != '\0')
        lp_buf_addf(out, "Doubtful: %s.\n", d->doubt);
}

static void add_json(LpBuf *text, const LpDevice *device, size_t count) {
    LpJsonOut out = {.out = text};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath", 1);
    lp_json_open(&out, "devices", '[');
    for (size_t i = 0; i < count; i++) {
        lp_json_break(&out);
        lp_json_open(&out, NULL, '{');
        lp_facts_json(&lp_device_facts, &device[i], NULL, &out);
        lp_json_close(&out, '}');
    }
    lp_json_close(&out, ']');
    lp_json_end(&out);
}

static void add_head(LpBuf *out, const Options *o) {
    if (o->markdown)
        lp_buf_add(out, "| device | fp32 TFLOP/s: peak x efficiency | matrix units, TFLOP/s "
                        "| memory GB/s: peak x efficiency | memory, GB | how sure are the peaks "
                        "| they are those of |\n"
                        "|---|---|---|---|---|---|---|\n");
    else if (o->man)
        lp_buf_add(out, ".Ss devices\n.Bl -tag -width Ds\n");
    else
        lp_buf_addf(out, "%-8s %8s %8s %9s %9s %8s  %-11s %s\n", "DEVICE", "TFLOP/s", "REACHED",
                    "GB/s", "REACHED", "GB", "EVIDENCE", "SOURCE");
}

/* ---- constants of a training step ---- */

static void add_step_json(LpJsonOut *out, const LpDevice *device, const LpMachine *machine) {
    lp_json_break(out);
    lp_json_open(out, NULL, '{');
    lp_json_put_text(out, "name", device->name);
    lp_facts_json(&lp_machine_facts, machine, NULL, out);
    lp_json_put_text(out, "source", lp_machine_source(device));
    lp_json_close(out, '}');
}

static void add_step_text(LpBuf *out, const LpDevice *device, const LpMachine *machine) {
    enum { SHOWN = 32 };
    char text[SHOWN];
    const LpMachineOrigin *from = lp_machine_origins();
    lp_buf_addf(out, "%s: %s\n", device->name, lp_machine_source(device));
    for (size_t i = 0; i < lp_machine_facts.facts; i++) {
        const LpFact *fact = &lp_machine_facts.fact[i];
        double value = lp_fact_value(&lp_machine_facts, fact, machine, NULL).real;
        lp_buf_addf(out, "  %-17s %12s  %-9s  %s: %s\n", fact->key,
                    lp_quantity_print(value, fact->dimension, text, sizeof text), from[i].kind,
                    fact->meaning, from[i].source);
    }
}

/* Prints the devices whose links are known. */
static int print_step(const Options *o) {
    LpBuf text = {0};
    LpJsonOut out = {.out = &text};
    size_t count;
    const LpDevice *device = lp_device_table(&count);
    LpMachine machine;
    if (o->json) {
        lp_json_open(&out, NULL, '{');
        lp_json_put_count(&out, "lightpath", 1);
        lp_json_open(&out, "devices", '[');
    }
    for (size_t i = 0; i < count; i++) {
        if (lp_machine_of(&device[i], &machine, NULL) != LP_OK)
            continue;
        if (o->json)
            add_step_json(&out, &device[i], &machine);
        else
            add_step_text(&text, &device[i], &machine);
    }
    if (o->json) {
        lp_json_close(&out, ']');
        lp_json_end(&out);
    }
    return lp_cli_print(LP_OK, &text, NULL);
}

static int print_devices(const Options *o) {
    LpBuf out = {0};
    size_t count;
    const LpDevice *device = lp_device_table(&count);
    if (o->json) {
        add_json(&out, device, count);
        return lp_cli_print(LP_OK, &out, NULL);
    }
    add_head(&out, o);
    for (size_t i = 0; i < count; i++)
        (o->markdown ? add_markdown_row : o->man ? add_man_row : add_text_row)(&out, &device[i]);
    lp_buf_add(&out, o->man ? ".El\n" : "");
    return lp_cli_print(LP_OK, &out, NULL);
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_devices, cli, &options, &args, &code))
        return code;
    code = options.step ? print_step(&options) : print_devices(&options);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_devices = {
    .name = "devices",
    .arguments = "",
    .summary = "List the constants of the accelerators, with their sources",
    .least = 0,
    .most = 0,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes =
        "Rates of fp32 arithmetic outside tensor cores, and of device memory; REACHED is what\n"
        "the engine takes: 70 % and 80 %, our assumptions for all devices. EVIDENCE of the peaks:\n"
        "second hand (as others print the data sheet), or doubtful (others print something "
        "else).\n",
    .run = run,
};
