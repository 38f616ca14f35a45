//! The container names that are marks: in each list first those that fit, then one or two that do not.

use crate::draw::Marks;

pub(crate) const BINIOU: Marks = Marks {
    newtypes: &[
        "int8.S",
        "int16.S",
        "int32.S",
        "int64.S",
        "uvint.S",
        "svint.S",
        "float32.S",
        "char.S",
        "table.S",
        "optional.S",
        "shared.S",
        "fourfold.biniou.uvint",
        "fourfold.biniou.table",
        "fourfold.biniou.optional",
        "fourfold.biniou.shared",
        "fourfold.biniou.shared_once",
    ],
    structs: &["S", "S", "S", "S", "S", "table.S"],
    enums: &["S", "S", "S", "S", "S", "int8.S"],
    names_fields: true,
};

pub(crate) const MOLECULE: Marks = Marks {
    newtypes: &[
        "struct.S",
        "fixvec.S",
        "dynvec.S",
        "fourfold.molecule.struct",
        "fourfold.molecule.table",
        "fourfold.molecule.fixvec",
        "fourfold.molecule.dynvec",
        "union.S",
    ],
    structs: &["struct.S", "struct.S", "struct.S", "struct.S", "struct.S", "fixvec.S"],
    enums: &["union.S.A-0.B-7.C-2", "union.S", "union.S.C-0.B-1.A-2", "dynvec.S"],
    names_fields: false,
};

pub(crate) const PRIMITIV: Marks = Marks {
    newtypes: &["text.S", "fourfold.primitiv.text", "named.S", "fourfold.primitiv.named"],
    structs: &["S", "S", "S", "S", "S", "text.S"],
    enums: &["named.S", "named.S", "fourfold.primitiv.named", "text.S"],
    names_fields: true,
};

pub(crate) const TSM: Marks = Marks {
    newtypes: &["raw.S", "fourfold.tsm.raw", "fourfold.tsm.raw.len"],
    structs: &["S", "S", "S", "S", "S", "raw.S"],
    enums: &["S", "S", "S", "S", "S", "raw.S"],
    names_fields: false,
};
