//! The canonical dumps of the fixtures, and what goes into them: base64 and SHA-256.

use fourfold::tsm::{Module, Node, PackedTensor, Tensor};
use serde_json::{Map, Value, json};

/// The dump of a module, as the manifest of the fixtures describes it.
pub(crate) fn module(module: &Module<'_>) -> Value {
    let header = &module.header;
    let data: String = header.data.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({
        "header": { "fake": header.fake, "code": header.code, "data": data },
        "inputs": module.inputs,
        "outputs": module.outputs,
        "nodes": module.graph.nodes.iter().map(node).collect::<Vec<_>>(),
    })
}

fn node(node: &Node<'_>) -> Value {
    let mut params: Vec<_> = node.bubble.params.iter().collect();
    params.sort_by_key(|param| param.name().to_vec());
    let params: Map<String, Value> =
        params.iter().map(|param| (text(param.name()), packed(&param.value))).collect();
    json!({
        "op": text(node.op_bytes().unwrap()),
        "name": text(node.name_bytes().unwrap()),
        "params": params,
        "inputs": node.inputs,
    })
}

/// The dump of a packed tensor: one of no fields shows as TenniS loads it.
pub(crate) fn packed(packed: &PackedTensor<'_>) -> Value {
    match &packed.fields[..] {
        [] => Value::Array(vec![tensor(&Tensor::default())]),
        fields => fields.iter().map(tensor).collect(),
    }
}

fn tensor(tensor: &Tensor<'_>) -> Value {
    let bytes = tensor.bytes();
    let mut dump = json!({
        "dtype": tensor.dtype().code(),
        "shape": tensor.shape(),
        "nbytes": bytes.len(),
    });
    match bytes.len() {
        0..=256 => dump["base64"] = base64(bytes).into(),
        _ => dump["sha256"] = sha256(bytes).into(),
    }
    dump
}

fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.starts_with("hex:") => text.to_owned(),
        _ => format!("hex:{}", crate::support::fixture::hex(bytes)),
    }
}

/// Bytes as base64, with `=` at the end.
fn base64(bytes: &[u8]) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut group = [0u8; 4];
        group[1..=chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes(group);
        for place in 0..4 {
            match place <= chunk.len() {
                true => text.push(digits[(bits >> (18 - 6 * place) & 63) as usize].into()),
                false => text.push('='),
            }
        }
    }
    text
}

/// The parts behind the point of the roots of the first primes: what SHA-256 begins with.
fn root_bits(prime: u64, cube: bool) -> u32 {
    // The root times 2^32 is the largest number whose power is not beyond that of the prime.
    let power = |root: u128| match cube {
        true => root.checked_mul(root).and_then(|square| square.checked_mul(root)),
        false => root.checked_mul(root),
    };
    let (mut low, mut high) = (0u128, 1u128 << 40);
    let limit = u128::from(prime) << if cube { 96 } else { 64 };
    while high - low > 1 {
        let middle = low.midpoint(high);
        match power(middle).is_some_and(|power| power <= limit) {
            true => low = middle,
            false => high = middle,
        }
    }
    (low & 0xffff_ffff) as u32
}

/// SHA-256 as hex digits.
fn sha256(bytes: &[u8]) -> String {
    let is_prime = |n: &u64| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0);
    let primes: Vec<u64> = (2..).filter(is_prime).take(64).collect();
    let k: Vec<u32> = primes.iter().map(|prime| root_bits(*prime, true)).collect();
    let mut state: Vec<u32> = primes.iter().take(8).map(|p| root_bits(*p, false)).collect();
    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in message.chunks(64) {
        let mut w: Vec<u32> =
            block.chunks(4).map(|word| u32::from_be_bytes(word.try_into().unwrap())).collect();
        for t in 16..64 {
            let (a, b) = (w[t - 15], w[t - 2]);
            let a = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
            let b = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
            w.push(w[t - 16].wrapping_add(a).wrapping_add(w[t - 7]).wrapping_add(b));
        }
        let mut s = state.clone();
        for t in 0..64 {
            let e = s[4].rotate_right(6) ^ s[4].rotate_right(11) ^ s[4].rotate_right(25);
            let choice = (s[4] & s[5]) ^ (!s[4] & s[6]);
            let one =
                s[7].wrapping_add(e).wrapping_add(choice).wrapping_add(k[t]).wrapping_add(w[t]);
            let a = s[0].rotate_right(2) ^ s[0].rotate_right(13) ^ s[0].rotate_right(22);
            let two = a.wrapping_add((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            s.rotate_right(1);
            s[4] = s[4].wrapping_add(one);
            s[0] = one.wrapping_add(two);
        }
        for (sum, word) in state.iter_mut().zip(s) {
            *sum = sum.wrapping_add(word);
        }
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

#[test]
fn digests_are_those_of_the_standard() {
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(sha256(b"abc"), abc);
    assert_eq!(
        (base64(b""), base64(b"f"), base64(b"foob")),
        ("".into(), "Zg==".into(), "Zm9vYg==".into())
    );
}
