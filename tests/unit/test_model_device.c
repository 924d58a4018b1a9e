/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The device table and the types of a cluster's servers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "model/fabric/cluster.h"
#include "model/fabric/device.h"

static void names_are_forgiving(void **state) {
    (void)state;
    const LpDevice *titan = lp_device_find("Titan V");
    assert_non_null(titan);
    const char *same[] = {"TitanV", "titan-v", "TITAN_V", " titan v "};
    for (size_t i = 0; i < LP_COUNTOF(same); i++)
        assert_ptr_equal(lp_device_find(same[i]), titan);
    assert_string_equal(lp_device_find("h100")->name, "H100");
    assert_string_equal(lp_device_default()->name, "A100");
}

static void unknown_names_find_nothing(void **state) {
    (void)state;
    const char *unknown[] = {"", "A10", "A1000", "Titan", "Titan X", NULL};
    for (size_t i = 0; i < LP_COUNTOF(unknown); i++)
        assert_null(lp_device_find(unknown[i]));
}

static void expect_close(double value, double expected) {
    assert_true(fabs(value - expected) <= 1e-12 * expected);
}

static void figures_are_the_data_sheets(void **state) {
    (void)state;
    const struct {
        const char *name;
        double teraflops, gigabytes_per_second, gigabytes;
    } sheet[] = {
        {"A100", 19.5, 2039, 80}, {"V100", 15.7, 900, 32}, {"Titan V", 14.9, 652.8, 12},
        {"M40", 7.0, 288, 24},    {"H100", 67, 3350, 80},
    };
    for (size_t i = 0; i < LP_COUNTOF(sheet); i++) {
        const LpDevice *device = lp_device_find(sheet[i].name);
        assert_non_null(device);
        expect_close(device->peak_flops, sheet[i].teraflops * 1e12);
        expect_close(device->bandwidth, sheet[i].gigabytes_per_second * 1e9);
        expect_close(device->memory, sheet[i].gigabytes * 1e9);
    }
}

static void the_table_is_complete(void **state) {
    (void)state;
    size_t count = 0;
    const LpDevice *device = lp_device_table(&count);
    assert_true(count >= 5);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(lp_device_find(device[i].name), &device[i]);
        assert_true(device[i].flops_efficiency > 0 && device[i].flops_efficiency <= 1);
        assert_true(device[i].memory_efficiency > 0 && device[i].memory_efficiency <= 1);
        assert_string_equal(device[i].format, "fp32"); /* one number format for all */
        assert_true(strlen(device[i].source) > 0);
        assert_non_null(device[i].doubt);
    }
}

static void servers_know_their_type(void **state) {
    (void)state;
    LpCluster cluster = {
        .servers = 9, .types = 3, .type = {{.count = 4}, {.count = 1}, {.count = 4}}};
    const uint32_t expected[] = {0, 0, 0, 0, 1, 2, 2, 2, 2};
    for (uint32_t server = 0; server < cluster.servers; server++)
        assert_int_equal(lp_cluster_type_of(&cluster, server), expected[server]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_forgiving),         cmocka_unit_test(unknown_names_find_nothing),
        cmocka_unit_test(figures_are_the_data_sheets), cmocka_unit_test(the_table_is_complete),
        cmocka_unit_test(servers_know_their_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
