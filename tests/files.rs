//! Files are replaced atomically: a reader always finds a complete file.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, fs, thread};

use fourfold::primitiv::{self, Parameter};
use fourfold::tsm::{Memory, Module, ModuleBuilder, Tensor};
use fourfold::{molecule, replace_file};

/// The variable that selects a file in a child process of this test binary.
const CHILD: &str = "FOURFOLD_TEST_FILE";

/// How often each writer writes the file.
const ROUNDS: usize = 60;

/// Long enough to be written in several steps.
const LEN: usize = 300_000;

/// Writes a file that repeats the number of its writer, so that a mixture of two writers is detected.
fn write(path: &Path, writer: u8) -> io::Result<()> {
    replace_file(path, |out| {
        for _ in 0..LEN / 1000 {
            out.write_all(&[writer; 1000])?;
        }
        Ok(())
    })
}

fn assert_complete(path: &Path, writers: std::ops::Range<u8>) {
    let bytes = fs::read(path).unwrap();
    assert_eq!(bytes.len(), LEN);
    assert!(writers.contains(&bytes[0]), "{}", bytes[0]);
    assert!(bytes.iter().all(|byte| *byte == bytes[0]), "a mixture of two writers");
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// A process of this test binary that runs the named test.
fn child(name: &str, path: &Path) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", name, "--ignored", "--nocapture"]).env(CHILD, path);
    command
}

#[test]
fn concurrent_threads_leave_one_complete_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("file");
    write(path, 0).unwrap();
    let is_done = &AtomicBool::new(false);
    thread::scope(|scope| {
        let writers: Vec<_> = (1..4)
            .map(|writer| {
                scope.spawn(move || (0..ROUNDS).for_each(|_| write(path, writer).unwrap()))
            })
            .collect();
        scope.spawn(move || {
            while !is_done.load(Ordering::Relaxed) {
                assert_complete(path, 0..4);
                // A mapped file does not change when the path is replaced.
                let map = Memory::open(path).unwrap();
                assert!(map.len() == LEN && map.iter().all(|byte| *byte == map[0]));
            }
        });
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        is_done.store(true, Ordering::Relaxed);
    });
    assert_complete(path, 1..4);
    assert_eq!(names(folder.path()), ["file"], "temporary siblings remain");
}

#[test]
#[ignore = "run by the next"]
fn child_that_writes() {
    let path = env::var_os(CHILD).unwrap();
    let writer = u8::try_from(std::process::id() % 199).unwrap() + 1;
    (0..ROUNDS).for_each(|_| write(path.as_ref(), writer).unwrap());
}

#[test]
fn concurrent_processes_leave_one_complete_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("file");
    write(path, 0).unwrap();
    let children: Vec<_> =
        (0..3).map(|_| child("child_that_writes", path).spawn().unwrap()).collect();
    for mut child in children {
        while child.try_wait().unwrap().is_none() {
            assert_complete(path, 0..255);
        }
        assert!(child.wait().unwrap().success());
    }
    assert_complete(path, 1..255);
    assert_eq!(names(folder.path()), ["file"], "temporary siblings remain");
}

/// A mounted file system of limited size, unmounted when dropped. `None` without the permission to mount.
#[cfg(target_os = "linux")]
struct Disk(tempfile::TempDir);

#[cfg(target_os = "linux")]
impl Disk {
    fn of(bytes: usize) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let size = format!("size={bytes}");
        let mut mount = Command::new("mount");
        let mount = mount.args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder.path()).output();
        mount.is_ok_and(|output| output.status.success()).then_some(Disk(folder))
    }
}

