//! Pairs of random schemas that differ in a few places.

use std::fmt;

use crate::random::Dice;

/// A type as it is written.
#[derive(Clone, Debug)]
enum Ty {
    Plain(&'static str),
    /// A type with a postfix type: `list`, `option`, a definition with a parameter.
    In(Box<Ty>, &'static str),
    Table(usize),
    Tuple(Vec<Ty>, usize),
    Name(usize),
}

#[derive(Clone, Debug)]
enum Definition {
    Record(Vec<Field>),
    Sum(Vec<(usize, Option<Ty>)>),
    Alias(Ty),
}

#[derive(Clone, Debug)]
struct Field {
    name: usize,
    sign: Sign,
    ty: Ty,
}

#[derive(Clone, Copy, Debug)]
enum Sign {
    Required,
    Optional,
    /// Of an int; 0 without an annotation.
    Default(usize),
}

/// The last definitions are records. Each refers to later ones, and in lists to earlier ones if types may recur.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    definitions: Vec<Definition>,
    recurs: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) older: Text,
    pub(crate) newer: Text,
}

const PLAIN: [&str; 12] = [
    "int",
    "string",
    "bool",
    "unit",
    "float",
    "float <biniou repr=\"float32\">",
    "int <biniou repr=\"uvint\">",
    "int <biniou repr=\"int8\">",
    "int <biniou repr=\"int16\">",
    "int <ocaml repr=\"char\"> <biniou repr=\"int8\">",
    "int <ocaml repr=\"int32\"> <biniou repr=\"int32\">",
    "int <ocaml repr=\"int64\"> <biniou repr=\"int64\">",
];

const AROUND: [&str; 6] =
    ["list", "option", "nullable", "wrap", "page", "list <ocaml repr=\"array\">"];

impl Pair {
    pub(crate) fn new(dice: &mut Dice, recurs: bool) -> Self {
        let count = 2 + dice.below(3);
        let mut older = Text { definitions: Vec::new(), recurs };
        for at in 0..count {
            let definition = older.definition(dice, at, count);
            older.definitions.push(definition);
        }
        let mut newer = older.clone();
        for _ in 0..=dice.below(2) {
            newer.change(dice);
        }
        Pair { older, newer }
    }
}

impl Text {
    fn definition(&self, dice: &mut Dice, at: usize, count: usize) -> Definition {
        match dice.below(4) {
            2 if at + 1 < count => Definition::Alias(self.ty(dice, at, count, 0)),
            3 if at + 1 < count => {
                let argument = |dice: &mut Dice| match dice.below(2) {
                    0 => None,
                    _ => Some(self.ty(dice, at, count, 1)),
                };
                Definition::Sum((0..=dice.below(3)).map(|name| (name, argument(dice))).collect())
            }
            _ => Definition::Record(
                (0..=dice.below(3)).map(|name| self.field(dice, name, at, count)).collect(),
            ),
        }
    }

    fn field(&self, dice: &mut Dice, name: usize, at: usize, count: usize) -> Field {
        let (sign, ty) = match dice.below(4) {
            0 => (Sign::Default(dice.below(2)), Ty::Plain("int")),
            1 => (Sign::Optional, self.ty(dice, at, count, 1)),
            _ => (Sign::Required, self.ty(dice, at, count, 1)),
        };
        Field { name, sign, ty }
    }

    fn ty(&self, dice: &mut Dice, at: usize, count: usize, depth: usize) -> Ty {
        let later = count - at - 1;
        match dice.below(if depth > 3 { 4 } else { 10 }) {
            4 if later > 0 => Ty::Table(count - 1),
            5 | 6 if later > 0 => Ty::Name(at + 1 + dice.below(later)),
            7 | 8 => {
                let around = dice.one_of(&AROUND);
                let inner = match self.recurs && around == "list" && dice.one_in(3) {
                    true => Ty::Name(dice.below(count)),
                    false => self.ty(dice, at, count, depth + 1),
                };
                Ty::In(Box::new(inner), around)
            }
            9 => {
                let cells: Vec<Ty> =
                    (0..=dice.below(3)).map(|_| self.ty(dice, at, count, depth + 1)).collect();
                let ends = dice.below(2);
                Ty::Tuple(cells, ends)
            }
            _ => Ty::Plain(dice.one_of(&PLAIN)),
        }
    }

