//! Selects a part by its path.

mod physical;

use std::borrow::Cow;

use fourfold::{Path, Segment};

use self::physical::At;
use crate::model::{Items, Part, Root, Tensor, biniou, same_hash};
use crate::write::missing::{Inside, missing, missing_in};

/// The part of `whole` at a path such as `nodes[2].name`.
///
/// # Errors
///
/// There is no such part; has the parts that exist on the path.
pub fn select<'p, 'a>(
    whole: &'p Part<'a>,
    path: &str,
    root: Root,
) -> Result<Cow<'p, Part<'a>>, String> {
    follow(whole, path, root).map_err(|Lost { part, rest }| {
        let leads = |path: &str| follow(whole, path, root).is_ok();
        missed(path, rest, &part, root, leads)
    })
}

/// The end of a path that leads to no part.
struct Lost<'p, 'a, 'r> {
    part: Cow<'p, Part<'a>>,
    rest: &'r str,
}

/// The part at a path, or how far the path leads.
fn follow<'p, 'a, 'r>(
    whole: &'p Part<'a>,
    path: &'r str,
    root: Root,
) -> Result<Cow<'p, Part<'a>>, Lost<'p, 'a, 'r>> {
    match root == Root::Unnumbered && path.starts_with('[') {
        true => Err(Lost { part: Cow::Borrowed(whole), rest: path }),
        false => go_on(whole, path, Some(root), At::Part, root),
    }
}

/// The same from a part on the path. At the first step, `begin` is the kind of the start.
fn go_on<'p, 'a, 'r>(
    mut part: &'p Part<'a>,
    mut rest: &'r str,
    mut begin: Option<Root>,
    mut at: At<'p>,
    root: Root,
) -> Result<Cow<'p, Part<'a>>, Lost<'p, 'a, 'r>> {
    while !rest.is_empty() {
        let step = match step(part, rest, begin.is_some(), root) {
            Some((inner, left)) => Some((inner, left, at.after(bare(part), rest))),
            None if root == Root::Listed => at.step(part, rest),
            None => None,
        };
        let Some((found, left, next)) = step else {
            return Err(Lost { part: Cow::Borrowed(part), rest });
        };
        let is_chunk = begin.take() == Some(Root::Chunks);
        match found {
            Cow::Borrowed(found) => {
                part = if is_chunk { in_chunk(found) } else { found };
                (rest, at) = (left, next);
            }
            // Items are created lazily.
            Cow::Owned(found) => {
                let inner = if is_chunk { in_chunk(&found) } else { &found };
                return match go_on(inner, left, None, next, root) {
                    Ok(part) => Ok(Cow::Owned(part.into_owned())),
                    Err(Lost { part, rest }) => {
                        Err(Lost { part: Cow::Owned(part.into_owned()), rest })
                    }
                };
            }
        }
    }
    Ok(Cow::Borrowed(part))
}

/// The content of a chunk.
fn in_chunk<'p, 'a>(chunk: &'p Part<'a>) -> &'p Part<'a> {
    match chunk {
        Part::Map(fields) => fields.first().map_or(chunk, |(_, inner)| inner),
        _ => chunk,
    }
}

fn missed(
    path: &str,
    rest: &str,
    part: &Part<'_>,
    root: Root,
    leads: impl Fn(&str) -> bool,
) -> String {
    let inside = match bare(part) {
        Part::Map(fields) => Inside::Named(fields.iter().map(|(key, _)| &**key).collect()),
        Part::Tensor(tensor) => {
            let names = tensor.head.iter().map(|(key, _)| &**key).chain(["data"]);
            Inside::Named(names.collect())
        }
        Part::List(items) => Inside::Items(items.len()),
        Part::Items(items) => Inside::Items(items.len()),
        _ => Inside::Nothing,
    };
    match path.strip_suffix(rest).unwrap_or_default() {
        "" if root == Root::Unnumbered && rest.starts_with('[') => {
            missing_in(path, "the file has one value, where paths start: it", &inside)
        }
        found => missing(path, found, &inside, leads),
    }
}

/// Forms of a value together with information about it.
const PAIRED: [&str; 4] = ["$variant", "$num_variant", "$shared", "$overlong"];

/// The name of the form around a value, if there is one, and its content. Forms have no step of their own.
fn opened<'p, 'a>(mut part: &'p Part<'a>) -> (Option<&'p str>, &'p Part<'a>) {
    while let Some((name, inner)) = part.as_form() {
        part = match inner {
            Part::List(pair) if PAIRED.contains(&name) => pair.get(1).unwrap_or(inner),
            _ => return (Some(name), inner),
        };
    }
    (None, part)
}

/// The content of forms.
fn bare<'p, 'a>(part: &'p Part<'a>) -> &'p Part<'a> {
    opened(part).1
}

type Step<'p, 'a, 'r> = (Cow<'p, Part<'a>>, &'r str);

