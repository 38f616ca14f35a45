//! Files as a whole: mapped for reading where they can be, replaced for writing.

use alloc::vec::Vec;
use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use crate::error::{CommonKind, Error};
use crate::tensor::memory::Source;

/// Maps the file at `path` into memory; only accessed pages are read. If it is not a regular file,
/// or reports a length of zero, it is read to its end.
#[allow(unsafe_code, reason = "a map of a file that others may change")]
pub(crate) fn map(path: &Path) -> io::Result<Source> {
    let mut file = File::open(path)?;
    let about = file.metadata()?;
    if !about.is_file() || about.len() == 0 {
        // A pipe has no length, and files in /proc report 0 for any content.
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        return Ok(Source::of_bytes(bytes));
    }
    // SAFETY: the file must not be changed or truncated while it is mapped. The documentation of
    // every public `open` makes that the caller's duty.
    let map = unsafe { Mmap::map(&file) }?;
    Ok(Source::of_map(map))
}

/// [`map`], with the error of a format.
pub(crate) fn open<K: From<CommonKind>>(path: &Path) -> Result<Source, Error<K>> {
    map(path).map_err(|error| Error::placeless(CommonKind::Io(error)))
}

/// [`replace_file`], with the error of a format.
pub(crate) fn save<K: From<CommonKind>>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> Result<(), Error<K>>,
) -> Result<(), Error<K>> {
    /// An error on either side of the file.
    struct Either<K>(Error<K>);

    impl<K: From<CommonKind>> From<io::Error> for Either<K> {
        fn from(error: io::Error) -> Self {
            Either(Error::placeless(CommonKind::Io(error)))
        }
    }

    let saved = replace_file(path, |file| write(file).map_err(Either));
    saved.map_err(|Either(error)| error)
}

/// Writes a temporary sibling of `path` and renames it to `path` once it is complete, so that
/// readers find the old file or the new one, and an error leaves the old one. A symbolic link stays
/// and the file that it points to is replaced, also if that does not exist yet. If `path` is not a
/// regular file, such as a pipe, it is written directly.
///
/// # Errors
///
/// Those of `write`, of following links that lead in a circle, and of making, writing and renaming
/// the file.
///
/// # Examples
///
/// ```
/// use std::io::{self, Write as _};
///
/// let path = std::env::temp_dir().join("fourfold-replace-file");
/// fourfold::replace_file::<io::Error>(&path, |writer| writer.write_all(b"\x0c\x03abc"))?;
/// assert_eq!(std::fs::read(&path)?, b"\x0c\x03abc");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), io::Error>(())
/// ```
pub fn replace_file<E: From<io::Error>>(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> Result<(), E>,
) -> Result<(), E> {
    let path = &resolve_links(path.as_ref())?;
    if std::fs::metadata(path).is_ok_and(|old| !old.is_file() && !old.is_dir()) {
        let mut special = File::options().write(true).open(path)?;
        let mut writer = BufWriter::new(&mut special);
        write(&mut writer)?;
        return Ok(writer.flush()?);
    }
    let mut sibling = sibling_in(folder_of(path))?;
    let mut writer = BufWriter::new(sibling.as_file_mut());
    write(&mut writer)?;
    writer.flush()?;
    drop(writer);
    // The previous file's permissions apply to the new one.
    if let Ok(old) = std::fs::metadata(path) {
        sibling.as_file().set_permissions(old.permissions())?;
    }
    sibling.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Where the file of that path is or, if there is none yet, will be.
fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    loop {
        let Err(error) = std::fs::metadata(&path) else {
            // If it has no path of its own, such as a pipe at /dev/stdout, the link's path is used.
            return Ok(std::fs::canonicalize(&path).unwrap_or(path));
        };
        match std::fs::read_link(&path) {
            // A path that is not relative stays as it is. In a circle, the error is another.
            Ok(target) if error.kind() == io::ErrorKind::NotFound => {
                path = folder_of(&path).join(target);
            }
            Ok(_) => return Err(error),
            Err(_) => return Ok(path),
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A temporary file that, like any new file, has the permissions that the process sets.
///
/// Made by `std`, whose errors do not name a temporary path that the user never sees.
fn sibling_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new().make_in(folder, |path| File::create_new(path))
}
