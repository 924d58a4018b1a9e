/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes and words that several readers share. */
#include "io/scenario/loader.h"

const LpJsonShape lp_shape_text = {.form = LP_FORM_TEXT};
const LpJsonShape lp_shape_number = {.form = LP_FORM_NUMBER};
const LpJsonShape lp_shape_format = {.form = LP_FORM_FORMAT};

const char *const lp_partition_words[] = {"model", "data", "tensor", NULL};
