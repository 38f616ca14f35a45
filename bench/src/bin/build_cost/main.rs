//! What it costs to build with a format: seconds of the compiler and kilobytes of code.
//!
//! `cargo run -p bench --release --bin build_cost` makes 100 types with serde's derives and, for each
//! format, a program that can write and read every one of them. It builds each program in cargo's own
//! release profile and prints Markdown; with `--out docs/build-cost.md --date DATE` it writes the page.
//! Dependencies are built before, and are not in the figures: these are what comes with the types. What a
//! program has of a format once, however many types there are, shows in a program with one type.

use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use object::{Object as _, ObjectSection as _, SectionKind};

#[allow(dead_code, reason = "data sets ask for more")]
#[path = "../../random.rs"]
mod random;
mod types;

const USAGE: &str = "\
usage: build_cost [OPTION]..

  --format NAME,..  these formats (all)
  --types N         so many types (100)
  --rounds N        builds of each, of which the fastest counts (2)
  --date DATE       the date for the page
  --out FILE        writes the page";

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A format: what it is called, its dependencies, and how it writes `value` and reads `bytes`.
struct Format {
    name: &'static str,
    dependencies: &'static str,
    write: &'static str,
    read: &'static str,
}

const FOURFOLD: &str = concat!("fourfold = { path = \"", env!("CARGO_MANIFEST_DIR"), "/..\" }");

/// One format with `std`, without `any`.
macro_rules! with {
    ($format:literal) => {
        concat!(
            "fourfold = { path = \"",
            env!("CARGO_MANIFEST_DIR"),
            "/..\", default-features = false, features = [\"std\", \"",
            $format,
            "\"] }"
        )
    };
}

/// Where everything is compared with, so it comes first: a program that only knows the types.
const NOTHING: Format = Format {
    name: "nothing",
    dependencies: "",
    write: "{ _ = value; None }",
    read: "{ _ = bytes; None }",
};

const FORMATS: &[Format] = &[
    Format {
        name: "molecule",
        dependencies: FOURFOLD,
        write: "fourfold::molecule::to_vec(value).ok()",
        read: "fourfold::molecule::from_slice(bytes).ok()",
    },
    Format {
        name: "molecule without any",
        dependencies: with!("molecule"),
        write: "fourfold::molecule::to_vec(value).ok()",
        read: "fourfold::molecule::from_slice(bytes).ok()",
    },
    Format {
        name: "biniou",
        dependencies: FOURFOLD,
        write: "fourfold::biniou::to_vec(value).ok()",
        read: "fourfold::biniou::from_slice(bytes).ok()",
    },
    Format {
        name: "biniou without any",
        dependencies: with!("biniou"),
        write: "fourfold::biniou::to_vec(value).ok()",
        read: "fourfold::biniou::from_slice(bytes).ok()",
    },
    Format {
        name: "tsm",
        dependencies: FOURFOLD,
        write: "fourfold::tsm::to_vec(value).ok()",
        read: "fourfold::tsm::from_slice(bytes).ok()",
    },
    Format {
        name: "tsm without any",
        dependencies: with!("tsm"),
        write: "fourfold::tsm::to_vec(value).ok()",
        read: "fourfold::tsm::from_slice(bytes).ok()",
    },
    Format {
        name: "primitiv",
        dependencies: FOURFOLD,
        write: "fourfold::primitiv::to_vec(value).ok()",
        read: "fourfold::primitiv::from_slice(bytes).ok()",
    },
    Format {
        name: "primitiv without any",
        dependencies: with!("primitiv"),
        write: "fourfold::primitiv::to_vec(value).ok()",
        read: "fourfold::primitiv::from_slice(bytes).ok()",
    },
    Format {
        name: "bincode 2",
        dependencies: "bincode = { version = \"2.0.1\", features = [\"serde\"] }",
        write: "bincode::serde::encode_to_vec(value, bincode::config::standard()).ok()",
        read: "bincode::serde::decode_from_slice(bytes, bincode::config::standard()).ok().map(|(value, _)| value)",
    },
    Format {
        name: "postcard",
        dependencies: "postcard = { version = \"1.1\", features = [\"alloc\"] }",
        write: "postcard::to_allocvec(value).ok()",
        read: "postcard::from_bytes(bytes).ok()",
    },
    Format {
        name: "rmp-serde named",
        dependencies: "rmp-serde = \"1.3\"",
        write: "rmp_serde::to_vec_named(value).ok()",
        read: "rmp_serde::from_slice(bytes).ok()",
    },
    Format {
        name: "serde_json",
        dependencies: "serde_json = \"1.0\"",
        write: "serde_json::to_vec(value).ok()",
        read: "serde_json::from_slice(bytes).ok()",
    },
];

