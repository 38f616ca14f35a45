//! Lists whose items are created lazily, so that long ones take no memory.

use fourfold::{primitiv, tsm};
use fourfold_schema::atd;

use super::{Part, biniou, molecule};

/// The source of a list's items.
pub(super) trait Listed<'a> {
    fn len(&self) -> usize;

    /// All items in order.
    fn iter(&self) -> Box<dyn Iterator<Item = Part<'a>> + 'a>;

    fn get(&self, index: usize) -> Option<Part<'a>> {
        self.iter().nth(index)
    }
}

/// A list whose items are created one by one, as often as needed.
#[derive(Clone, Debug)]
pub enum Items<'a> {
    /// Bytes as numbers.
    Bytes(&'a [u8]),
    Numbers(&'a [u32]),
    /// A list of Molecule.
    Molecule(molecule::Shown<'a>),
    /// The records of a file.
    Records(molecule::Records<'a>),
    /// A list of biniou.
    Nodes(biniou::Nodes<'a>),
    /// The chunks of a file.
    Chunks(biniou::ChunkList<'a>),
    /// A list of biniou with a schema.
    Typed(atd::List<'a>),
    /// The values of a file with a schema.
    TypedValues(biniou::TypedValues<'a>),
    /// The nodes of a module.
    Graph(&'a [tsm::Node<'a>]),
    /// The parameters of a model.
    Model(&'a [primitiv::Entry<'a>]),
}

impl<'a> Items<'a> {
    fn listed(&self) -> &dyn Listed<'a> {
        match self {
            Items::Bytes(list) => list,
            Items::Numbers(list) => list,
            Items::Molecule(list) => list,
            Items::Records(list) => list,
            Items::Nodes(list) => list,
            Items::Chunks(list) => list,
            Items::Typed(list) => list,
            Items::TypedValues(list) => list,
            Items::Graph(list) => list,
            Items::Model(list) => list,
        }
    }

    pub fn len(&self) -> usize {
        self.listed().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, index: usize) -> Option<Part<'a>> {
        self.listed().get(index)
    }

    pub fn iter(&self) -> impl Iterator<Item = Part<'a>> + use<'a> {
        self.listed().iter()
    }
}

/// Implements the trait for slices of these types.
macro_rules! slices {
    ($($item:ty, $part:expr;)*) => {$(
        impl<'a> Listed<'a> for &'a [$item] {
            fn len(&self) -> usize {
                <[_]>::len(self)
            }

            fn iter(&self) -> Box<dyn Iterator<Item = Part<'a>> + 'a> {
                Box::new(<[_]>::iter(self).map($part))
            }

            fn get(&self, index: usize) -> Option<Part<'a>> {
                <[_]>::get(self, index).map($part)
            }
        }
    )*};
}

slices! {
    u8, |byte| Part::integer(*byte);
    u32, |number| Part::integer(*number);
    tsm::Node<'a>, super::tsm::node;
    primitiv::Entry<'a>, super::primitiv::entry;
}
