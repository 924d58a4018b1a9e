/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wire format of protocol buffers (proto3), and the attributes that Chakra writes in it. Reads
 * memory and copies nothing. */
#ifndef LP_IMPORT_STEPS_PROTO_H
#define LP_IMPORT_STEPS_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* What is left of a message. */
typedef struct LpProto {
    const unsigned char *at, *end;
    uint64_t place; /* byte of the file that `at` is */
    const char *file;
} LpProto;

typedef enum LpWireType { /* as the format numbers them; 3, 4, 6 and 7 are refused */
                          LP_WIRE_VARINT = 0,
                          LP_WIRE_64 = 1,
                          LP_WIRE_BYTES = 2,
                          LP_WIRE_32 = 5,
} LpWireType;

typedef struct LpProtoField {
    uint64_t number;
    LpWireType wire;
    uint64_t value; /* the varint, or the bits of a number of fixed size */
    LpProto bytes;  /* of LP_WIRE_BYTES */
    uint64_t place; /* of its key */
} LpProtoField;

/* A number of at most 10 bytes that continue by their highest bit: bytes used, 0 where more are
 * needed than `len`, -1 where it is longer than 10. Bits above the 64th are dropped. */
int lp_proto_varint(const unsigned char *data, size_t len, uint64_t *out);
/* Takes the next field; *more false: there is none. LP_EPARSE at its byte. */
LpErr lp_proto_next(LpProto *message, LpProtoField *field, bool *more, LpDiag *diag) LP_MUST_USE;
/* Takes the next of packed varints. LP_EPARSE as above. */
LpErr lp_proto_packed(LpProto *list, uint64_t *out, LpDiag *diag) LP_MUST_USE;

/* The kinds of Chakra's attributes, by the number of the field that holds a single value; the field
 * after it holds a list of them. */
typedef enum LpAttrKind {
    LP_ATTR_NONE = 0,
    LP_ATTR_DOUBLE = 3,
    LP_ATTR_FLOAT = 5,
    LP_ATTR_INT32 = 7,
    LP_ATTR_INT64 = 9,
    LP_ATTR_UINT32 = 11,
    LP_ATTR_UINT64 = 13,
    LP_ATTR_SINT32 = 15,
    LP_ATTR_SINT64 = 17,
    LP_ATTR_FIXED32 = 19,
    LP_ATTR_FIXED64 = 21,
    LP_ATTR_SFIXED32 = 23,
    LP_ATTR_SFIXED64 = 25,
    LP_ATTR_BOOL = 27,
    LP_ATTR_STRING = 29,
    LP_ATTR_BYTES = 31,
} LpAttrKind;

/* A single value: a text (of STRING, BYTES), or a number in one of three forms. */
typedef struct LpAttrValue {
    LpAttrKind kind;
    LpProto text;
    double real;    /* of every kind of number */
    uint64_t whole; /* of whole numbers >= 0 */
    int64_t low;    /* of whole numbers < 0; else 0 */
} LpAttrValue;

typedef struct LpAttr {
    LpProto name;
    LpAttrValue value; /* kind LP_ATTR_NONE: it has none, or a list */
    LpAttrKind of;     /* of a list: what it holds */
    LpProto list;      /* of a list: for lp_attr_item */
} LpAttr;

/* The attribute that a message is; the last of several values counts. LP_EPARSE. */
LpErr lp_attr_read(LpProto message, LpAttr *out, LpDiag *diag) LP_MUST_USE;
bool lp_attr_is(const LpAttr *attr, const char *name);
/* Takes the next value of attr->list, which may be packed; *more false: there is none. Once
 * `packed` (zero-initialised) holds a run of them it is taken from there. LP_EPARSE. */
LpErr lp_attr_item(LpAttr *attr, LpProto *packed, LpAttrValue *out, bool *more,
                   LpDiag *diag) LP_MUST_USE;

#endif