struct Arguments {
    formats: Vec<String>,
    types: usize,
    rounds: usize,
    date: Option<String>,
    out: Option<PathBuf>,
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Outcome<Self> {
        let mut arguments =
            Arguments { formats: Vec::new(), types: 100, rounds: 2, date: None, out: None };
        while let Some(option) = words.next() {
            let value = words.next().ok_or(USAGE)?;
            match option.as_str() {
                "--format" => arguments.formats = value.split(',').map(str::to_owned).collect(),
                "--types" => arguments.types = value.parse()?,
                "--rounds" => arguments.rounds = value.parse()?,
                "--date" => arguments.date = Some(value),
                "--out" => arguments.out = Some(value.into()),
                _ => return Err(USAGE.into()),
            }
        }
        let unknown = |name: &&String| !FORMATS.iter().any(|format| format.name == *name);
        if let Some(name) = arguments.formats.iter().find(unknown) {
            return Err(format!("no format named {name}").into());
        }
        match arguments.out.is_some() && arguments.date.is_none() {
            true => Err("--out wants a --date".into()),
            false => Ok(arguments),
        }
    }

    fn wants(&self, name: &str) -> bool {
        self.formats.is_empty() || self.formats.iter().any(|wanted| wanted == name)
    }
}

/// What one program took.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    /// Bytes of machine code.
    code: f64,
}

/// What comes with a format.
struct Row {
    name: &'static str,
    /// All types.
    all: Cost,
    /// Bytes of machine code with one type.
    one: f64,
}

fn main() -> Outcome<()> {
    let arguments = Arguments::parse(env::args().skip(1))?;
    let (ground, small) = (Ground::new(arguments.types)?, Ground::new(1)?);
    let nothing = ground.cost(&NOTHING, arguments.rounds)?;
    let nothing_small = small.cost(&NOTHING, 1)?;
    let mut rows = Vec::new();
    for format in FORMATS.iter().filter(|format| arguments.wants(format.name)) {
        let cost = ground.cost(format, arguments.rounds)?;
        let (seconds, code) = (cost.seconds - nothing.seconds, cost.code - nothing.code);
        let one = small.cost(format, 1)?.code - nothing_small.code;
        eprintln!("{}: {seconds:.1} s, {:.0} kB, {:.0} kB", format.name, code / 1e3, one / 1e3);
        rows.push(Row { name: format.name, all: Cost { seconds, code }, one });
    }
    let table = table(&rows);
    print!("{table}");
    if let (Some(path), Some(date)) = (&arguments.out, &arguments.date) {
        fs::write(path, page(&table, arguments.types, date))?;
    }
    Ok(())
}

/// A folder of packages: the types, and a program for each format.
struct Ground {
    folder: tempfile::TempDir,
    /// Stays between runs, so that dependencies are built once.
    target: PathBuf,
    types: usize,
}

impl Ground {
    fn new(types: usize) -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        let target = env::current_exe()?.with_file_name("build_cost_of_types");
        write(&folder.path().join("types/src/lib.rs"), &types::source(types))?;
        write(&folder.path().join("types/Cargo.toml"), &manifest("types", "", ""))?;
        Ok(Ground { folder, target, types })
    }

    /// The cheapest of some builds.
    fn cost(&self, format: &Format, rounds: usize) -> Outcome<Cost> {
        let folder = self.folder.path().join(format.name.replace([' ', ','], "_"));
        let dependencies = format!("types = {{ path = \"../types\" }}\n{}", format.dependencies);
        write(&folder.join("Cargo.toml"), &manifest("program", &dependencies, "[workspace]\n"))?;
        write(&folder.join("src/lib.rs"), "//! So that dependencies can be built alone.\n")?;
        write(&folder.join("src/main.rs"), &program(format, self.types))?;
        self.cargo(&folder, "--lib")?;
        let mut least: Option<Cost> = None;
        for _ in 0..rounds {
            // A new time makes a new build.
            fs::File::options()
                .append(true)
                .open(folder.join("src/main.rs"))?
                .set_modified(std::time::SystemTime::now())?;
            let before = children()?;
            self.cargo(&folder, "--bins")?;
            let seconds = children()? - before;
            let code = code(&self.target.join("release/program"))?;
            if least.is_none_or(|least| seconds < least.seconds) {
                least = Some(Cost { seconds, code });
            }
        }
        least.ok_or_else(|| "no rounds".into())
    }

    fn cargo(&self, folder: &Path, what: &str) -> Outcome<()> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let status = Command::new(cargo)
            .args(["build", "--quiet", "--release", what])
            .env("CARGO_TARGET_DIR", &self.target)
            .env_remove("RUSTFLAGS")
            .current_dir(folder)
            .status()?;
        match status.success() {
            true => Ok(()),
            false => Err(format!("{} does not build", folder.display()).into()),
        }
    }
}

