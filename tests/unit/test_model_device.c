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
#include "group.h"
#include "model/device/device.h"
#include "model/fabric/cluster.h"

static void names_are_forgiving(void **state) {
    (void)state;
    const LpDevice *titan = lp_device_find("Titan V");
    assert_non_null(titan);
    const char *same[] = {"TitanV", "titan-v", "TITAN_V", " titan v "};
    for (size_t i = 0; i < LP_COUNTOF(same); i++)
        assert_ptr_equal(lp_device_find(same[i]), titan);
    assert_string_equal(lp_device_find("h100")->name, "H100");
    assert_string_equal(lp_device_default()->name, "A100");
    assert_ptr_equal(lp_device_find("a100-80g"), lp_device_default());
    assert_string_equal(lp_device_find("a100-40g")->name, "A100 40G");
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
        double teraflops, gigabytes_per_second, gigabytes, tf32, fp16, bf16, fp8;
    } sheet[] = {
        {"A100", 19.5, 2039, 80, 156, 312, 312, 0},
        {"V100", 15.7, 900, 32, 0, 125, 0, 0},
        {"Titan V", 14.9, 652.8, 12, 0, 110, 0, 0},
        {"M40", 7.0, 288, 24, 0, 0, 0, 0},
        {"H100", 67, 3350, 80, 495, 989, 989, 1979},
        {"A100 40G", 19.5, 1555, 40, 156, 312, 312, 0},
        {"H200", 67, 4800, 141, 495, 989, 989, 1979},
        {"B200", 75, 7700, 180, 1100, 2250, 2250, 4500},
        {"TPU v4", 8.6, 1200, 34.36, 0, 0, 275, 0},
        {"TPU v5p", 14.3, 2765, 95, 0, 0, 459, 0},
    };
    size_t count;
    lp_device_table(&count);
    assert_int_equal(count, LP_COUNTOF(sheet));
    for (size_t i = 0; i < LP_COUNTOF(sheet); i++) {
        const LpDevice *device = lp_device_find(sheet[i].name);
        assert_non_null(device);
        expect_close(device->peak_flops, sheet[i].teraflops * 1e12);
        expect_close(device->bandwidth, sheet[i].gigabytes_per_second * 1e9);
        expect_close(device->memory, sheet[i].gigabytes * 1e9);
        expect_close(device->tf32, sheet[i].tf32 * 1e12);
        expect_close(device->fp16, sheet[i].fp16 * 1e12);
        expect_close(device->bf16, sheet[i].bf16 * 1e12);
        expect_close(device->fp8, sheet[i].fp8 * 1e12);
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
        assert_non_null(device[i].alias);
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

TEST_GROUP(test_model_device) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_forgiving),         cmocka_unit_test(unknown_names_find_nothing),
        cmocka_unit_test(figures_are_the_data_sheets), cmocka_unit_test(the_table_is_complete),
        cmocka_unit_test(servers_know_their_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
