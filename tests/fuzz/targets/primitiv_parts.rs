#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| fourfold_fuzz::primitiv::parts(input));
