/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reconfiguration delays of real devices and of modelling conventions, each with its source. */
#include <string.h>

#include "model/fabric/circuit.h"

/* Where only the sum is known it stands under `turn`. */
static const LpPreset PRESETS[] = {
    {"patch_panel",
     "robotic patch panel",
     {0, 120, 0},
     60,
     600,
     LP_EVIDENCE_MEMORY,
     "Telescent: minutes"},
    {"calient_bulk_own",
     "Calient S320, many circuits, its own software resolves conflicts",
     {0, 0.5, 0},
     0,
     0.5,
     LP_EVIDENCE_TEXT,
     "Calient S320 hardware guide, p. 44: up to 500 ms"},
    {"calient_bulk",
     "Calient S320, many circuits, external controller",
     {0, 0.2, 0},
     0,
     0.2,
     LP_EVIDENCE_TEXT,
     "Calient S320 hardware guide, p. 44: less than 200 ms"},
    {"calient_single",
     "Calient S320, one circuit",
     {0, 0.05, 0},
     0.025,
     0.05,
     LP_EVIDENCE_MEMORY,
     "25 to 50 ms"},
    {"mems",
     "commercial 3D MEMS in general",
     {0, 0.025, 0},
     0.01,
     0.1,
     LP_EVIDENCE_ABSTRACT,
     "IEEE Photonics Technology Letters 2013: tens of ms"},
    {"convention",
     "what SiP-ML and TopoOpt assume of a circuit switch",
     {0, 0.01, 0},
     0.01,
     0.01,
     LP_EVIDENCE_SECOND_HAND,
     "Khani et al., SIGCOMM 2021; Wang et al., NSDI 2023: 10 ms"},
    {"palomar",
     "Google Palomar (disputed)",
     {0, 0.003, 0},
     0.001,
     1,
     LP_EVIDENCE_SECOND_HAND,
     "\"milliseconds\"; others say 1 to 3 ms, or seconds with its control"},
    {"micro_ring",
     "micro-ring resonators (SiP-Ring)",
     {0, 25e-6, 0},
     25e-6,
     25e-6,
     LP_EVIDENCE_MEMORY,
     "Khani et al., SIGCOMM 2021: 25 us"},
    {"mordia",
     "Mordia, 2D-MEMS wavelength-selective switches",
     {0, 12e-6, 0},
     11.5e-6,
     12e-6,
     LP_EVIDENCE_ABSTRACT,
     "Porter et al., SIGCOMM 2013: 12 us"},
    {"ocs_24x24",
     "24 x 24 switch with its network: program, switch, lock",
     {68.5e-6, 2.8e-6, 8.7e-6},
     80e-6,
     80e-6,
     LP_EVIDENCE_ABSTRACT,
     "demonstration: 68.5 + 2.8 + 8.7 us"},
    {"sirius",
     "Sirius, tunable lasers and a grating",
     {0, 0.912e-9, 2.928e-9},
     3.84e-9,
     3.84e-9,
     LP_EVIDENCE_ABSTRACT,
     "Ballani et al., SIGCOMM 2020: 3.84 ns end to end, laser below 912 ps"},
    {"ramp",
     "RAMP",
     {0, 1e-9, 0},
     1e-9,
     10e-9,
     LP_EVIDENCE_ABSTRACT,
     "Ottino et al., OSN 51 (2023): nanoseconds"},
    {"pulse",
     "PULSE",
     {0, 100e-12, 0},
     100e-12,
     20e-9,
     LP_EVIDENCE_ABSTRACT,
     "O(100 ps), in slots of 20 ns"},
};

static const char *const MARKS[] = {
    [LP_EVIDENCE_TEXT] = "text",
    [LP_EVIDENCE_ABSTRACT] = "abstract",
    [LP_EVIDENCE_SECOND_HAND] = "second hand",
    [LP_EVIDENCE_MEMORY] = "unsourced",
};

const LpPreset *lp_preset_table(size_t *count) {
    *count = LP_COUNTOF(PRESETS);
    return PRESETS;
}

const LpPreset *lp_preset_find(const char *name) {
    for (size_t i = 0; name != NULL && i < LP_COUNTOF(PRESETS); i++)
        if (strcmp(name, PRESETS[i].name) == 0)
            return &PRESETS[i];
    return NULL;
}

const char *lp_evidence_name(LpEvidence evidence) {
    return MARKS[evidence];
}

double lp_reconfiguration_time(const LpReconfiguration *r) {
    return r->program + r->turn + r->lock;
}
