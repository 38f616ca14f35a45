//! Changes of `.atd` schemas, with the verdicts of `compare`.

use fourfold_schema::atd::Outcome::{self, Misreads, Reads, Refuses};

use crate::compare::{Change, MISREADS, NEWER_REFUSES, OLDER_REFUSES, REFUSES, SAFE};

pub(crate) struct Case {
    pub(crate) older: &'static str,
    pub(crate) newer: &'static str,
    pub(crate) changes: &'static [Change],
    pub(crate) outcomes: (Outcome, Outcome),
}

const fn case(
    older: &'static str,
    newer: &'static str,
    changes: &'static [Change],
    outcomes: (Outcome, Outcome),
) -> Case {
    Case { older, newer, changes, outcomes }
}

pub(crate) const CASES: &[Case] = &[
    // Changes that do not change bytes.
    case(
        "type t = { x : int; y : string }",
        "(* text *) type t <doc text=\"A t.\"> = { y <json name=\"z\"> : string; x : int <ocaml repr=\"int\"> }",
        &[],
        (Reads, Reads),
    ),
    case(
        "type c = [ A | B ]  type id = int  type t = { x : id; y : (string * int) list; z : c }",
        "type id = int wrap  type n = id  type t = { x : n; y : (string * int) list <json repr=\"object\">;
            z : c }  type c = [ B | A ] <ocaml repr=\"classic\">",
        &[("n: the type is new", SAFE)],
        (Reads, Reads),
    ),
    case("type t = int option", "type t = int nullable", &[], (Reads, Reads)),
    case(
        "type a = { x : int }  type t = { y : a }",
        "type b = { x : int }  type t = { y : b }",
        &[
            ("b: the type is new", SAFE),
            ("t.y: the type was `a`, is `b`", SAFE),
            ("a: the type is gone", SAFE),
        ],
        (Reads, Reads),
    ),
    // Added and removed fields.
    case(
        "type t = { x : int }",
        "type t = { x : int; ?a : int option; ~b : int; ~c : string list }",
        &[("t: fields `?a`, `~b`, `~c` are new", SAFE)],
        (Reads, Reads),
    ),
    case(
        "type t = { x : int; ?a : int option }",
        "type t = { x : int }",
        &[("t: field `?a` is gone", SAFE)],
        (Reads, Reads),
    ),
    case(
        "type t = { x : int }",
        "type t = { x : int; y : int; ~z : int }",
        &[("t: field `~z` is new", SAFE), ("t: field `y` is new", NEWER_REFUSES)],
        (Reads, Refuses),
    ),
    case(
        "type t = { x : int }",
        "type t = { y : int }",
        &[("t: field `y` is new", NEWER_REFUSES), ("t: field `x` is gone", OLDER_REFUSES)],
        (Refuses, Refuses),
    ),
    case(
        "type t = { azdwbie : int }",
        "type t = { c7diagq : int }",
        &[("t: field `c7diagq` was `azdwbie`, which has the same hash", SAFE)],
        (Reads, Reads),
    ),
    // Whether a field may be left out.
    case(
        "type t = { x : int }",
        "type t = { ?x : int option }",
        &[("t: field `?x` was `x`", OLDER_REFUSES)],
        (Refuses, Reads),
    ),
    case(
        "type t = { ?x : int option }",
        "type t = { ~x : int }",
        &[("t: field `~x` was `?x`", MISREADS)],
        (Misreads, Misreads),
    ),
    case(
        "type t = { ?x : int option }",
        "type t = { ~x : int option }",
        &[("t: field `~x` was `?x`", SAFE), ("t.x: this was svint, is option", REFUSES)],
        (Refuses, Refuses),
    ),
    case(
        "type t = { ~x : int }",
        "type t = { ~x <ocaml default=\"1\"> : int }",
        &[("t: the default of field `x` was `0`, is `1`", MISREADS)],
        (Misreads, Misreads),
    ),
    case(
        "type t = { ~x : float; ~y : int list <ocaml repr=\"array\">; ~z : string }",
        "type t = { ~x <ocaml default=\"0.\"> : float; ~y <ocaml default=\" [||] \"> : int list <ocaml repr=\"array\">;
            ~z <ocaml default=\"\\\"\\\"\"> : string }",
        &[],
        (Reads, Reads),
    ),
    // Integers and floats.
    case(
        "type t = { x : int; y : int; z : int <biniou repr=\"uvint\"> }",
        "type t = { x : int <biniou repr=\"uvint\">; y : int <biniou repr=\"int8\">; z : int <biniou repr=\"int16\"> }",
        &[
            ("t.x: this was svint, is uvint", SAFE),
            ("t.y: this was svint, is int8", SAFE),
            ("t.z: this was uvint, is int16", SAFE),
        ],
        (Reads, Reads),
    ),
    case(
        "type t = { x : int; y : int <biniou repr=\"int8\"> }",
        "type t = { x : int <ocaml repr=\"int64\"> <biniou repr=\"int64\">;
            y : int <ocaml repr=\"char\"> <biniou repr=\"int8\"> }",
        &[("t.x: this was svint, is int64", REFUSES), ("t.y: this was int8, is char", SAFE)],
        (Refuses, Refuses),
    ),
    case(
        "type t = int",
        "type t = int <ocaml repr=\"char\"> <biniou repr=\"int8\">",
        &[("t: this was svint `t`, is char `t`", NEWER_REFUSES)],
        (Reads, Refuses),
    ),
    case(
        "type t = float list",
        "type t = float <biniou repr=\"float32\"> list",
        &[("t[]: this was float64, is float32", REFUSES)],
        (Refuses, Refuses),
    ),
    // Variants.
    case(
        "type t = [ A | B of int ]",
        "type t = [ C of string | B of int | A ]",
        &[("t: variant `C` is new", OLDER_REFUSES)],
        (Refuses, Reads),
    ),
    case(
        "type p = [ B | C ]  type t = [ A | inherit p ]",
        "type t = [ A ]",
        &[("t: variants `B`, `C` are gone", NEWER_REFUSES), ("p: the type is gone", SAFE)],
        (Reads, Refuses),
    ),
    case(
        "type t = [ A | B of int | C of int ]",
        "type t = [ A of int | B | C of bool ]",
        &[
            ("t: variant `A` had no argument, has one", REFUSES),
            ("t: variant `B` had an argument, has none", REFUSES),
            ("t.C: this was svint, is bool", REFUSES),
        ],
        (Refuses, Refuses),
    ),
    // Tuples.
    case(
        "type t = (int * string)",
        "type t = (int * string * bool)",
        &[("t: cell `2` is new", NEWER_REFUSES)],
        (Reads, Refuses),
    ),
    case(
        "type t = (int * string)",
        "type t = (int * string * <ocaml default=\"true\"> : bool)",
        &[("t: cell `2` is new", SAFE)],
        (Reads, Reads),
    ),
    case(
        "type t = (int * string)",
        "type t = (int * bool)",
        &[("t[1]: this was string, is bool", REFUSES)],
        (Refuses, Refuses),
    ),
    case(
        "type r = { x : int }  type t = (int * int)",
        "type r = { x : int }  type t = (int * int * r list <ocaml repr=\"array\"> <biniou repr=\"table\">)",
        &[("t: cell `2` is new, with tables, over which atdgen's readers do not step", REFUSES)],
        (Refuses, Refuses),
    ),
    // Lists and tables.
    case(
        "type r = { x : int }  type t = r list <ocaml repr=\"array\">",
        "type r = { x : int }  type t = r list <ocaml repr=\"array\"> <biniou repr=\"table\">",
        &[("t: this was list `t`, is table `t`", OLDER_REFUSES)],
        (Refuses, Reads),
    ),
    case(
        "type r = { x : int }  type t = r list <ocaml repr=\"array\"> <biniou repr=\"table\">",
        "type r = { x : int; ~y : int }  type t = r list <ocaml repr=\"array\"> <biniou repr=\"table\">",
        &[
            (
                "r: field `~y` is new, also as columns, over which atdgen's readers do not step",
                ": older readers may take newer values for something else, \
                 newer readers read all older values",
            ),
        ],
        (Misreads, Reads),
    ),
    case(
        "type r = { x : int; y : string }  type t = r list <ocaml repr=\"array\"> <biniou repr=\"table\">",
        "type r = { x : int }  type t = r list <ocaml repr=\"array\"> <biniou repr=\"table\">",
        &[
            (
                "r: field `y` is gone, also as columns, over which atdgen's readers do not step",
                ": older readers refuse newer values, \
                 newer readers may take older values for something else",
            ),
        ],
        (Refuses, Misreads),
    ),
    // All columns are written: in a row, no field is left out.
    case(
        "type 'a row = { x : 'a list; ~y : int }  type t = int row list <ocaml repr=\"array\"> <biniou repr=\"table\">",
        "type 'a row = { ~x : 'a list; y : int }  type t = int row list <ocaml repr=\"array\"> <biniou repr=\"table\">",
        &[("t[]: field `~x` was `x`", SAFE), ("t[]: field `y` was `~y`", SAFE)],
        (Reads, Reads),
    ),
    // In a column an option is not unwrapped.
    case(
        "type 'a row = { x : 'a; ?y : int option }  type t = int row list <ocaml repr=\"array\"> <biniou repr=\"table\">",
        "type 'a row = { ?x : 'a option; y : int option }  type t = int row list <ocaml repr=\"array\"> <biniou repr=\"table\">",
        &[
            ("t[]: field `?x` was `x`", SAFE),
            ("t[].x: this was svint, is option", REFUSES),
            ("t[]: field `y` was `?y`", SAFE),
        ],
        (Refuses, Refuses),
    ),
    case(
        "type r = { w : int }  type s = r list <ocaml repr=\"array\"> <biniou repr=\"table\">  type t = { x : int }",
        "type r = { w : int }  type s = r list <ocaml repr=\"array\"> <biniou repr=\"table\">
         type t = { x : int; ~deep : s option list }",
        &[
            ("t: field `~deep` is new, with tables, over which atdgen's readers do not step", OLDER_REFUSES),
        ],
        (Refuses, Reads),
    ),
    // Types with parameters are compared where they are used.
    case(
        "type 'a page = { items : 'a list }  type t = { a : int page; b : string page; c : int page }",
        "type 'a page = { items : 'a list; ?next : int option }
         type t = { a : int page; b : string page; c : int page }",
        &[
            ("t.a: field `?next` is new", SAFE),
            ("t.b: field `?next` is new", SAFE),
            ("t.c: field `?next` is new", SAFE),
        ],
        (Reads, Reads),
    ),
    case(
        "type t = int list",
        "type t = { x : int }",
        &[("t: this was list `t`, is record `t`", REFUSES)],
        (Refuses, Refuses),
    ),
];
