//! Measures the cost of building with a format: compile time and code size.
//!
//! `cargo run -p bench --release --bin build_cost` makes 100 types with serde's derives and, for each
//! format, a program that can write and read each of them. It builds each program in cargo's default
//! release profile and prints Markdown; with `--out docs/build-cost.md --date DATE` it writes the report.
//! Dependencies are built before and not counted. A program with one type shows the cost that does not
//! depend on the number of types.

use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use object::{Object as _, ObjectSection as _, SectionKind};

#[allow(dead_code, reason = "data sets use the rest")]
#[path = "../../random.rs"]
mod random;
mod types;

const USAGE: &str = "\
usage: build_cost [OPTION]..

  --format NAME,..  these formats (all)
  --types N         number of types (100)
  --rounds N        builds of each program; the fastest counts (2)
  --date DATE       the date for the report
  --out FILE        write the report to FILE";

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A format: its name, dependencies, and code that writes `value` and reads `bytes`.
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

/// The baseline: a program with only the types.
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
            return Err(format!("unknown format {name}").into());
        }
        match arguments.out.is_some() && arguments.date.is_none() {
            true => Err("--out needs --date".into()),
            false => Ok(arguments),
        }
    }

    fn wants(&self, name: &str) -> bool {
        self.formats.is_empty() || self.formats.iter().any(|wanted| wanted == name)
    }
}

/// The cost of one program.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    /// Bytes of machine code.
    code: f64,
}

/// The cost of a format, without that of the types.
struct Row {
    name: &'static str,
    /// With all types.
    all: Cost,
    /// Bytes of machine code with one type.
    one: f64,
}

fn main() -> Outcome<()> {
    let arguments = Arguments::parse(env::args().skip(1))?;
    let (workspace, small) = (Workspace::new(arguments.types)?, Workspace::new(1)?);
    let nothing = workspace.cost(&NOTHING, arguments.rounds)?;
    let nothing_small = small.cost(&NOTHING, 1)?;
    let mut rows = Vec::new();
    for format in FORMATS.iter().filter(|format| arguments.wants(format.name)) {
        let cost = workspace.cost(format, arguments.rounds)?;
        let (seconds, code) = (cost.seconds - nothing.seconds, cost.code - nothing.code);
        let one = small.cost(format, 1)?.code - nothing_small.code;
        eprintln!("{}: {seconds:.1} s, {:.0} kB, {:.0} kB", format.name, code / 1e3, one / 1e3);
        rows.push(Row { name: format.name, all: Cost { seconds, code }, one });
    }
    let table = table(&rows);
    print!("{table}");
    if let (Some(path), Some(date)) = (&arguments.out, &arguments.date) {
        fs::write(path, report(&table, arguments.types, date))?;
    }
    Ok(())
}

/// A folder of packages: the types, and a program for each format.
struct Workspace {
    folder: tempfile::TempDir,
    /// Kept between runs, so that dependencies are built once.
    target: PathBuf,
    types: usize,
}

impl Workspace {
    fn new(types: usize) -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        let target = env::current_exe()?.with_file_name("build_cost_of_types");
        write(&folder.path().join("types/src/lib.rs"), &types::source(types))?;
        write(&folder.path().join("types/Cargo.toml"), &manifest("types", "", ""))?;
        Ok(Workspace { folder, target, types })
    }

    /// The cost of the fastest of several builds.
    fn cost(&self, format: &Format, rounds: usize) -> Outcome<Cost> {
        let folder = self.folder.path().join(format.name.replace([' ', ','], "_"));
        let dependencies = format!("types = {{ path = \"../types\" }}\n{}", format.dependencies);
        write(&folder.join("Cargo.toml"), &manifest("program", &dependencies, "[workspace]\n"))?;
        write(&folder.join("src/lib.rs"), "//! So that dependencies can be built alone.\n")?;
        write(&folder.join("src/main.rs"), &program(format, self.types))?;
        self.cargo(&folder, "--lib")?;
        let mut least: Option<Cost> = None;
        for _ in 0..rounds {
            // A new modification time causes a rebuild.
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

/// A program that contains each function and calls none.
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

/// Processor seconds of all finished child processes.
fn children() -> Outcome<f64> {
    /// Ticks per second, fixed on Linux.
    const TICKS: f64 = 100.0;
    let text = fs::read_to_string("/proc/self/stat")?;
    // The second field is a name in parentheses, which may contain any character.
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

/// Seconds and kilobytes, both also relative to rmp-serde's, and kilobytes with one type.
fn table(rows: &[Row]) -> String {
    let base = rows.iter().find(|row| row.name == "rmp-serde named").map(|row| row.all);
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
            share(all.seconds, base.map(|base| base.seconds)),
            all.code / 1e3,
            share(all.code, base.map(|base| base.code)),
            one / 1e3,
        );
    }
    text
}

fn report(table: &str, types: usize, date: &str) -> String {
    format!(
        "# Cost of building\n\n\
         `cargo run -p bench --release --bin build_cost -- --date {date} --out docs/build-cost.md`, {date}, {}.\n\n\
         Each row is a program that can write and read {types} types with serde's derives: structs of 3 to 10 fields, enums, options, lists and \
         maps, some nested. The profile is cargo's default `release`. Seconds are the processor time of compiler and linker for this \
         program, kB the size of its machine code. The cost of a program with only the types is subtracted, and dependencies \
         are not counted. The last column is the code size of a program with one small type: the cost that does not depend \
         on the number of types.\n\n\
         A row with only the name of a format has the default features. `without any` lacks the feature `any`, which also compiles \
         each type for MessagePack.\n\n{table}",
        env!("BENCH_RUSTC")
    )
}
