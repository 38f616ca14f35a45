//! An independent model of modules: their bytes, and whether TenniS accepts them, according to its documents.

use crate::damage::bytes;
use crate::support::random::Dice;
use std::ops::Range;

pub(crate) const CODE: u32 = 0x1991_0929;
pub(crate) const CHAR8: u8 = 13;
pub(crate) const INT32: u8 = 5;

/// Bytes per element, by the code of the type.
pub(crate) const SIZES: [usize; 33] = [
    0, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 8, 1, 2, 4, 1, 2, 4, 8, 16, 1, 4, 8, 16, 1, 1, 1, 1, 1, 1,
    1, 1,
];

#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub(crate) fake: u32,
    pub(crate) code: u32,
    pub(crate) data: [u8; 120],
    pub(crate) inputs: Vec<u32>,
    pub(crate) outputs: Vec<u32>,
    pub(crate) nodes: Vec<PlainNode>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct PlainNode {
    pub(crate) params: Vec<(Vec<u8>, Vec<PlainTensor>)>,
    pub(crate) inputs: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(crate) struct PlainTensor {
    pub(crate) dtype: u8,
    pub(crate) shape: Vec<i32>,
    pub(crate) bytes: Vec<u8>,
}

impl PlainTensor {
    pub(crate) fn new(dtype: u8, shape: &[i32], bytes: &[u8]) -> Self {
        PlainTensor { dtype, shape: shape.into(), bytes: bytes.into() }
    }

    pub(crate) fn text(text: &[u8]) -> Self {
        PlainTensor::new(CHAR8, &[i32::try_from(text.len()).unwrap()], text)
    }

    /// A random valid tensor of few elements.
    pub(crate) fn random(dice: &mut Dice) -> Self {
        let dtype = u8::try_from(dice.below(33)).unwrap();
        let dims = [0, 1, 1, 1, 2, 2, 3, 7][dice.below(8)];
        let shape: Vec<i32> = (0..dims).map(|_| [0, 1, 1, 2, 2, 3, 3, 4][dice.below(8)]).collect();
        let count: i32 = shape.iter().product();
        let size = usize::try_from(count).unwrap() * SIZES[usize::from(dtype)];
        PlainTensor { dtype, shape, bytes: bytes(dice, size) }
    }

    fn is_sound(&self) -> bool {
        let product: i128 = self.shape.iter().map(|&dim| i128::from(dim)).product();
        usize::from(self.dtype) < SIZES.len()
            && self.shape.len() <= 7
            && self.shape.iter().all(|&dim| dim >= 0)
            && product <= i128::from(i32::MAX)
    }
}

pub(crate) fn packed_bytes(fields: &[PlainTensor]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.packed(fields);
    writer.bytes
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
}

impl Writer {
    fn count(&mut self, count: usize) {
        self.bytes.extend(u32::try_from(count).unwrap().to_le_bytes());
    }

    fn indices(&mut self, indices: &[u32]) {
        self.count(indices.len());
        self.bytes.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
    }

    fn packed(&mut self, fields: &[PlainTensor]) {
        self.count(fields.len());
        for field in fields {
            self.bytes.push(field.dtype);
            self.count(field.shape.len());
            self.bytes.extend(field.shape.iter().flat_map(|dim| dim.to_le_bytes()));
            let start = self.bytes.len();
            self.bytes.extend(&field.bytes);
            self.places.push(start..self.bytes.len());
        }
    }
}

impl Plain {
    /// A small module.
    pub(crate) fn small() -> Self {
        let mut plain = Plain::empty();
        plain.nodes.push(PlainNode::new(b"<param>", b"x", &[]));
        plain.nodes.push(PlainNode::new(b"relu", b"y", &[0]));
        (plain.inputs, plain.outputs) = (vec![0], vec![1]);
        plain
    }

    pub(crate) fn empty() -> Self {
        let (inputs, outputs, nodes) = Default::default();
        Plain { fake: 0, code: CODE, data: [0; 120], inputs, outputs, nodes }
    }

    /// The file, and the range of the elements of each tensor.
    pub(crate) fn file(&self) -> (Vec<u8>, Vec<Range<usize>>) {
        let mut writer = Writer::default();
        writer.bytes.extend(self.fake.to_le_bytes());
        writer.bytes.extend(self.code.to_le_bytes());
        writer.bytes.extend(self.data);
        writer.indices(&self.inputs);
        writer.indices(&self.outputs);
        writer.count(self.nodes.len());
        for node in &self.nodes {
            writer.count(node.params.len());
            for (name, fields) in &node.params {
                writer.count(name.len());
                writer.bytes.extend(name);
                writer.packed(fields);
            }
            writer.indices(&node.inputs);
        }
        (writer.bytes, writer.places)
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.file().0
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.problem().is_none()
    }

    /// The reason why TenniS cannot load or save the module, or `None`.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let known = |indices: &[u32]| indices.iter().all(|&i| (i as usize) < self.nodes.len());
        let mut tensors = self.nodes.iter().flat_map(|n| &n.params).flat_map(|param| &param.1);
        if self.code != CODE {
            return Some("code");
        }
        if !tensors.all(PlainTensor::is_sound) {
            return Some("a tensor");
        }
        if !self
            .nodes
            .iter()
            .map(|n| &n.inputs)
            .chain([&self.inputs, &self.outputs])
            .all(|i| known(i))
        {
            return Some("an index");
        }
        if let Some(error) = self.nodes.iter().find_map(PlainNode::problem) {
            return Some(error);
        }
        self.needed().find_map(|index| match (self.nodes[index].op(), &self.nodes[index]) {
            (b"<param>", _) if self.inputs.contains(&u32::try_from(index).unwrap()) => None,
            (b"<param>", _) => Some("a <param> that is no input"),
            (b"<const>", _) => None,
            (_, node) => node.inputs.is_empty().then_some("an operator without inputs"),
        })
    }

    /// The nodes that an output needs. TenniS does not follow the inputs of `<param>` and `<const>`.
    fn needed(&self) -> impl Iterator<Item = usize> {
        let mut needed = vec![false; self.nodes.len()];
        let mut open = self.outputs.clone();
        while let Some(index) = open.pop() {
            let node = &self.nodes[index as usize];
            let before = std::mem::replace(&mut needed[index as usize], true);
            if !before && node.op() != b"<param>" && node.op() != b"<const>" {
                open.extend(&node.inputs);
            }
        }
        needed.into_iter().enumerate().filter_map(|(index, needed)| needed.then_some(index))
    }

    /// A random module, mostly valid, sometimes invalid for one or several reasons.
    pub(crate) fn random(dice: &mut Dice) -> Self {
        let mut plain = Plain::empty();
        plain.fake = [0, 1, 0xdead_beef][dice.below(3)];
        if dice.below(4) == 0 {
            plain.data = bytes(dice, 120).try_into().unwrap();
        }
        let nodes = dice.below(12);
        for _ in 0..nodes {
            plain.nodes.push(PlainNode::random(dice, nodes));
        }
        let index = |dice: &mut Dice| u32::try_from(dice.below(nodes)).unwrap();
        for place in 0..nodes {
            if plain.nodes[place].op() == b"<param>" && dice.below(12) > 0 {
                plain.inputs.push(u32::try_from(place).unwrap());
            }
        }
        for _ in 0..dice.below(3).min(nodes) {
            plain.inputs.insert(dice.below(plain.inputs.len() + 1), index(dice));
        }
        for _ in 0..dice.below(4).min(nodes) {
            plain.outputs.push(index(dice));
        }
        if dice.below(5) == 0 {
            plain.spoil(dice);
        }
        plain
    }

    /// Makes the module invalid.
    fn spoil(&mut self, dice: &mut Dice) {
        let nodes = self.nodes.len();
        let beyond = u32::try_from(nodes).unwrap() + [0, 1, 1 << 16, 1 << 30][dice.below(4)];
        let Some(node) = dice.below(nodes).checked_sub(usize::from(nodes == 0)) else {
            self.code = [0, CODE.swap_bytes(), CODE + 1][dice.below(3)];
            return;
        };
        let node = &mut self.nodes[node];
        let param = dice.below(node.params.len());
        match dice.below(9) {
            0 => self.inputs.push(beyond),
            1 => self.outputs.insert(0, beyond),
            2 => node.inputs.push(beyond),
            3 => self.code ^= 1 << dice.below(32),
            4 => drop(node.params.remove(param)),
            5 => {
                let values = [0, 1, 2, -1][dice.below(4)];
                let count = PlainTensor::new(INT32, &[1], &i32::to_le_bytes(values));
                node.params.push((b"#output_count".into(), vec![count]));
            }
            6 => node.params[param].1 = vec![PlainTensor::random(dice)],
            7 => {
                let shape = [&[1; 8][..], &[-1], &[1 << 16, 1 << 16], &[-1, -2]][dice.below(4)];
                let bytes = bytes(dice, usize::from(shape.len() == 8));
                node.params[param].1.push(PlainTensor::new(2, shape, &bytes));
            }
            _ => {
                let code = [33, 34, 127, 128, 255][dice.below(5)];
                node.params[param].1.push(PlainTensor::new(code, &[0], &[]));
            }
        }
    }
}

