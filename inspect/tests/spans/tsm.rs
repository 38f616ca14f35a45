//! Spans of tsm modules and packed tensors.

use fourfold::tsm::{
    Bubble, Error, Header, Module, ModuleBuilder, PackedTensor, Param, Tensor, to_vec,
};
use fourfold_inspect::spans::{Span, tsm};

use crate::alloc::measure_value;
use crate::check::{assert_covered, assert_verdict, lines, wrong_spans};
use crate::damage::{Messages, bytes};
use crate::fixture::Fixtures;
use crate::random::Dice;

const FIXTURES: Fixtures = Fixtures("tsm");

/// Mutations of files.
const MUTATIONS: usize = if cfg!(debug_assertions) { 10_000 } else { 600_000 };

/// Spans are larger than the numbers that they describe.
const MEMORY_PER_BYTE: usize = 256;
const MEMORY: usize = 32 << 10;

fn good(name: &str) -> Vec<u8> {
    FIXTURES.bytes(&format!("good/{name}.tsm"))
}

fn odd(name: &str) -> Vec<u8> {
    FIXTURES.bytes(&format!("odd/{name}.tsm"))
}

/// Whether the bytes are explained as a module.
fn is_module(spans: &[Span]) -> bool {
    spans[0].place.to_string().starts_with("header")
}

/// Explains, and compares with the errors of the reader.
fn explained(name: &str, bytes: &[u8]) -> Vec<Span> {
    let (spans, memory) = measure_value(|| crate::explained(tsm::explain, bytes));
    assert!(memory.peak <= MEMORY + MEMORY_PER_BYTE * bytes.len(), "{name}: {memory:?}");
    assert_covered(name, bytes.len(), &spans);
    let refused = |error: Option<Error>| assert_verdict(name, &spans, error.as_ref());
    match is_module(&spans) {
        true => refused(Module::from_slice(bytes).err()),
        false => refused(PackedTensor::from_slice(bytes).err()),
    }
    let has_code = bytes.get(4..8) == Some(&[0x29, 0x09, 0x91, 0x19]);
    assert!(!has_code || is_module(&spans), "{name}");
    spans
}

#[test]
fn good_files_have_no_errors() {
    for name in FIXTURES.names("good", "tsm") {
        let bytes = good(&name);
        let spans = explained(&name, &bytes);
        assert!(is_module(&spans) && wrong_spans(&spans).is_empty(), "{name}");
        let module = Module::from_slice(&bytes).unwrap();
        for entry in module.index().iter().filter(|entry| !entry.range.is_empty()) {
            let span = spans.iter().find(|span| span.range == entry.range).unwrap();
            let summary = format!("{} {:?}, {} byte", entry.dtype, entry.shape, span.range.len());
            assert_eq!(span.what, "data", "{name}: {entry}");
            assert!(span.value.starts_with(&summary), "{name}: {entry}, {}", span.value);
        }
    }
    for name in FIXTURES.names("good", "t") {
        let spans = explained(&name, &FIXTURES.bytes(&format!("good/{name}.t")));
        assert!(!is_module(&spans) && wrong_spans(&spans).is_empty(), "{name}");
    }
}

