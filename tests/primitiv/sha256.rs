//! SHA-256 (FIPS 180-4), by which the fixtures' JSON shortens what is long.

/// The first 32 bits of the fractional part of a root of a prime.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the first bits of a positive fraction are what is wanted"
)]
fn fraction(root: f64) -> u32 {
    (root.fract() * 2f64.powi(32)) as u32
}

fn primes() -> impl Iterator<Item = u32> {
    (2u32..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0))
}

/// The digest as hex digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let constants: Vec<u32> =
        primes().take(64).map(|prime| fraction(f64::from(prime).cbrt())).collect();
    let mut state: Vec<u32> =
        primes().take(8).map(|prime| fraction(f64::from(prime).sqrt())).collect();
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());

    for block in padded.chunks(64) {
        let mut w: Vec<u32> =
            block.chunks(4).map(|word| u32::from_be_bytes(word.try_into().unwrap())).collect();
        for i in 16..64 {
            let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
            let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
            w.push(w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1));
        }
        let mut v = state.clone();
        for i in 0..64 {
            let (a, e) = (v[0], v[4]);
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & v[5]) ^ (!e & v[6]);
            let sums = [v[7], s1, choice, constants[i], w[i]];
            let one = sums.into_iter().fold(0, u32::wrapping_add);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let majority = (a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]);
            v[3] = v[3].wrapping_add(one);
            v[7] = one.wrapping_add(s0).wrapping_add(majority);
            v.rotate_right(1);
        }
        for (state, v) in state.iter_mut().zip(v) {
            *state = state.wrapping_add(v);
        }
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

#[test]
fn known_digest() {
    let wanted = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(sha256(b"abc"), wanted);
}