impl PlainNode {
    pub(crate) fn new(op: &[u8], name: &[u8], inputs: &[u32]) -> Self {
        let params = vec![
            (b"#op".into(), vec![PlainTensor::text(op)]),
            (b"#name".into(), vec![PlainTensor::text(name)]),
        ];
        PlainNode { params, inputs: inputs.into() }
    }

    /// The first value with this name, which TenniS uses.
    fn get(&self, name: &[u8]) -> Option<&[PlainTensor]> {
        self.params.iter().find(|param| param.0 == name).map(|param| param.1.as_slice())
    }

    pub(crate) fn op(&self) -> &[u8] {
        self.get(b"#op").and_then(|fields| fields.first()).map_or(b"", |op| &op.bytes)
    }

    fn problem(&self) -> Option<&'static str> {
        let text = |name: &[u8]| {
            let first = self.get(name).and_then(|fields| fields.first());
            first.is_some_and(|first| first.dtype == CHAR8 && first.shape.len() == 1)
        };
        let one = match self.get(b"#output_count") {
            Some([first, ..]) => first.dtype == INT32 && first.bytes == [1, 0, 0, 0],
            Some([]) => false,
            None => true,
        };
        // BOOLEAN, the integers, floats and characters can be cast.
        let sizes = match self.get(b"#shape") {
            Some([first, ..]) => matches!(first.dtype, 1..=11 | 13..=15 | 21),
            Some([]) => false,
            None => true,
        };
        match (text(b"#op"), text(b"#name"), one, sizes) {
            (false, ..) => Some("#op"),
            (_, false, ..) => Some("#name"),
            (_, _, false, _) => Some("#output_count"),
            (_, _, _, false) => Some("#shape"),
            _ => None,
        }
    }

    fn random(dice: &mut Dice, nodes: usize) -> Self {
        const OPS: [&[u8]; 8] =
            [b"<param>", b"<const>", b"relu", b"add", b"conv2d", b"", b"<const>", b"\xff\xfe"];
        const NAMES: [&[u8]; 6] =
            [b"x", b"y", b"", b"a longer name, of 32 bytes or more", "名".as_bytes(), b"z"];
        const PARAMS: [&[u8]; 8] =
            [b"value", b"#shape", b"#dtype", b"device", b"kernel", b"", b"\x80", b"#other"];
        let op = OPS[dice.below(OPS.len())];
        let mut node = PlainNode::new(op, NAMES[dice.below(NAMES.len())], &[]);
        for _ in 0..dice.below(5) {
            let name = match dice.below(8) {
                0 => {
                    let len = [31, 32, 33, 300][dice.below(4)];
                    bytes(dice, len)
                }
                _ => PARAMS[dice.below(PARAMS.len())].into(),
            };
            let fields = [0, 1, 1, 1, 1, 2, 3][dice.below(7)];
            let fields = (0..fields).map(|_| PlainTensor::random(dice)).collect();
            // Before `#op` and `#name` or after them.
            node.params.insert(dice.below(node.params.len() + 1), (name, fields));
        }
        let inputs = match op {
            b"<param>" | b"<const>" => [0, 0, 0, 1][dice.below(4)],
            _ => [1, 1, 2, 2, 3, 1, 2, 0][dice.below(8)],
        };
        node.inputs = (0..inputs).map(|_| u32::try_from(dice.below(nodes)).unwrap()).collect();
        node
    }
}