#[test]
fn spans_of_a_module() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let y = graph.op("relu", "y", [x]).set("dim", 1).node();
    let bytes = graph.build([x], [y]).unwrap().to_vec().unwrap();
    assert_eq!(
        lines(&explained("module", &bytes)),
        [
            "0..4 header.fake: reserved = 0",
            "4..8 header.code: code of a module = 0x19910929",
            "8..128 header.data: free bytes = zeros",
            "128..132 inputs: count of inputs = 1",
            r#"132..136 inputs[0]: index of a node = 0, "x""#,
            "136..140 outputs: count of outputs = 1",
            r#"140..144 outputs[0]: index of a node = 1, "y""#,
            "144..148 graph: count of nodes = 2",
            "148..152 graph[0].bubble: count of params = 2",
            "152..156 graph[0].bubble[0].name: length of the name = 3",
            r##"156..159 graph[0].bubble[0].name: name = "#op""##,
            "159..163 graph[0].bubble[0].value: count of tensors = 1",
            "163..164 graph[0].bubble[0].value[0].dtype: dtype = char8",
            "164..168 graph[0].bubble[0].value[0].shape: count of dims = 1",
            "168..172 graph[0].bubble[0].value[0].shape[0]: dim = 7",
            r#"172..179 graph[0].bubble[0].value[0].memory: data = char8 [7], 7 bytes: "<param>""#,
            "179..183 graph[0].bubble[1].name: length of the name = 5",
            r##"183..188 graph[0].bubble[1].name: name = "#name""##,
            "188..192 graph[0].bubble[1].value: count of tensors = 1",
            "192..193 graph[0].bubble[1].value[0].dtype: dtype = char8",
            "193..197 graph[0].bubble[1].value[0].shape: count of dims = 1",
            "197..201 graph[0].bubble[1].value[0].shape[0]: dim = 1",
            r#"201..202 graph[0].bubble[1].value[0].memory: data = char8 [1], 1 byte: "x""#,
            "202..206 graph[0].inputs: count of inputs = 0",
            "206..210 graph[1].bubble: count of params = 3",
            "210..214 graph[1].bubble[0].name: length of the name = 3",
            r##"214..217 graph[1].bubble[0].name: name = "#op""##,
            "217..221 graph[1].bubble[0].value: count of tensors = 1",
            "221..222 graph[1].bubble[0].value[0].dtype: dtype = char8",
            "222..226 graph[1].bubble[0].value[0].shape: count of dims = 1",
            "226..230 graph[1].bubble[0].value[0].shape[0]: dim = 4",
            r#"230..234 graph[1].bubble[0].value[0].memory: data = char8 [4], 4 bytes: "relu""#,
            "234..238 graph[1].bubble[1].name: length of the name = 5",
            r##"238..243 graph[1].bubble[1].name: name = "#name""##,
            "243..247 graph[1].bubble[1].value: count of tensors = 1",
            "247..248 graph[1].bubble[1].value[0].dtype: dtype = char8",
            "248..252 graph[1].bubble[1].value[0].shape: count of dims = 1",
            "252..256 graph[1].bubble[1].value[0].shape[0]: dim = 1",
            r#"256..257 graph[1].bubble[1].value[0].memory: data = char8 [1], 1 byte: "y""#,
            "257..261 graph[1].bubble[2].name: length of the name = 3",
            r#"261..264 graph[1].bubble[2].name: name = "dim""#,
            "264..268 graph[1].bubble[2].value: count of tensors = 1",
            "268..269 graph[1].bubble[2].value[0].dtype: dtype = int32",
            "269..273 graph[1].bubble[2].value[0].shape: count of dims = 1",
            "273..277 graph[1].bubble[2].value[0].shape[0]: dim = 1",
            "277..281 graph[1].bubble[2].value[0].memory: data = int32 [1], 4 bytes: 1",
            "281..285 graph[1].inputs: count of inputs = 1",
            r#"285..289 graph[1].inputs[0]: index of a node = 0, "x""#,
        ]
    );
}

#[test]
#[cfg(target_pointer_width = "64")] // a 32-bit `usize` ends at four gigabytes
fn odd_files_are_explained_past_their_errors() {
    let mut errors = Vec::new();
    for name in FIXTURES.names("odd", "tsm") {
        let wrong = wrong_spans(&explained(&name, &odd(&name)));
        if wrong.is_empty() {
            errors.push(format!("{name}: good"));
        }
        errors.extend(wrong.into_iter().map(|error| format!("{name}: {error}")));
    }
    let expected: Vec<&str> = include_str!("tsm/odd.txt").lines().collect();
    assert_eq!(errors, expected);
}

