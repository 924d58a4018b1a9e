/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/steps/proto.h"

#include <string.h>

#include "import/steps/bytes.h"

enum { VARINT_MAX = 10, BITS = 7 };

int lp_proto_varint(const unsigned char *data, size_t len, uint64_t *out) {
    uint64_t value = 0;
    for (size_t i = 0; i < VARINT_MAX; i++) {
        if (i == len)
            return 0;
        value |= (uint64_t)(data[i] & 0x7f) << (BITS * i);
        if (data[i] < 0x80) {
            *out = value;
            return (int)i + 1;
        }
    }
    return -1;
}

static void take(LpProto *message, size_t count) {
    message->at += count;
    message->place += count;
}

static size_t left(const LpProto *message) {
    return (size_t)(message->end - message->at);
}

LpErr lp_proto_packed(LpProto *list, uint64_t *out, LpDiag *diag) {
    int used = lp_proto_varint(list->at, left(list), out);
    if (used < 0)
        return lp_bytes_fail_in(list->file, list->place, diag, "a number of more than 10 bytes");
    if (used == 0)
        return lp_bytes_fail_in(list->file, list->place, diag, "the message ends inside a number");
    take(list, (size_t)used);
    return LP_OK;
}

static uint64_t little_endian(const unsigned char *data, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value |= (uint64_t)data[i] << (8 * i);
    return value;
}

static LpErr take_fixed(LpProto *message, size_t bytes, uint64_t *out, LpDiag *diag) {
    if (left(message) < bytes)
        return lp_bytes_fail_in(message->file, message->place, diag,
                                "a value of %zu bytes where %zu are left", bytes, left(message));
    *out = little_endian(message->at, bytes);
    take(message, bytes);
    return LP_OK;
}

static LpErr take_bytes(LpProto *message, LpProto *out, LpDiag *diag) {
    uint64_t len;
    uint64_t place = message->place;
    LP_TRY(lp_proto_packed(message, &len, diag));
    if (len > left(message))
        return lp_bytes_fail_in(message->file, place, diag,
                                "a value of %llu bytes where %zu are left", (unsigned long long)len,
                                left(message));
    *out = (LpProto){message->at, message->at + len, message->place, message->file};
    take(message, (size_t)len);
    return LP_OK;
}

LpErr lp_proto_next(LpProto *message, LpProtoField *field, bool *more, LpDiag *diag) {
    uint64_t key;
    *more = message->at < message->end;
    if (!*more)
        return LP_OK;
    field->place = message->place;
    LP_TRY(lp_proto_packed(message, &key, diag));
    field->number = key >> 3;
    field->wire = (LpWireType)(key & 7);
    if (field->number == 0)
        return lp_bytes_fail_in(message->file, field->place, diag,
                                "field 0, expected fields from 1 on");
    switch (field->wire) {
    case LP_WIRE_VARINT:
        return lp_proto_packed(message, &field->value, diag);
    case LP_WIRE_64:
        return take_fixed(message, 8, &field->value, diag);
    case LP_WIRE_32:
        return take_fixed(message, 4, &field->value, diag);
    case LP_WIRE_BYTES:
        return take_bytes(message, &field->bytes, diag);
    }
    return lp_bytes_fail_in(message->file, field->place, diag,
                            "wire type %d of field %llu, expected 0, 1, 2 or 5", (int)(key & 7),
                            (unsigned long long)field->number);
}

/* ---- attributes ---- */

static LpWireType wire_of(LpAttrKind kind) {
    switch (kind) {
    case LP_ATTR_DOUBLE:
    case LP_ATTR_FIXED64:
    case LP_ATTR_SFIXED64:
        return LP_WIRE_64;
    case LP_ATTR_FLOAT:
    case LP_ATTR_FIXED32:
    case LP_ATTR_SFIXED32:
        return LP_WIRE_32;
    case LP_ATTR_STRING:
    case LP_ATTR_BYTES:
        return LP_WIRE_BYTES;
    default:
        return LP_WIRE_VARINT;
    }
}

/* Two's complement of `bits` bits. */
static int64_t signed_of(uint64_t value, int bits) {
    uint64_t sign = UINT64_C(1) << (bits - 1);
    value &= sign | (sign - 1);
    return value < sign ? (int64_t)value : -(int64_t)(2 * sign - 1 - value) - 1;
}