#[cfg(target_os = "linux")]
impl Drop for Disk {
    fn drop(&mut self) {
        // If it cannot be unmounted, it stays until the system is restarted.
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_file() {
    const SIZE: usize = 256 << 10;
    let Some(disk) = Disk::of(SIZE) else {
        println!("skipped: no rights to mount a small disk");
        return;
    };
    let path = &disk.0.path().join("file");
    let is_full = |error: &io::Error| error.kind() == io::ErrorKind::StorageFull;
    let old = |len: usize| {
        assert_eq!(fs::read(path).unwrap(), vec![9; len]);
        assert_eq!(names(disk.0.path()), ["file"], "a temporary sibling remains");
    };
    let len = 100_000;
    replace_file::<io::Error>(path, |out| out.write_all(&vec![9; len])).unwrap();

    // The second file does not fit in addition to the first.
    assert!(is_full(&write(path, 7).unwrap_err()));
    old(len);
    // Neither do less bytes than a buffer holds, which are only written at the end.
    let fill = fs::write(disk.0.path().join("rest"), vec![1; SIZE]);
    assert!(is_full(&fill.unwrap_err()));
    let error = replace_file::<io::Error>(path, |out| out.write_all(&[7; 5000])).unwrap_err();
    assert!(is_full(&error));
    fs::remove_file(disk.0.path().join("rest")).unwrap();
    old(len);

    let tensor = Tensor::list(&vec![0.5_f32; SIZE / 4]).unwrap();
    let mut graph = ModuleBuilder::new();
    let constant = graph.constant("c", tensor);
    let module = graph.build([], [constant]).unwrap();
    let error = io::Error::from(module.write_to(path).unwrap_err());
    assert!(is_full(&error), "{error}");
    old(len);

    let shape = primitiv::Shape::new(&[u32::try_from(SIZE / 4).unwrap()]).unwrap();
    let tensor = primitiv::Tensor::new(shape, vec![0; SIZE]).unwrap();
    let error = io::Error::from(Parameter::new(tensor).unwrap().write_to(path).unwrap_err());
    assert!(is_full(&error), "{error}");
    old(len);

    let value = vec![7_u8; SIZE];
    let write = |out: &mut io::BufWriter<&mut fs::File>| molecule::to_writer(out, &value);
    let error = replace_file::<Failure>(path, |out| Ok(write(out)?)).unwrap_err();
    assert!(is_full(&error.0), "{}", error.0);
    old(len);
}

/// The error of a stream or of a format.
struct Failure(io::Error);

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure(error)
    }
}

impl From<molecule::Error> for Failure {
    fn from(error: molecule::Error) -> Self {
        Failure(error.into())
    }
}

fn module(number: f32) -> Module<'static> {
    let mut graph = ModuleBuilder::new();
    let constant = graph.constant("c", Tensor::list(&vec![number; 50_000]).unwrap());
    graph.build([], [constant]).unwrap()
}

fn first(module: &Module<'_>) -> Vec<f32> {
    let value = module.graph.nodes[0].value().unwrap();
    value.fields[0].to_vec().unwrap()
}

#[test]
fn an_open_file_that_is_replaced_does_not_change() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.tsm");
    module(1.0).write_to(&path).unwrap();
    let opened = Module::open(&path).unwrap();
    module(2.0).write_to(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(first(&opened) == [1.0; 50_000]);
}

/// The error for a folder that cannot be written to is that of `std`, without the name of the temporary file.
#[test]
fn errors_are_those_of_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none").join("file");
    let known = fs::write(&path, b"").unwrap_err();
    let error = write(&path, 7).unwrap_err();
    assert_eq!((error.kind(), error.to_string()), (io::ErrorKind::NotFound, known.to_string()));
    assert_eq!(error.raw_os_error(), known.raw_os_error());
    let error = io::Error::from(module(1.0).write_to(&path).unwrap_err());
    assert_eq!(error.to_string(), known.to_string());
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "run by the next, and ends by a signal"]
fn child_whose_file_shrinks() {
    let path = env::var_os(CHILD).unwrap();
    let opened = Module::open(&path).unwrap();
    println!("opened");
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(4096).unwrap();
    println!("read {:?}", first(&opened).len());
}

/// As the documentation of `open` describes: the system ends a process that accesses truncated bytes.
#[cfg(target_os = "linux")]
#[test]
fn a_mapped_file_that_shrinks_ends_the_process() {
    use std::os::unix::process::ExitStatusExt as _;

    const SIGBUS: i32 = 7;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.tsm");
    module(1.0).write_to(&path).unwrap();
    let output = child("child_whose_file_shrinks", &path).output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("opened") && !stdout.contains("read"), "{stdout}");
    assert_eq!(output.status.signal(), Some(SIGBUS), "{:?}", output.status);
}