fn manifest(name: &str, dependencies: &str, rest: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         serde = {{ version = \"1.0.220\", features = [\"derive\"] }}\n{dependencies}\n\n{rest}"
    )
}

/// A program that has each function and calls none.
fn program(format: &Format, types: usize) -> String {
    let mut text = String::from("use types::*;\n\n");
    let mut list = String::new();
    for number in 0..types {
        text += &format!(
            "pub fn write{number}(value: &T{number}) -> Option<Vec<u8>> {{ {} }}\n\
             pub fn read{number}(bytes: &[u8]) -> Option<T{number}> {{ {} }}\n",
            format.write, format.read
        );
        list += &format!(
            "    std::hint::black_box(write{number} as fn(&T{number}) -> Option<Vec<u8>>);\n    \
             std::hint::black_box(read{number} as fn(&[u8]) -> Option<T{number}>);\n"
        );
    }
    text + "\nfn main() {\n" + &list + "}\n"
}

/// Seconds of the processor that the programs took which have been waited for.
fn children() -> Outcome<f64> {
    /// Ticks of a second, which Linux has fixed.
    const TICKS: f64 = 100.0;
    let text = fs::read_to_string("/proc/self/stat")?;
    // The second field is a name in brackets, which may hold anything.
    let (_, rest) = text.rsplit_once(')').ok_or("no name in /proc/self/stat")?;
    let mut ticks = 0.0;
    for field in rest.split_whitespace().skip(13).take(2) {
        ticks += f64::from(field.parse::<u32>()?);
    }
    Ok(ticks / TICKS)
}

fn code(program: &Path) -> Outcome<f64> {
    let bytes = fs::read(program)?;
    let file = object::File::parse(&*bytes)?;
    let sections = file.sections().filter(|section| section.kind() == SectionKind::Text);
    let size: u64 = sections.map(|section| section.size()).sum();
    Ok(f64::from(u32::try_from(size)?))
}

fn write(path: &Path, text: &str) -> Outcome<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(path, text)?)
}

/// Seconds, kilobytes, both beside rmp-serde's, and kilobytes with one type.
fn table(rows: &[Row]) -> String {
    let peer = rows.iter().find(|row| row.name == "rmp-serde named").map(|row| row.all);
    let mut text = String::from(
        "| format | seconds | of rmp-serde named | kB of code | of rmp-serde named | kB with one type |\n\
         |---|--:|--:|--:|--:|--:|\n",
    );
    let share = |part: f64, whole: Option<f64>| {
        whole.map_or_else(String::new, |whole| format!("{:.2}", part / whole))
    };
    for Row { name, all, one } in rows {
        text += &format!(
            "| {name} | {:.1} | {} | {:.0} | {} | {:.0} |\n",
            all.seconds,
            share(all.seconds, peer.map(|peer| peer.seconds)),
            all.code / 1e3,
            share(all.code, peer.map(|peer| peer.code)),
            one / 1e3,
        );
    }
    text
}

fn page(table: &str, types: usize, date: &str) -> String {
    format!(
        "# Cost of building\n\n\
         `cargo run -p bench --release --bin build_cost -- --date {date} --out docs/build-cost.md`, {date}, {}.\n\n\
         Each row is a program that can write and read {types} types with serde's derives: structs of 3 to 10 fields, enums, options, lists and \
         maps, some inside others. The profile is cargo's own `release`. Seconds are the processor time of compiler and linker for this \
         program alone, kB the size of its machine code. Those of a program that only has the types are subtracted, and dependencies, \
         which are built before, are not counted. The last column is the same for a program that writes and reads one \
         small type: what is there once, however many types there are.\n\n\
         A row with only the name of a format has the default features. `without any` lacks `any`, with which each type is also \
         compiled for MessagePack where it is marked so.\n\n{table}",
        env!("BENCH_RUSTC")
    )
}