/* Numbers in the order 0, -1, 1, -2, 2. */
static int64_t unfold(uint64_t value) {
    return (value & 1) != 0 ? -(int64_t)(value >> 1) - 1 : (int64_t)(value >> 1);
}

static void set_signed(LpAttrValue *out, int64_t value) {
    out->whole = value < 0 ? 0 : (uint64_t)value;
    out->low = value < 0 ? value : 0;
    out->real = (double)value;
}

static void set_unsigned(LpAttrValue *out, uint64_t value) {
    out->whole = value;
    out->real = (double)value;
}

static void set_real(LpAttrValue *out, double value) {
    out->real = value;
    if (value >= 0 && value < 18446744073709551616.0)
        out->whole = (uint64_t)value;
    else if (value < 0 && value >= -9223372036854775808.0)
        out->low = (int64_t)value;
}

static void value_of(LpAttrKind kind, uint64_t bits, const LpProto *bytes, LpAttrValue *out) {
    uint32_t word = (uint32_t)bits;
    float single;
    double real;
    *out = (LpAttrValue){.kind = kind};
    switch (kind) {
    case LP_ATTR_DOUBLE:
        memcpy(&real, &bits, sizeof real);
        set_real(out, real);
        return;
    case LP_ATTR_FLOAT:
        memcpy(&single, &word, sizeof single);
        set_real(out, (double)single);
        return;
    case LP_ATTR_INT32:
    case LP_ATTR_SFIXED32:
        set_signed(out, signed_of(bits, 32));
        return;
    case LP_ATTR_INT64:
    case LP_ATTR_SFIXED64:
        set_signed(out, signed_of(bits, 64));
        return;
    case LP_ATTR_SINT32:
    case LP_ATTR_SINT64:
        set_signed(out, unfold(bits));
        return;
    case LP_ATTR_UINT32:
        set_unsigned(out, word);
        return;
    case LP_ATTR_BOOL:
        set_unsigned(out, bits != 0);
        return;
    case LP_ATTR_STRING:
    case LP_ATTR_BYTES:
        out->text = *bytes;
        return;
    default:
        set_unsigned(out, bits);
    }
}

bool lp_attr_is(const LpAttr *attr, const char *name) {
    size_t len = strlen(name);
    return left(&attr->name) == len && memcmp(attr->name.at, name, len) == 0;
}

LpErr lp_attr_read(LpProto message, LpAttr *out, LpDiag *diag) {
    static const unsigned char nothing[1] = {0};
    LpProtoField field = {0};
    bool more;
    *out = (LpAttr){.name = {.at = nothing, .end = nothing}};
    for (;;) {
        LP_TRY(lp_proto_next(&message, &field, &more, diag));
        if (!more)
            return LP_OK;
        if (field.number == 1 && field.wire == LP_WIRE_BYTES) {
            out->name = field.bytes;
        } else if (field.number >= LP_ATTR_DOUBLE && field.number <= LP_ATTR_BYTES + 1) {
            LpAttrKind kind = (LpAttrKind)((field.number - 1) | 1);
            bool list = field.number != (uint64_t)kind;
            if (field.wire != (list ? LP_WIRE_BYTES : wire_of(kind)))
                continue; /* another version of the format: passed over as what is unknown */
            out->of = list ? kind : LP_ATTR_NONE;
            out->value = (LpAttrValue){0};
            if (list)
                out->list = field.bytes;
            else
                value_of(kind, field.value, &field.bytes, &out->value);
        }
    }
}

LpErr lp_attr_item(LpAttr *attr, LpProto *packed, LpAttrValue *out, bool *more, LpDiag *diag) {
    LpWireType wire = wire_of(attr->of);
    LpProtoField field = {0};
    while (packed->at == packed->end) {
        LP_TRY(lp_proto_next(&attr->list, &field, more, diag));
        if (!*more)
            return LP_OK;
        if (field.number != 1)
            continue;
        if (field.wire == wire) {
            value_of(attr->of, field.value, &field.bytes, out);
            return LP_OK;
        }
        if (field.wire == LP_WIRE_BYTES)
            *packed = field.bytes;
    }
    uint64_t bits = 0;
    *more = true;
    if (wire == LP_WIRE_VARINT)
        LP_TRY(lp_proto_packed(packed, &bits, diag));
    else
        LP_TRY(take_fixed(packed, wire == LP_WIRE_64 ? 8 : 4, &bits, diag));
    value_of(attr->of, bits, NULL, out);
    return LP_OK;
}