fn step<'p, 'a, 'r>(
    part: &'p Part<'a>,
    rest: &'r str,
    is_first: bool,
    root: Root,
) -> Option<Step<'p, 'a, 'r>> {
    let (form, part) = opened(part);
    if let Some((index, rest)) = index(rest) {
        let found = match part {
            Part::List(items) => item(form, Cow::Borrowed(items.get(index)?)),
            Part::Items(items) => item(form, Cow::Owned(items.get(index)?)),
            Part::Map(fields) => Cow::Borrowed(&fields.get(index)?.1),
            _ => return None,
        };
        return Some((found, rest));
    }
    let rest = match rest.strip_prefix('.') {
        Some(rest) => rest,
        None if is_first => rest,
        None => return None,
    };
    match part {
        Part::Map(fields) => {
            let keys = fields.iter().map(|(key, inner)| (&**key, inner));
            by_name(keys, rest, root).map(|(inner, rest)| (Cow::Borrowed(inner), rest))
        }
        Part::Items(cells) if form == Some(biniou::TUPLE) => {
            cell(cells, rest).map(|(inner, rest)| (Cow::Owned(inner), rest))
        }
        Part::List(pairs) if form == Some(biniou::RECORD) => {
            // Of equal names the last one counts.
            let keys = pairs.iter().rev().filter_map(|pair| match pair {
                Part::List(pair) => match pair.as_slice() {
                    [Part::Text(key), inner] => Some((&**key, inner)),
                    _ => None,
                },
                _ => None,
            });
            by_name(keys, rest, root).map(|(inner, rest)| (Cow::Borrowed(inner), rest))
        }
        Part::Tensor(tensor) => {
            let head = tensor.head.iter().map(|(key, inner)| (&**key, inner));
            if let Some((inner, rest)) = by_name(head, rest, root) {
                return Some((Cow::Borrowed(inner), rest));
            }
            match index(rest.strip_prefix("data")?) {
                Some((index, rest)) => Some((Cow::Owned(tensor.elements.get(index)?), rest)),
                None if rest == "data" => Some((Cow::Owned(Part::Tensor(data_of(tensor))), "")),
                None => None,
            }
        }
        _ => None,
    }
}

/// An item of a list with that form. Numbers share the form of their list, and need it when they are alone.
fn item<'p, 'a>(form: Option<&str>, item: Cow<'p, Part<'a>>) -> Cow<'p, Part<'a>> {
    match form.filter(|form| biniou::NUMBERS.contains(form)) {
        Some(form) => Cow::Owned(Part::Map(vec![(form.to_owned().into(), item.into_owned())])),
        None => item,
    }
}

/// The cell of a tuple that a path begins with, and the rest of the path. Two cells may be the entry of a map.
fn cell<'a, 'r>(cells: &Items<'a>, path: &'r str) -> Option<(Part<'a>, &'r str)> {
    let (segment, rest) = first_segment(path)?;
    let index = match (&segment, cells.len()) {
        (Segment::Slot(index), _) => *index,
        (Segment::Field(name), 2) if name == "key" => 0,
        (Segment::Field(name), 2) if name == "value" => 1,
        _ => return None,
    };
    Some((cells.get(index)?, rest))
}

/// The data of a tensor without the head.
fn data_of<'a>(tensor: &Tensor<'a>) -> Box<Tensor<'a>> {
    let mut alone = Box::new(tensor.clone());
    alone.head.clear();
    alone
}

/// The index at the start of a path.
fn index(path: &str) -> Option<(usize, &str)> {
    let (digits, rest) = path.strip_prefix('[')?.split_once(']')?;
    // `parse` accepts a sign.
    let index = digits.parse().ok().filter(|_| !digits.starts_with('+'))?;
    Some((index, rest))
}

/// The quoted name at the start of a path, and the rest.
fn quoted(path: &str) -> Option<(String, &str)> {
    let inside = path.strip_prefix('"')?;
    let ends = inside.match_indices('"').map(|(at, _)| at + "\"\"".len());
    ends.filter_map(|end| path.split_at_checked(end)).find_map(|(name, rest)| {
        let path = Path::new(name).ok()?;
        match path.segments().next() {
            Some(Segment::Field(name)) => Some((name.clone().into_owned(), rest)),
            _ => None,
        }
    })
}

/// The name or number at the start of a path, without brackets, and the rest.
fn first_segment(path: &str) -> Option<(Segment, &str)> {
    if let Some((name, rest)) = quoted(path) {
        return Some((Segment::Field(name.into()), rest));
    }
    let (name, rest) = path.split_at_checked(path.find(['.', '[']).unwrap_or(path.len()))?;
    let path = Path::new(name).ok()?;
    Some((path.segments().next()?.clone(), rest))
}

/// The field at the start of a path, and the rest. Names may contain dots and brackets, so the longest matching name
/// is used.
fn by_name<'p, 'a: 'p, 'k, 'r>(
    fields: impl Iterator<Item = (&'k str, &'p Part<'a>)>,
    path: &'r str,
    root: Root,
) -> Option<(&'p Part<'a>, &'r str)> {
    if let Some((name, rest)) = quoted(path) {
        let is_it = |key: &str| key == name || (root.has_hashes() && same_hash(key, &name));
        // Of two matching keys, one is the name itself.
        let mut fitting: Vec<_> = fields.filter(|(key, _)| is_it(key)).collect();
        fitting.sort_by_key(|(key, _)| *key != name);
        return fitting.first().map(|(_, part)| (*part, rest));
    }
    let (name, after) = path.split_at_checked(path.find(['.', '[']).unwrap_or(path.len()))?;
    let mut best: Option<(usize, &Part<'_>, &str)> = None;
    for (key, part) in fields {
        let rest = match path.strip_prefix(key) {
            Some(rest) if rest.is_empty() || rest.starts_with(['.', '[']) => rest,
            _ if root.has_hashes() && same_hash(key, name) => after,
            _ => continue,
        };
        if best.is_none_or(|(length, ..)| path.len() - rest.len() > length) {
            best = Some((path.len() - rest.len(), part, rest));
        }
    }
    best.map(|(_, part, rest)| (part, rest))
}