    /// Changes, adds, removes or moves one field, variant, cell or type.
    fn change(&mut self, dice: &mut Dice) {
        let count = self.definitions.len();
        let at = dice.below(count);
        let old = self.clone();
        match &mut self.definitions[at] {
            Definition::Record(fields) => {
                let index = dice.below(fields.len());
                match dice.below(6) {
                    0 => fields.reverse(),
                    1 if fields.len() > 1 => drop(fields.remove(index)),
                    2 => fields[index].name += 10,
                    3 => fields[index].ty = old.changed(fields[index].ty.clone(), dice, at),
                    4 => {
                        let name = fields[index].name;
                        fields[index] = old.field(dice, name, at, count);
                    }
                    _ => fields.push(old.field(dice, 20 + dice.size(), at, count)),
                }
                // Only an int has a default here.
                for field in fields.iter_mut() {
                    if let Sign::Default(_) = field.sign {
                        field.ty = Ty::Plain("int");
                    }
                }
                let mut known = Vec::new();
                fields.retain(|field| {
                    let is_new = !known.contains(&field.name);
                    known.push(field.name);
                    is_new
                });
            }
            Definition::Sum(variants) => {
                let index = dice.below(variants.len());
                match dice.below(4) {
                    0 if variants.len() > 1 => drop(variants.remove(index)),
                    1 => variants[index].1 = None,
                    2 => {
                        variants[index].1 = match variants[index].1.take() {
                            Some(ty) => Some(old.changed(ty, dice, at)),
                            None => Some(old.ty(dice, at, count, 1)),
                        };
                    }
                    _ => variants.insert(0, (30 + variants.len(), None)),
                }
            }
            Definition::Alias(ty) => *ty = old.changed(ty.clone(), dice, at),
        }
    }

    /// Another type, or the same type with another nested type.
    fn changed(&self, ty: Ty, dice: &mut Dice, at: usize) -> Ty {
        let count = self.definitions.len();
        match (ty, dice.below(4)) {
            (Ty::In(inner, around), 1 | 2) => {
                Ty::In(Box::new(self.changed(*inner, dice, at)), around)
            }
            (Ty::In(inner, _), 3) if !self.recurs => Ty::In(inner, dice.one_of(&AROUND)),
            (Ty::Tuple(mut cells, ends), 1) => {
                let cell = dice.below(cells.len());
                cells[cell] = self.changed(cells[cell].clone(), dice, at);
                Ty::Tuple(cells, ends)
            }
            (Ty::Tuple(mut cells, ends), 2) => {
                cells.push(self.ty(dice, at, count, 2));
                Ty::Tuple(cells, ends)
            }
            (Ty::Tuple(cells, ends), 3) => Ty::Tuple(cells, 1 - ends),
            (Ty::Table(name), 1) => Ty::In(Box::new(Ty::Name(name)), "list"),
            (Ty::Name(name), 1) if name == count - 1 && name > at => Ty::Table(name),
            _ => self.ty(dice, at, count, 2),
        }
    }
}

/// The first type is called `t`.
fn name(at: usize) -> String {
    match at {
        0 => "t".to_owned(),
        _ => format!("t{at}"),
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Plain(text) => f.write_str(text),
            Ty::In(inner, around) => write!(f, "{inner} {around}"),
            Ty::Table(at) => {
                write!(f, "{} list <ocaml repr=\"array\"> <biniou repr=\"table\">", name(*at))
            }
            Ty::Tuple(cells, ends) => {
                let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
                // Cells at the end that may be missing.
                let ends = ["", " * <ocaml default=\"3\"> : int"][*ends];
                write!(f, "({} * int{ends})", cells.join(" * "))
            }
            Ty::Name(at) => f.write_str(&name(*at)),
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "type 'a page = {{ items : 'a list; ?next : int option }}")?;
        for (at, definition) in self.definitions.iter().enumerate() {
            write!(f, "type {} = ", name(at))?;
            match definition {
                Definition::Alias(ty) => writeln!(f, "{ty}")?,
                Definition::Record(fields) => {
                    f.write_str("{ ")?;
                    for Field { name, sign, ty } in fields {
                        match sign {
                            Sign::Required => write!(f, "f{at}_{name} : {ty}; ")?,
                            Sign::Optional => write!(f, "?f{at}_{name} : {ty} option; ")?,
                            Sign::Default(0) => write!(f, "~f{at}_{name} : {ty}; ")?,
                            Sign::Default(value) => {
                                write!(f, "~f{at}_{name} <ocaml default=\"{value}\"> : {ty}; ")?;
                            }
                        }
                    }
                    f.write_str("}\n")?;
                }
                Definition::Sum(variants) => {
                    f.write_str("[ ")?;
                    for (name, argument) in variants {
                        match argument {
                            Some(ty) => write!(f, "| V{name} of {ty} ")?,
                            None => write!(f, "| V{name} ")?,
                        }
                    }
                    f.write_str("]\n")?;
                }
            }
        }
        Ok(())
    }
}
