//! Generates random `.atd` schemas.

use std::fmt::Write as _;

use crate::random::Dice;

/// What a schema is used for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Purpose {
    /// For parsing: atdgen accepts schemas for which it generates OCaml code that does not compile.
    Text,
    /// For values: the OCaml code compiles, also that for JSON.
    Values,
}

/// Some definitions, with a blank between all tokens.
pub(crate) fn definitions(dice: &mut Dice, purpose: Purpose, count: usize) -> String {
    let plain = ["unit", "bool", "int", "float", "string"].map(str::to_owned).to_vec();
    let mut names = Names {
        purpose,
        plain,
        open: Vec::new(),
        records: Vec::new(),
        rows: Vec::new(),
        sums: Vec::new(),
    };
    (0..count).fold(String::new(), |text, number| text + &names.definition(dice, number) + "\n")
}

/// The types that are defined so far, by how they may be used.
struct Names {
    purpose: Purpose,
    /// Without parameters.
    plain: Vec<String>,
    /// With one.
    open: Vec<String>,
    /// Those that may be inherited.
    records: Vec<String>,
    /// Those that may be in a table.
    rows: Vec<String>,
    sums: Vec<String>,
}

/// The definition that contains a type.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// Its parameter, if it has one.
    parameter: &'a str,
    /// Its name, where it may refer to itself.
    name: Option<&'a str>,
}

const ANNOTATED: [&str; 7] = [
    "int <biniou repr = \"uvint\" >",
    "int <ocaml repr = \"int32\" > <biniou repr = \"int32\" >",
    "int <ocaml repr = \"char\" > <biniou repr = \"int8\" >",
    "float <biniou repr = \"float32\" >",
    "int <ocaml repr = \"int64\" > <biniou repr = \"int64\" >",
    "int <biniou repr = \"int8\" >",
    "int <biniou repr = \"int16\" >",
];

impl Names {
    fn ty(&self, dice: &mut Dice, depth: usize, place: Place<'_>) -> String {
        let inner = |dice: &mut Dice| self.ty(dice, depth + 1, place);
        match dice.below(if depth > 3 { 4 } else { 15 }) {
            0 if !place.parameter.is_empty() => place.parameter.to_owned(),
            0..=2 => dice.one_of(&self.plain.iter().collect::<Vec<_>>()).clone(),
            3 if self.purpose == Purpose::Text && dice.one_in(4) => {
                "string <json repr = \"bogus\" >".to_owned()
            }
            3 => dice.one_of(&ANNOTATED).to_owned(),
            4 => format!("{} list", inner(dice)),
            5 => format!("{} option", inner(dice)),
            6 => format!("{} nullable", inner(dice)),
            // The OCaml code for `wrap` needs the tag of the type, which depends on the parameter.
            7 if self.purpose == Purpose::Values => {
                format!("{} wrap", self.ty(dice, 4, Place { parameter: "", name: None }))
            }
            7 => format!("{} wrap", inner(dice)),
            8 => {
                let item = match self.purpose {
                    Purpose::Text => inner(dice),
                    Purpose::Values => format!("( string * {} )", inner(dice)),
                };
                let array = dice.one_of(&["", " <ocaml repr = \"array\" >"]);
                format!("{item} list{array} <json repr = \"object\" >")
            }
            9 if !self.rows.is_empty() => {
                let row = &self.rows[dice.below(self.rows.len())];
                format!("{row} list <ocaml repr = \"array\" > <biniou repr = \"table\" >")
            }
            10 if !self.open.is_empty() => {
                let open = &self.open[dice.below(self.open.len())];
                format!("{} {open}", inner(dice))
            }
            11 => {
                let cells: Vec<_> = (0..=dice.below(3)).map(|_| inner(dice)).collect();
                match (self.purpose, cells.len()) {
                    // A tuple of one cell is a tuple in biniou, but not in JSON.
                    (Purpose::Values, 1) => format!("( {} * unit )", cells[0]),
                    _ => format!("( {} )", cells.join(" * ")),
                }
            }
            12 => format!("( {} * <ocaml default = \"7\" > : int )", inner(dice)),
            13 if place.name.is_some() => {
                format!("{} {}", place.name.unwrap(), dice.one_of(&["list", "option", "nullable"]))
            }
            _ => format!("[ Some_ of {} | None_ ]", inner(dice)),
        }
    }