/// Files without a length are read, as by `std::fs::read`.
#[cfg(target_os = "linux")]
#[test]
fn files_that_cannot_be_mapped_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty");
    fs::write(&empty, []).unwrap();
    assert!(Memory::open(&empty).unwrap().is_empty());

    // It reports a length of 0.
    let about = Path::new("/proc/self/cmdline");
    assert_eq!(fs::metadata(about).unwrap().len(), 0);
    assert_eq!(Memory::open(about).unwrap().as_slice(), fs::read(about).unwrap());

    /// The result of `open` for a pipe with these bytes, which may exceed the pipe's buffer.
    fn piped<T>(fifo: &Path, bytes: &[u8], open: impl FnOnce(&Path) -> T) -> T {
        thread::scope(|scope| {
            scope.spawn(|| fs::write(fifo, bytes).unwrap());
            open(fifo)
        })
    }
    let fifo = &folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(fifo).status().unwrap().success());
    let bytes = vec![7; LEN];
    assert!(piped(fifo, &bytes, |path| Memory::open(path).unwrap()).as_slice() == bytes);

    let written = module(1.0).to_vec().unwrap();
    let opened = piped(fifo, &written, |path| Module::open(path).unwrap());
    assert!(first(&opened) == [1.0; 50_000]);
    let parameter = Parameter::new(primitiv::Tensor::scalar(2.0)).unwrap();
    let bytes = primitiv::File::from(parameter.clone()).to_vec().unwrap();
    let opened = piped(fifo, &bytes, |path| Parameter::open(path).unwrap());
    assert_eq!(opened, parameter);

    let error = Memory::open(folder.path()).unwrap_err();
    assert_eq!(error.to_string(), fs::read(folder.path()).unwrap_err().to_string());
}

/// A path can be a link to a file that does not exist yet.
#[cfg(unix)]
#[test]
fn links_are_followed_and_kept() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let put =
        |name: &str, text: &[u8]| replace_file::<io::Error>(at(name), |out| out.write_all(text));
    let is_link = |name: &str| fs::symlink_metadata(at(name)).unwrap().is_symlink();
    fs::create_dir(at("store")).unwrap();
    symlink("store/model", at("current")).unwrap();
    symlink(at("store/whole"), at("whole")).unwrap();
    symlink("../chosen", at("store/up")).unwrap();
    symlink("store/up", at("far")).unwrap();

    // First without the target, then with it.
    for text in [b"one", b"two"] {
        for (link, file) in
            [("current", "store/model"), ("whole", "store/whole"), ("far", "chosen")]
        {
            put(link, text).unwrap();
            assert!(is_link(link), "{link}");
            assert!(fs::symlink_metadata(at(file)).unwrap().is_file(), "{file}");
            assert_eq!(fs::read(at(link)).unwrap(), text, "{link}");
        }
    }
    assert!(is_link("store/up"));

    // Links that cannot be resolved are errors, and are not replaced.
    symlink("lost/model", at("nowhere")).unwrap();
    assert_eq!(put("nowhere", b"one").unwrap_err().kind(), io::ErrorKind::NotFound);
    assert!(is_link("nowhere"));
    symlink("itself", at("itself")).unwrap();
    symlink("there", at("back")).unwrap();
    symlink("back", at("there")).unwrap();
    for name in ["itself", "there"] {
        let known = fs::write(at(name), b"one").unwrap_err();
        assert_eq!(put(name, b"one").unwrap_err().to_string(), known.to_string());
        assert!(is_link(name), "{name}");
    }
    let mut found = names(folder.path());
    found.sort();
    let left = ["back", "chosen", "current", "far", "itself", "nowhere", "store", "there", "whole"];
    assert_eq!(found, left);
}

/// If it has no path of its own, the link's path is written to.
#[cfg(target_os = "linux")]
#[test]
fn pipes_are_written_to_through_links() {
    use std::os::fd::AsRawFd as _;
    use std::process::Stdio;

    let mut cat = Command::new("cat");
    let mut child = cat.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let pipe = child.stdin.take().unwrap();
    let path = format!("/proc/self/fd/{}", pipe.as_raw_fd());
    replace_file::<io::Error>(&path, |out| out.write_all(b"text")).unwrap();
    drop(pipe);
    assert_eq!(child.wait_with_output().unwrap().stdout, b"text");
}
