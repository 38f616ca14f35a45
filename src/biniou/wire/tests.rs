use super::*;

#[test]
fn hashes_are_those_of_the_format() {
    assert_eq!(hash("Hello"), 0x37ee_a2f2);
    assert_eq!(hash(""), 0);
    assert_eq!(hash("azdwbie"), hash("c7diagq"));
    assert_eq!(hash("azdwbie"), 0x6c31_2372);
}

#[test]
fn every_tag_has_its_byte() {
    for &tag in Tag::ALL {
        assert_eq!(Tag::from_byte(tag.byte()), Some(tag));
    }
    let known = (0..=u8::MAX).filter(|byte| Tag::from_byte(*byte).is_some()).count();
    assert_eq!(known, Tag::ALL.len());
}

#[test]
fn vints_are_read_back() {
    for number in [0, 1, 127, 128, 300, 16383, 16384, u128::from(u64::MAX), u128::MAX] {
        let mut out = Vec::new();
        put_uvint(&mut out, number);
        assert_eq!(out.len(), uvint_size(number));
        assert_eq!(take_uvint(&mut Reader::new(&out, 0)).unwrap(), number);
    }
    for number in [0, -1, 1, 63, 64, i128::MIN, i128::MAX] {
        assert_eq!(i128::unzigzag(number.zigzag()), number);
    }
    assert_eq!([0i128, -1, 1, -2, 2].map(Zigzag::zigzag), [0, 1, 2, 3, 4]);
}

#[test]
fn vints_end() {
    let text = |bytes: &[u8]| {
        take_uvint(&mut Reader::new(bytes, 7)).map_err(|error| alloc::format!("{error}"))
    };
    assert_eq!(text(&[0x80, 0x80, 0]), Ok(0));
    let mut endless = [0x80; 40];
    assert_eq!(text(&endless).unwrap_err(), "vint is longer than 128 bits at byte 7");
    endless[17] = 0;
    assert_eq!(text(&endless), Ok(0));
    let mut large = [0xff; 19];
    large[18] = 3;
    assert_eq!(text(&large), Ok(u128::MAX));
    large[18] = 4;
    assert_eq!(text(&large).unwrap_err(), "vint is longer than 128 bits at byte 7");
    assert_eq!(text(&[0x80]).unwrap_err(), "input ends early: 1 byte needed, 0 left at byte 8");
}