    fn definition(&mut self, dice: &mut Dice, number: usize) -> String {
        let name = format!("{}{number}", dice.one_of(&["t", "a_", "_b", "type'"]));
        let has_parameter = dice.one_in(4);
        let parameter = if has_parameter { "'a" } else { "" };
        // Only definitions without a parameter refer to themselves; aliases do not, since OCaml refuses that.
        let place = Place { parameter, name: Some(&*name).filter(|_| !has_parameter) };
        let mut text = format!("type {parameter} {name} ");
        if dice.one_in(5) {
            text.push_str("<doc text = \"a {{b}} c\" > ");
        }
        text.push_str("= ");
        match dice.below(5) {
            0 | 1 => {
                let inherits = self.record(dice, number, place, &mut text);
                if !has_parameter {
                    self.records.push(name.clone());
                    // The code that atdgen generates for a table ignores field prefixes.
                    if !inherits || self.purpose == Purpose::Text {
                        self.rows.push(name.clone());
                    }
                }
            }
            2 => {
                let is_poly = self.sum(dice, number, place, &mut text);
                if !has_parameter && (is_poly || self.purpose == Purpose::Text) {
                    self.sums.push(name.clone());
                }
            }
            3 => write!(text, "[ A{number} | B{number} <json name = \"\\\"\" > | Other of string ] <json open_enum >").unwrap(),
            _ => match self.ty(dice, 0, Place { name: None, ..place }) {
                ty if ty == parameter && self.purpose == Purpose::Values => text.push_str("'a list"),
                ty => text.push_str(&ty),
            },
        }
        match has_parameter {
            true => self.open.push(name),
            false => self.plain.push(name),
        }
        text
    }

    /// Whether it inherits.
    fn record(&self, dice: &mut Dice, number: usize, place: Place<'_>, text: &mut String) -> bool {
        text.push_str("{ ");
        let inherits = !self.records.is_empty() && dice.one_in(3);
        if inherits {
            write!(text, "inherit {} ; ", self.records[dice.below(self.records.len())]).unwrap();
        }
        for field in 0..=dice.below(4) {
            let ty = self.ty(dice, 1, place);
            let at = match self.purpose {
                Purpose::Text if dice.one_in(30) => "0".to_owned(),
                Purpose::Text => field.to_string(),
                Purpose::Values => format!("{number}_{field}"),
            };
            match dice.below(8) {
                0 => write!(text, "? f{at} : {ty} option ; "),
                1 => write!(text, "? f{at} : {ty} nullable ; "),
                2 => write!(text, "~ f{at} : {ty} list ; "),
                3 => {
                    let plain = ["unit", "bool", "int", "float", "string"];
                    write!(text, "~ f{at} : {} ; ", dice.one_of(&[&plain[..], &ANNOTATED].concat()))
                }
                4 if self.purpose == Purpose::Text => {
                    write!(text, "~ f{at} <ocaml default = \"0\" > : {ty} ; ")
                }
                4 => write!(text, "~ f{at} <ocaml default = \"7\" > : int ; "),
                5 => write!(text, "f{at} : {ty} ; "),
                _ => write!(text, "f{at} <json name = \"x{at}\" > : {ty} ; "),
            }
            .unwrap();
        }
        text.push('}');
        if inherits {
            write!(text, " <ocaml field_prefix = \"p{number}_\" >").unwrap();
        }
        inherits
    }

    /// Whether it is polymorphic.
    fn sum(&self, dice: &mut Dice, number: usize, place: Place<'_>, text: &mut String) -> bool {
        text.push_str("[ ");
        let inherits = !self.sums.is_empty() && dice.one_in(3);
        if inherits {
            write!(text, "inherit {} | ", self.sums[dice.below(self.sums.len())]).unwrap();
        }
        let own = match self.purpose {
            Purpose::Text => String::new(),
            Purpose::Values => format!("{number}_"),
        };
        for variant in 0..=dice.below(3) {
            match dice.below(4) {
                0 | 1 => write!(text, "V{own}{variant} of {} | ", self.ty(dice, 1, place)),
                2 => write!(text, "V{own}{variant} <ocaml name = \"W{own}{variant}\" > | "),
                _ => write!(text, "V{own}{variant} <json name = \"y{own}{variant}\" > | "),
            }
            .unwrap();
        }
        write!(text, "Last{own} ]").unwrap();
        let is_poly = (inherits && self.purpose == Purpose::Values) || dice.one_in(2);
        if !is_poly {
            text.push_str(" <ocaml repr = \"classic\" >");
        }
        is_poly
    }
}