/// The end of a tensor of unknown dtype is unknown, but its shape is explained.
#[test]
fn after_an_unknown_dtype() {
    let spans = explained("dtype", &odd("unknown_dtype_33"));
    let first = spans.iter().position(|span| span.error.is_some()).unwrap();
    assert_eq!(
        lines(&spans[first..]),
        [
            "266..267 graph[1].bubble[2].value[0].dtype: dtype = 33 ! unknown dtype 33",
            "267..271 graph[1].bubble[2].value[0].shape: count of dims = 1",
            "271..275 graph[1].bubble[2].value[0].shape[0]: dim = 4",
            "275..283 : not read",
        ]
    );
}

/// With a hostile count of dims, later bytes are not explained as dims.
#[test]
fn after_far_too_many_dims() {
    let mut bytes = FIXTURES.bytes("good/tensor_f32.t");
    bytes.truncate(5);
    bytes.extend(1000_i32.to_le_bytes());
    bytes.extend([1, 0, 0, 0].repeat(1000));
    let shown = lines(&explained("dims", &bytes));
    assert_eq!(shown[2], "5..9 [0].shape: count of dims = 1000 ! 1000 dims, 7 at most");
    assert_eq!(shown[10..], ["37..41 [0].shape[7]: dim = 1", "41..4009 : not read"]);
}

/// More dims than TenniS supports still determine the size of the tensor.
#[test]
fn after_too_many_dims() {
    let spans = explained("dims", &odd("dims_8"));
    assert_eq!(wrong_spans(&spans).len(), 1);
    assert!(spans.iter().all(|span| span.what != "not read"));
    assert_eq!(
        lines(&spans).last().unwrap().split(": ").nth(1),
        Some("index of a node = 0, \"x\"")
    );
}

/// Without the code of a module, the rest of the file determines its kind.
#[test]
fn files_without_the_code_of_a_module() {
    let tensor = FIXTURES.bytes("good/tensor_f32.t");
    let cut = explained("tensor", &tensor[..tensor.len() - 1]);
    assert!(!is_module(&cut));
    assert_eq!(wrong_spans(&cut).len(), 1);

    let mut bytes = good("minimal");
    bytes[..8].copy_from_slice(b"\x89PNG\r\n\x1a\n");
    let code = "4..8 header.code: code of a module = 0xa1a0a0d, not 0x19910929 \
                ! code 0xa1a0a0d is not that of a module";
    assert_eq!(wrong_spans(&explained("sound", &bytes)), [code]);

    assert_eq!(
        lines(&explained("picture", &bytes[..60])),
        [
            "0..4 : count of tensors = 1196314761 \
             ! count 1196314761 is beyond what 56 bytes can hold",
            "4..60 : not read",
        ]
    );
    assert_eq!(lines(&explained("none", &[0; 4])), ["0..4 : count of tensors = 0"]);
}

/// A truncated file has the reader's error, and the spans before it are unchanged.
#[test]
fn truncated_files_have_the_error_of_the_reader() {
    for (name, bytes) in [("minimal", good("minimal")), ("packed", good("packed"))] {
        let whole = lines(&explained(name, &bytes));
        for len in 0..bytes.len() {
            let spans = explained(name, &bytes[..len]);
            // Four zeros are a packed tensor without fields; without the code, a file is not a module.
            if len < 8 {
                continue;
            }
            let first = spans.iter().position(|span| span.error.is_some()).unwrap();
            assert_eq!(spans[first].range.end, len, "{name} cut at {len}");
            // Names of nodes may be truncated.
            let stem = |line: &String| line.split(", \"").next().unwrap().to_owned();
            let (shown, whole) = (lines(&spans[..first]), &whole[..first]);
            assert!(shown.iter().map(stem).eq(whole.iter().map(stem)), "{name} cut at {len}");
        }
    }
}

