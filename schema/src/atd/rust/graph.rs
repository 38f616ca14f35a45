//! Declarations and what they are made of: where boxes are needed, and which traits fit.

use core::convert::Infallible;
use std::collections::{BTreeMap, BTreeSet};

use super::declare::Declaration;
use super::part::{Containment, Key};
use super::role::{Roles, Use};
use crate::atd::node::{Body, Presence};
use crate::common::{leading_to, parts_first};

/// What is known of all declarations, by their places.
pub(super) struct Graph<'s> {
    places: BTreeMap<Key<'s>, usize>,
    /// Which has another one in a box.
    boxes: BTreeSet<(usize, usize)>,
    pub(super) have_floats: Vec<bool>,
    pub(super) have_strings: Vec<bool>,
    pub(super) lack_defaults: Vec<bool>,
}

impl<'s> Graph<'s> {
    pub(super) fn new(roles: &Roles<'s>, declared: &[Declaration<'s>]) -> Self {
        let places = declared.iter().enumerate().map(|(at, it)| (it.key, at)).collect();
        let none = vec![false; declared.len()];
        let mut graph = Graph {
            places,
            boxes: BTreeSet::new(),
            have_floats: none.clone(),
            have_strings: none.clone(),
            lack_defaults: none,
        };
        graph.find_boxes(declared);
        let holds = |at: usize, fits: fn(&Body) -> bool| {
            let parts = declared.get(at).map_or(&[][..], |it| &it.parts);
            parts.iter().any(|part| match part.usage {
                Use::Inline(end) => roles.body(end).is_some_and(fits),
                _ => false,
            })
        };
        let all = 0..declared.len();
        let seeds = all.clone().filter(|at| holds(*at, |body| matches!(body, Body::Float(_))));
        graph.have_floats = graph.spread(declared, seeds.collect(), Containment::Row);
        let seeds = all.clone().filter(|at| holds(*at, |body| matches!(body, Body::String)));
        graph.have_strings = graph.spread(declared, seeds.collect(), Containment::Row);
        let seeds = all.filter(|at| declared.get(*at).is_some_and(|it| graph.lacks(roles, it)));
        graph.lack_defaults = graph.spread(declared, seeds.collect(), Containment::Directly);
        graph
    }

    pub(super) fn place(&self, key: Key<'s>) -> Option<usize> {
        self.places.get(&key).copied()
    }

    /// Whether one has the other in a box.
    pub(super) fn is_boxed(&self, inside: usize, contained: usize) -> bool {
        self.boxes.contains(&(inside, contained))
    }

    /// The places of what a declaration contains so or closer.
    fn contents(&self, declaration: Option<&Declaration<'s>>, most: Containment) -> Vec<usize> {
        let parts = declaration.map_or(&[][..], |it| &it.parts);
        let parts = parts.iter().filter(|part| part.containment <= most);
        parts.filter_map(|part| self.place(Key::of(part.usage)?)).collect()
    }

    /// Puts into boxes what leads back in place to where the way came from.
    fn find_boxes(&mut self, declared: &[Declaration<'s>]) {
        let contents = |at: usize| self.contents(declared.get(at), Containment::Optionally);
        let mut boxes = BTreeSet::new();
        let circle = |open: &[usize], contained: usize| {
            boxes.extend(open.last().map(|at| (*at, contained)));
            Ok::<(), Infallible>(())
        };
        let Ok(_) = parts_first(declared.len(), 0..declared.len(), contents, circle);
        self.boxes = boxes;
    }

    /// Whether a declaration has no default by itself.
    fn lacks(&self, roles: &Roles<'s>, declaration: &Declaration<'s>) -> bool {
        let Key::Own(own) = declaration.key else { return false };
        // Not the zero that it would be.
        let is_other = match roles.body(own) {
            Some(Body::Sum(..)) => true,
            Some(Body::Record(fields)) => {
                fields.list.iter().any(|field| matches!(field.presence, Presence::Default(Some(_))))
            }
            Some(Body::Tuple(cells)) => cells.iter().any(|cell| cell.default.is_some()),
            _ => false,
        };
        let at = self.place(declaration.key);
        let contents = self.contents(Some(declaration), Containment::Directly);
        // Its default would have no end.
        let has_itself = |part: &usize| at.is_some_and(|at| self.is_boxed(at, *part));
        is_other || contents.iter().any(has_itself)
    }

    /// All that contain one of `seeds` so or closer.
    fn spread(
        &self,
        declared: &[Declaration<'s>],
        seeds: Vec<usize>,
        most: Containment,
    ) -> Vec<bool> {
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); declared.len()];
        for (at, declaration) in declared.iter().enumerate() {
            for part in self.contents(Some(declaration), most) {
                if let Some(users) = users.get_mut(part) {
                    users.push(at);
                }
            }
        }
        leading_to(&users, seeds)
    }
}
