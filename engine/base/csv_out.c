/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer of CSV. */
#include "base/csv_out.h"

#include <math.h>

#include "base/num.h"

static LpBuf *begin(LpCsvOut *csv) {
    lp_buf_add(csv->out, csv->more ? "," : "");
    csv->more = true;
    return csv->out;
}

void lp_csv_put_words(LpCsvOut *csv, const char *words) {
    lp_buf_add(begin(csv), words);
}

void lp_csv_put_text(LpCsvOut *csv, const char *text) {
    lp_str_csv(begin(csv), text, false, csv->raw);
}

void lp_csv_put_quoted(LpCsvOut *csv, const char *text) {
    lp_str_csv(begin(csv), text, true, csv->raw);
}

void lp_csv_put_number(LpCsvOut *csv, double value) {
    char text[LP_NUM_TEXT];
    lp_csv_put_words(csv, isfinite(value) ? lp_num_print(value, text) : NULL);
}

void lp_csv_put_count(LpCsvOut *csv, uint64_t value) {
    lp_buf_addf(begin(csv), "%llu", (unsigned long long)value);
}

void lp_csv_end(LpCsvOut *csv) {
    lp_buf_add(csv->out, "\n");
    csv->more = false;
}
