//! `Dictionary`: names for hashes, from a list of words.

use fourfold::biniou::{Dictionary, ErrorKind, hash};

#[test]
fn an_empty_text_has_no_names() {
    let names = Dictionary::from_words("\n\n").unwrap();
    assert_eq!((names.len(), names.is_empty()), (0, true));
}

#[test]
fn a_second_name_with_the_same_hash_is_refused() {
    assert_eq!(hash("azdwbie"), hash("c7diagq"));
    let names = Dictionary::from_words("other").unwrap();
    let mut all = Dictionary::from_words("azdwbie").unwrap();
    all.merge(&names).unwrap();
    let error = all.insert("c7diagq").unwrap_err();
    match error.kind() {
        ErrorKind::Collision { first, second, hash: found } => {
            let found = (first.as_str(), second.as_str(), *found);
            assert_eq!(found, ("azdwbie", "c7diagq", hash("azdwbie")));
        }
        _ => panic!("{error}"),
    }
    assert_eq!(all.len(), 2);
}