#[test]
fn damaged_files_have_the_errors_of_the_reader() {
    let names = FIXTURES.names("good", "tsm").into_iter();
    let mut seeds: Vec<_> = names.map(|name| good(&name)).collect();
    let names = FIXTURES.names("odd", "tsm").into_iter();
    seeds.extend(names.map(|name| odd(&name)));
    let names = FIXTURES.names("good", "t").into_iter();
    seeds.extend(names.map(|name| FIXTURES.bytes(&format!("good/{name}.t"))));
    seeds.retain(|seed| seed.len() < 1000);
    let mut messages = Messages::new("explained", seeds);
    let (mut modules, mut good, mut several) = (0, 0, 0);
    for _ in 0..MUTATIONS {
        let message = messages.next();
        let spans = explained("mutated", &message);
        let errors = spans.iter().filter(|span| span.error.is_some()).count();
        modules += usize::from(is_module(&spans));
        good += usize::from(errors == 0);
        several += usize::from(errors > 1);
    }
    println!("{modules} modules, {good} good, {several} with several errors");
    assert!(modules > MUTATIONS / 3 && good > MUTATIONS / 40 && several > MUTATIONS / 20);
}

#[test]
fn random_bytes() {
    let mut dice = Dice::of("explained");
    for len in 0..4000 {
        explained("random", &bytes(&mut dice, len % 60));
    }
}

/// Hostile counts at each position.
#[test]
fn hostile_counts_are_reported() {
    let bytes = good("minimal");
    for at in 0..bytes.len() - 3 {
        for claim in [i32::MAX, i32::MIN, -1, 4097, 1 << 24] {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&claim.to_le_bytes());
            explained("claims", &bytes);
        }
    }
}

/// The bytes of a module of these nodes, which may be invalid.
fn module_of(nodes: Vec<(Bubble<'static>, Vec<u32>)>) -> Vec<u8> {
    to_vec(&(Header::default(), [0_u32; 0].to_vec(), [0_u32].to_vec(), nodes)).unwrap()
}

fn bubble(op: &str) -> Bubble<'static> {
    let mut bubble = Bubble::default();
    bubble.set("#op", Tensor::text(op).unwrap()).unwrap();
    bubble.set("#name", Tensor::text("n").unwrap()).unwrap();
    bubble
}

/// Many diagnostics are reported at their bytes, in linear time.
#[test]
fn many_diagnostics() {
    const MANY: u32 = 4000;
    let nodes = (0..MANY).map(|_| (bubble("abs"), vec![MANY])).collect();
    assert_eq!(wrong_spans(&explained("indices", &module_of(nodes))).len(), 4000);

    let nodes = (0..MANY).map(|_| (Bubble::default(), vec![0])).collect();
    let shown = wrong_spans(&explained("names", &module_of(nodes)));
    assert_eq!(shown.len(), 4000);
    assert!(shown[9].ends_with("! node 9: no #op; node 9: no #name"), "{}", shown[9]);

    let circle = (0..MANY).map(|at| (bubble("abs"), vec![(at + 1) % MANY])).collect();
    assert!(wrong_spans(&explained("circle", &module_of(circle))).is_empty());

    let mut one = bubble("abs");
    one.params.extend((0..MANY).map(|_| Param::new("p", Tensor::scalar(1_u8)).unwrap()));
    let shown = explained("one node", &module_of(vec![(one, vec![7; 40_000])]));
    assert_eq!(wrong_spans(&shown).len(), 40_000);
}

/// Of several errors of a node, the reader returns the one that it checks first, at any offset.
#[test]
fn errors_of_one_node() {
    let mut bubble = Bubble::default();
    bubble.set("dim", Tensor::scalar(1_u8)).unwrap();
    bubble.set("#op", Tensor::scalar(1_u8)).unwrap();
    assert_eq!(
        wrong_spans(&explained("node", &module_of(vec![(bubble, vec![0])]))),
        ["169..173 graph[0].bubble[1].name: length of the name = 3 \
          ! node 0: #op is uint8 with 1 dims, not text; node 0: no #name"]
    );
}
