/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes and words that several readers share. */
#include "io/scenario/loader.h"

const LpJsonShape lp_shape_text = {.form = LP_FORM_TEXT};
const LpJsonShape lp_shape_number = {.form = LP_FORM_NUMBER};
static const LpJsonShape *const text_or_number[] = {&lp_shape_text, &lp_shape_number, NULL};
const LpJsonShape lp_shape_text_or_number = {.form = LP_FORM_ONE_OF, .of = text_or_number};
const LpJsonShape lp_shape_format = {.form = LP_FORM_FORMAT};

const char *const lp_partition_words[] = {"model", "data", "tensor", NULL};
