//! Names for hashes of biniou: word lists and `.atd` schemas.

use std::path::PathBuf;

use fourfold::biniou::Dictionary;

use crate::failure::Failure;

/// The names of all these files.
pub(crate) fn dictionary(paths: &[PathBuf]) -> Result<Dictionary, Failure> {
    let mut dictionary = Dictionary::new();
    for path in paths {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::io(path, error))?;
        let names = match path.extension().is_some_and(|extension| extension == "atd") {
            true => Dictionary::from_atd(&text),
            false => Dictionary::from_words(&text),
        };
        names
            .and_then(|names| dictionary.merge(&names))
            .map_err(|error| Failure::data(&path.display().to_string(), error))?;
    }
    Ok(dictionary)
}
