//! `fourfold graph`.

use std::io::Write as _;
use std::process::{Command, Stdio};

use fourfold::tsm::{Module, ModuleBuilder, NodeId, Tensor};

use crate::chromium::Chromium;
use crate::command::{Folder, fixture, fourfold, fourfold_with, in_root, snapshot};

/// Snapshots of pictures of these fixtures.
const DRAWN: &[&str] =
    &["minimal", "multi_io", "names", "cnn_small", "const_output", "passthrough"];

#[test]
fn pictures_match_the_snapshots() {
    for name in DRAWN {
        let file = fixture(&format!("tsm/good/{name}.tsm"));
        for format in ["svg", "dot"] {
            let run = fourfold(&["graph", &file, "--to", format]).succeeded();
            snapshot(&format!("graph-{name}-{format}"), run.text());
        }
    }
}

/// The picture of any module is valid XML and contains every node.
#[test]
fn every_module_has_a_picture() {
    let mut drawn = 0;
    for folder in ["good", "odd"] {
        for entry in std::fs::read_dir(in_root(fixture(&format!("tsm/{folder}")))).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "tsm") {
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let run = fourfold(&["graph", path.to_str().unwrap()]);
            let Ok(module) = Module::from_slice(&bytes) else {
                assert_eq!((run.code, run.stderr.lines().count()), (2, 1), "{}", path.display());
                continue;
            };
            assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", path.display());
            let svg = roxmltree::Document::parse(run.text()).unwrap();
            let root = svg.root_element();
            assert_eq!(root.attribute("role"), Some("img"));
            assert!(root.children().any(|child| child.has_tag_name((SVG, "title"))));
            let is_operator = |at: usize| {
                let node = &module.graph.nodes[at];
                let is_input = module.inputs.contains(&u32::try_from(at).unwrap());
                !node.is_const() && !node.is_param() && !is_input
            };
            let operators = (0..module.graph.nodes.len()).filter(|at| is_operator(*at));
            let drawn_operators = svg.descendants().filter(has_class("operator"));
            assert_eq!(operators.count(), drawn_operators.count(), "{}", path.display());
            drawn += 1;
        }
    }
    assert!(drawn > 40);
}

const SVG: &str = "http://www.w3.org/2000/svg";

fn has_class(class: &str) -> impl Fn(&roxmltree::Node<'_, '_>) -> bool {
    move |node| {
        let classes = node.attribute("class").unwrap_or_default();
        classes.split(' ').any(|one| one == class)
    }
}

#[test]
fn options_for_pixels_are_refused_elsewhere() {
    let file = fixture("tsm/good/minimal.tsm");
    for (options, kinds, to) in [
        (&["--font", "none.ttf"][..], "PNG and PDF", "png"),
        (&["--scale", "1"], "PNG", "png"),
        (&["--to", "dot", "--scale", "1"], "PNG", "png"),
        (&["--to", "png", "--paper", "a4"], "PDF", "pdf"),
    ] {
        let run = fourfold(&[&["graph", &file], options].concat());
        let option = options[options.len() - 2];
        let text = format!("fourfold: {option} is for {kinds}; leave it out, or use `--to {to}`\n");
        assert_eq!((run.code, run.text(), &*run.stderr), (1, "", &*text));
    }
}

#[test]
fn a_png_is_not_blank() {
    let folder = Folder::new();
    let picture = folder.path("g.png");
    let file = fixture("tsm/good/cnn_small.tsm");
    let run = fourfold(&["graph", &file, "-o", &picture, "--scale", "1"]);
    if run.code == 1 && run.stderr.contains("no fonts") {
        return;
    }
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let png = std::fs::read(picture).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert!((200..1000).contains(&number(16)) && (1000..3000).contains(&number(20)));
    // A picture without text and lines takes about 5 kB.
    assert!(png.len() > 20_000, "{}", png.len());
}

#[test]
fn the_file_name_selects_the_picture_format() {
    let file = fixture("tsm/good/minimal.tsm");
    let folder = Folder::new();
    let draw = |name: &str, more: &[&str]| {
        let path = folder.path(name);
        let arguments = ["graph", &file, "-o", &path];
        let run = fourfold(&[&arguments, more].concat());
        (run, std::fs::read_to_string(path).ok())
    };
    for name in ["x.gif", "x.svg.gz", "x.v2", "x."] {
        let (run, drawn) = draw(name, &[]);
        assert_eq!((run.code, run.text(), drawn), (1, "", None), "{name}");
        let text = ": graph does not draw such files; it writes .svg, .dot or .gv, .png and .pdf. \
                    `--to` selects one of them for any name\n";
        assert!(run.stderr.ends_with(text), "{}", run.stderr);
    }
    for (name, more, start) in [
        ("x.svg", &[][..], "<svg"),
        ("X.SVG", &[], "<svg"),
        ("x", &[], "<svg"),
        ("x.gv", &[], "digraph"),
        ("x.dot", &[], "digraph"),
        ("y.gif", &["--to", "dot"], "digraph"),
    ] {
        let (run, drawn) = draw(name, more);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        assert!(drawn.unwrap().starts_with(start), "{name}");
    }
}

#[test]
fn graphs_in_attributes_are_for_onnx() {
    let file = fixture("tsm/good/minimal.tsm");
    let run = fourfold(&["graph", &file, "--subgraph", "if/then_branch"]);
    let text = "only ONNX models have graphs in attributes; leave --subgraph out";
    assert_eq!((run.code, run.stderr), (1, format!("fourfold: {file}: {text}\n")));
}

#[test]
fn invalid_fonts_are_reported() {
    let file = fixture("tsm/good/minimal.tsm");
    for (font, text) in [("Cargo.toml", "not a font"), ("no_such.ttf", "no_such.ttf")] {
        let run = fourfold(&["graph", &file, "--to", "png", "--font", font]);
        assert_eq!((run.code, run.stdout.len()), (1, 0));
        assert!(run.stderr.contains(text), "{}", run.stderr);
    }
}

#[test]
fn absurd_scales_are_refused() {
    let file = fixture("tsm/good/minimal.tsm");
    for scale in ["0", "-1", "NaN", "inf", "1000"] {
        let run = fourfold(&["graph", &file, "--to", "png", &format!("--scale={scale}")]);
        assert_eq!((run.code, run.stderr.lines().count()), (1, 1), "{scale}: {}", run.stderr);
    }
}

#[test]
fn the_surroundings_of_a_node_can_be_drawn() {
    let file = fixture("tsm/good/chain.tsm");
    let run = fourfold(&["graph", &file, "--to", "dot", "--around", "n100", "--steps", "2"]);
    let nodes = run.text().lines().filter(|line| line.contains("[label=")).count();
    assert_eq!(nodes, 5);
    assert_eq!(run.text().matches(" -> ").count(), 4);
    let run = fourfold(&["graph", &file, "--around", "missing"]);
    assert_eq!(run.stderr, format!("fourfold: {file}: there is no node missing\n"));
    assert_eq!(run.code, 1);
}

fn dense(graph: &mut ModuleBuilder<'_>, name: &str, from: NodeId) -> NodeId {
    let weight = Tensor::from_values(&[0.0f32; 12], &[3, 4]).unwrap();
    let weight = graph.constant(&format!("{name}.weight"), weight);
    let product = graph.op("inner_prod", name, [from, weight]).node();
    graph.op("relu", &format!("{name}.relu"), [product]).node()
}

/// About 200 operators: blocks with branches, and connections that skip them.
fn network() -> Module<'static> {
    let mut graph = ModuleBuilder::new();
    let input = graph.param("x");
    graph.at(input).shape(&[1, 3, -1, -1]);
    let mut last = dense(&mut graph, "stem", input);
    let mut first = last;
    for block in 0..14 {
        let branches: Vec<NodeId> = (0..1 + block % 4)
            .map(|branch| {
                let mut node = last;
                for step in 0..1 + (branch + block) % 3 {
                    node = dense(&mut graph, &format!("block{block}.{branch}.{step}"), node);
                }
                node
            })
            .collect();
        let joined = graph.op("concat", &format!("block{block}.concat"), branches).node();
        last = graph.op("add", &format!("block{block}.add"), [last, joined]).node();
        if block % 5 == 4 {
            last = graph.op("add", &format!("block{block}.long"), [first, last]).node();
            first = last;
        }
    }
    let head = dense(&mut graph, "head", last);
    let output = graph.op("softmax", "prob", [head]).node();
    graph.build([input], [output, first]).unwrap()
}

#[test]
fn two_hundred_nodes_are_drawn() {
    let run = fourfold_with(&["graph", "-"], &network().to_vec().unwrap()).succeeded();
    if let Some(path) = std::env::var_os("KEEP_NETWORK") {
        std::fs::write(path, network().to_vec().unwrap()).unwrap();
    }
    let svg = roxmltree::Document::parse(run.text()).unwrap();
    assert!(svg.descendants().filter(has_class("operator")).count() > 130);
}

fn convolution(graph: &mut ModuleBuilder<'_>, name: &str, from: NodeId, stride: i32) -> NodeId {
    let weight = Tensor::from_values(&[0.0f32; 9], &[1, 1, 3, 3]).unwrap();
    let weight = graph.constant(&format!("{name}.weight"), weight);
    let padding = Tensor::from_values(&[0, 0, 0, 0, 1, 1, 1, 1], &[4, 2]).unwrap();
    let stride = Tensor::list(&[1, 1, stride, stride]).unwrap();
    let dilation = Tensor::list(&[1, 1, 1, 1]).unwrap();
    let node = graph.op("conv2d", name, [from, weight]);
    let node = node.set("format", "NCHW").set("padding", padding).set("stride", stride);
    node.set("dilation", dilation).set("padding_value", 0.0f32).node()
}

/// 785 nodes: groups of branches, each group joined, and all groups joined again at the end.
fn wide_network() -> Module<'static> {
    let mut graph = ModuleBuilder::new();
    let input = graph.param("image");
    graph.at(input).shape(&[1, 3, 224, 224]);
    let mut last = input;
    let mut all = Vec::new();
    for block in 0..27 {
        let branches: Vec<NodeId> = (0..9)
            .map(|branch| {
                let name = format!("block{block}/branch{branch}/conv");
                let stride = 1 + i32::from(branch == 0 && block % 4 == 0);
                let node = convolution(&mut graph, &name, last, stride);
                graph.op("relu", &format!("block{block}/branch{branch}/relu"), [node]).node()
            })
            .collect();
        let joined = graph.op("concat", &format!("block{block}/concat"), branches);
        let joined = joined.set("dim", 1).node();
        all.push(joined);
        last = graph.op("add", &format!("block{block}/add"), [last, joined]).node();
    }
    all.push(last);
    let output = graph.op("concat", "features", all).set("dim", 1).node();
    graph.build([input], [output]).unwrap()
}

/// A browser shows the upper left corner first, where a wide drawing must not be empty.
#[test]
fn large_graphs_open_at_their_beginning() {
    let network = wide_network();
    assert!(network.graph.nodes.len() >= 778, "{}", network.graph.nodes.len());
    let folder = Folder::new();
    let file = folder.path("g.svg");
    fourfold_with(&["graph", "-", "-o", &file], &network.to_vec().unwrap()).succeeded();
    if let Some(keep) = std::env::var_os("KEEP_PICTURES") {
        let keep = std::path::PathBuf::from(keep);
        std::fs::write(keep.join("graph.tsm"), network.to_vec().unwrap()).unwrap();
        std::fs::copy(&file, keep.join("graph.svg")).unwrap();
    }
    let Some(mut browser) = Chromium::start() else { return };
    for (width, height) in [(1400, 900), (600, 700)] {
        browser.resize(width, height);
        browser.open(&file);
        let seen = browser.evaluate(
            "[...document.querySelectorAll('.box')].map((b) => b.getBoundingClientRect())\
             .filter((r) => r.left >= 0 && r.right <= innerWidth && r.top >= 0 && r.bottom <= innerHeight)\
             .length",
        );
        assert!(seen.as_u64().unwrap() > 0, "{width} by {height}: nothing is in view");
        if let Some(keep) = std::env::var_os("KEEP_PICTURES") {
            let name = format!("graph-{width}.png");
            std::fs::write(std::path::PathBuf::from(keep).join(name), browser.picture()).unwrap();
        }
        let whole = "document.documentElement.scrollWidth > 2 * innerWidth";
        assert_eq!(browser.evaluate(whole), true, "{width}: the drawing is not a wide one");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn boxes_show_the_params_of_their_nodes() {
    let mut graph = ModuleBuilder::new();
    let input = graph.param("x");
    let uneven = Tensor::from_values(&[0, 0, 0, 1, 2, 3, 0, 0], &[4, 2]).unwrap();
    let stride = Tensor::list(&[1, 2, 1, 1]).unwrap();
    let first = graph.op("pooling2d", "pool", [input]).set("format", "NHWC");
    let first = first.set("padding", uneven).set("stride", stride).set("type", 1).node();
    let second = convolution(&mut graph, "conv", first, 2);
    let third = graph.op("resize2d", "resize", [second]);
    let third = third.set("scale", Tensor::list(&[0.5f32, 2.0]).unwrap()).set("smooth", true);
    let third = third.set("table", Tensor::from_values(&[0u8; 12], &[3, 4]).unwrap());
    let third = third.set("matrix", Tensor::from_values(&[1i64, 2, 3, 4], &[2, 2]).unwrap()).node();
    let bytes = graph.build([input], [third]).unwrap().to_vec().unwrap();
    let run = fourfold_with(&["graph", "-"], &bytes);
    let svg = roxmltree::Document::parse(run.text()).unwrap();
    let boxes = svg.descendants().filter(has_class("operator"));
    let texts = boxes.map(|node| {
        let lines = node.children().filter(|child| child.has_tag_name((SVG, "text")));
        lines.filter_map(|line| line.text()).collect::<Vec<_>>()
    });
    assert_eq!(
        texts.collect::<Vec<_>>(),
        [
            &["pooling2d", "pool", "format NHWC, padding 0+1 x 2+3, stride 2x1", "type 1"][..],
            &["conv2d", "conv", "format NCHW, padding 1, stride 2", "weight: float32 [1, 1, 3, 3]"],
            &[
                "resize2d",
                "resize",
                "scale [0.5, 2], smooth true",
                "table uint8 [3, 4], matrix [[1, 2], [3, 4]]"
            ],
        ]
    );
    let run = fourfold_with(&["graph", "-", "--to", "dot"], &bytes);
    let line = run.text().lines().find(|line| line.contains("pooling2d")).unwrap();
    assert_eq!(
        line,
        "  n1 [label=\"pooling2d\\npool\\nformat NHWC, padding 0+1 x 2+3, stride 2x1\\ntype 1\", \
         class=pooling, color=\"#2f8050\", fillcolor=\"#d8f0df\", \
         tooltip=\"pool\\nformat NHWC\\npadding 0+1 x 2+3\\nstride 2x1\\ntype 1\"];"
    );
}

/// A module that is a chain of these operators.
fn chain<'a>(operators: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    let mut graph = ModuleBuilder::new();
    let input = graph.param("x");
    let mut last = input;
    for (at, operator) in operators.into_iter().enumerate() {
        last = graph.op(operator, &format!("n{at}"), [last]).node();
    }
    graph.build([input], [last]).unwrap().to_vec().unwrap()
}

/// The width and height of a PNG.
fn pixels(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

/// Pictures that are too large are scaled down, with a message.
#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn large_pictures_are_scaled_down() {
    let mut graph = ModuleBuilder::new();
    let input = graph.param("x");
    let branches: Vec<NodeId> =
        (0..480).map(|at| graph.op("relu", &format!("branch{at:06}"), [input]).node()).collect();
    let output = graph.op("concat", "all", branches).node();
    let bytes = graph.build([input], [output]).unwrap().to_vec().unwrap();
    let run = fourfold_with(&["graph", "-", "--to", "png"], &bytes);
    if run.code == 1 && run.stderr.contains("no fonts") {
        return;
    }
    assert_eq!((run.code, run.stderr.lines().count()), (0, 1), "{}", run.stderr);
    assert!(run.stderr.contains("is scaled down to 0."), "{}", run.stderr);
    assert!(run.stderr.contains("--to svg keeps its letters readable"), "{}", run.stderr);
    let (width, height) = pixels(&run.stdout);
    assert!((30_000..=32_767).contains(&width), "{width} by {height}");
    let run = fourfold_with(&["graph", "-", "--to", "png", "--scale", "1"], &bytes);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("can have a scale of at most 0."), "{}", run.stderr);
}

/// In all picture formats whose layout is computed here.
#[test]
fn long_chains_are_drawn_in_columns() {
    for count in [50, 200, 1_000, 5_000] {
        let bytes = chain(std::iter::repeat_n("relu", count));
        let run = fourfold_with(&["graph", "-"], &bytes).succeeded();
        let svg = roxmltree::Document::parse(run.text()).unwrap();
        let length = |name| svg.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
        let form = length("width") / length("height");
        assert!((1.0 / 3.0..3.0).contains(&form), "{count}: {form}");
        if count == 50 {
            let run = fourfold_with(&["graph", "-", "--to", "png", "--scale", "1"], &bytes);
            if run.code == 0 {
                let (width, height) = pixels(&run.stdout);
                assert_eq!(
                    (f64::from(width), f64::from(height)),
                    (length("width"), length("height"))
                );
            }
        }
    }
}

/// The classes and the legend of a picture as SVG.
fn families(svg: &str) -> (Vec<String>, Vec<String>) {
    let svg = roxmltree::Document::parse(svg).unwrap();
    let operators = svg.descendants().filter(has_class("operator"));
    let classes = operators.map(|node| node.attribute("class").unwrap().to_owned()).collect();
    let legend = svg.descendants().find(has_class("legend")).unwrap();
    let texts = legend.descendants().filter(|node| node.has_tag_name((SVG, "text")));
    (classes, texts.map(|text| text.text().unwrap().to_owned()).collect())
}

#[test]
fn operators_have_the_colour_of_their_family() {
    let bytes = chain(["conv2d", "relu", "my_conv2d", "pooling2d", "add"]);
    let (classes, legend) = families(fourfold_with(&["graph", "-"], &bytes).text());
    let expected = ["convolution", "activation", "other", "pooling", "arithmetic"];
    assert_eq!(classes, expected.map(|family| format!("operator {family}")));
    let expected = ["data", "convolution", "pooling", "activation", "arithmetic", "other"];
    assert_eq!(legend, expected);
    // The legend lists only the families in the picture.
    let bytes = chain(["reduce_mean", "_reshape_v2"]);
    let (_, legend) = families(fourfold_with(&["graph", "-"], &bytes).text());
    assert_eq!(legend, ["data", "shape", "arithmetic"]);
    let part = fourfold_with(&["graph", "-", "--around", "n0", "--steps", "0"], &bytes);
    assert_eq!(families(part.text()).1, ["arithmetic"]);
}

#[test]
fn pictures_can_be_dark() {
    let bytes = chain(["conv2d"]);
    let light = fourfold_with(&["graph", "-"], &bytes);
    assert!(light.text().contains("@media (prefers-color-scheme:dark)"));
    assert!(light.text().contains(".paper{fill:#ffffff}"));
    let dark = fourfold_with(&["graph", "-", "--dark"], &bytes);
    assert!(!dark.text().contains("@media") && !dark.text().contains("#ffffff"));
    let dot = fourfold_with(&["graph", "-", "--dark", "--to", "dot"], &bytes);
    assert!(dot.text().contains("bgcolor=\"#16191f\""), "{}", dot.text());
    let pictures = [&[][..], &["--dark"]].map(|more| {
        fourfold_with(&[&["graph", "-", "--to", "png", "--scale", "1"], more].concat(), &bytes)
    });
    if pictures[0].code == 0 {
        assert_ne!(pictures[0].stdout, pictures[1].stdout);
        assert_eq!(pixels(&pictures[0].stdout), pixels(&pictures[1].stdout));
    }
}

/// A module with a `relu` of that name, as a PNG at scale 1.
fn named(name: &str) -> Option<crate::command::Run> {
    let mut graph = ModuleBuilder::new();
    let input = graph.param("x");
    let output = graph.op("relu", name, [input]).node();
    let bytes = graph.build([input], [output]).unwrap().to_vec().unwrap();
    let run = fourfold_with(&["graph", "-", "--to", "png", "--scale", "1"], &bytes);
    if run.code == 1 && run.stderr.contains("no fonts") {
        return None;
    }
    assert_eq!(run.code, 0, "{}", run.stderr);
    Some(run)
}

/// Unassigned characters are in no font. They are drawn as escapes, which fit into their boxes.
#[test]
fn characters_that_no_font_has_are_escaped() {
    let Some(run) = named("a\u{5abcd}\u{5abce}b\u{5abcd}") else { return };
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("2 characters are in no installed font and are drawn as escapes"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("as \\u{5abcd}; install a font"), "{}", run.stderr);
    assert!(run.stderr.contains("--to svg"), "{}", run.stderr);
    let letters = pixels(&named("abcdefghijklmnopqrstuvwxyzabc").unwrap().stdout);
    assert_eq!(pixels(&run.stdout).0, letters.0, "three escapes of nine columns and two letters");
}

#[test]
fn chinese_names_are_drawn_or_escaped() {
    let Some(run) = named("第一卷积层") else { return };
    let plain = pixels(&named("aabbccddee").unwrap().stdout);
    match run.stderr.as_str() {
        "" => assert_eq!(pixels(&run.stdout), plain),
        warning => {
            assert_eq!(warning.lines().count(), 1, "{warning}");
            assert!(warning.contains("apt install fonts-noto-cjk)"), "{warning}");
            assert!(pixels(&run.stdout).0 > plain.0);
        }
    }
}

#[test]
fn huge_graphs_are_refused_and_drawn_in_part() {
    let mut graph = ModuleBuilder::new();
    let input = graph.param("x");
    let mut last = input;
    for at in 0..20_000 {
        last = graph.op("relu", &format!("n{at}"), [last]).node();
    }
    let bytes = graph.build([input], [last]).unwrap().to_vec().unwrap();
    let run = fourfold_with(&["graph", "-"], &bytes);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("20002 boxes, but a picture shows at most 6000"), "{}", run.stderr);
    let run = fourfold_with(&["graph", "-", "--to", "dot"], &bytes);
    assert_eq!((run.code, run.text().matches(" -> ").count()), (0, 20_001));
    let run = fourfold_with(&["graph", "-", "--around", "n10000"], &bytes);
    assert_eq!(run.code, 0);
    assert_eq!(run.text().matches("class=\"operator ").count(), 7);
}

/// The largest allowed number of connections, which span as many ranks as possible.
#[test]
fn layout_of_tangled_graphs_ends() {
    let mut graph = ModuleBuilder::new();
    let input = graph.param("x");
    let mut nodes = vec![input];
    let mut last = input;
    for at in 0..1_000usize {
        let far = nodes[at * 7_919 % nodes.len()];
        last = graph.op("add", &format!("n{at}"), [last, far, nodes[at / 2]]).node();
        nodes.push(last);
    }
    let bytes = graph.build([input], [last]).unwrap().to_vec().unwrap();
    let run = fourfold_with(&["graph", "-"], &bytes);
    assert!(run.code == 0 || run.stderr.contains("places"), "{}", run.stderr);
}

/// Graphviz, if installed, reads the DOT output.
#[test]
fn graphviz_reads_every_picture() {
    if Command::new("dot").arg("-V").output().is_err() {
        return;
    }
    for folder in ["good", "odd"] {
        for entry in std::fs::read_dir(in_root(fixture(&format!("tsm/{folder}")))).unwrap() {
            let path = entry.unwrap().path();
            let run = fourfold(&["graph", path.to_str().unwrap(), "--to", "dot"]);
            if run.code != 0 {
                continue;
            }
            let mut dot = Command::new("dot")
                .arg("-Tcanon")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            dot.stdin.take().unwrap().write_all(&run.stdout).unwrap();
            let output = dot.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", path.display());
        }
    }
}

/// A convolution with a bias, between blocks of three operators and a connection around them; each block takes
/// `also`, too.
fn residual(blocks: usize, also: bool) -> Vec<u8> {
    let mut graph = ModuleBuilder::new();
    let input = graph.param("x");
    let mask = also.then(|| graph.param("mask"));
    let mut last = dense(&mut graph, "stem", input);
    for block in 0..blocks {
        let inside = dense(&mut graph, &format!("b{block}.fc"), last);
        let inputs = [last, inside].into_iter().chain(mask);
        let sum = graph.op("add", &format!("b{block}.add"), inputs).node();
        last = graph.op("relu", &format!("b{block}.out"), [sum]).node();
    }
    let output = graph.op("softmax", "prob", [last]).node();
    let inputs: Vec<NodeId> = [input].into_iter().chain(mask).collect();
    graph.build(inputs, [output]).unwrap().to_vec().unwrap()
}

#[test]
fn repeated_parts_are_drawn_once_on_request() {
    for also in [false, true] {
        let bytes = residual(5, also);
        let run = fourfold_with(&["graph", "-", "--fold"], &bytes).succeeded();
        let svg = roxmltree::Document::parse(run.text()).unwrap();
        let names = svg.descendants().filter(has_class("operator")).filter_map(|node| {
            let title = node.children().find(|child| child.has_tag_name((SVG, "title")))?;
            title.text()?.lines().next().map(str::to_owned)
        });
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        let drawn = ["b0.add", "b0.fc", "b0.fc.relu", "b0.out", "prob", "stem", "stem.relu"];
        assert_eq!(names, drawn);
        let frames: Vec<_> = svg.descendants().filter(has_class("repeat")).collect();
        assert_eq!(frames.len(), 1);
        assert!(frames[0].descendants().any(|node| node.text() == Some("× 5")));
        let run = fourfold_with(&["graph", "-", "--fold", "--to", "dot"], &bytes).succeeded();
        assert!(run.text().contains("subgraph cluster0 { label=\"× 5\""), "{}", run.text());
        assert_eq!(run.text().matches(" -> ").count(), 9 + usize::from(also));
        assert!(run.text().contains("; 16 more boxes in repeated parts\""), "{}", run.text());
    }
}

#[test]
fn parts_that_differ_are_all_drawn() {
    let mut graph = ModuleBuilder::new();
    let mut last = graph.param("x");
    let input = last;
    for stride in [1, 2, 1, 3, 2, 2] {
        last = convolution(&mut graph, &format!("c{stride}"), last, stride);
    }
    let bytes = graph.build([input], [last]).unwrap().to_vec().unwrap();
    let run = fourfold_with(&["graph", "-", "--fold", "--to", "dot"], &bytes).succeeded();
    assert_eq!(run.text().matches("conv2d").count(), 6);
    assert!(!run.text().contains("cluster"));
    // A cycle, and outputs inside of equal parts.
    for name in ["odd/cycle_of_two", "odd/cycle_to_itself", "good/multi_io"] {
        let path = fixture(&format!("tsm/{name}.tsm"));
        let [plain, folded] = [&[][..], &["--fold"]].map(|options| {
            fourfold(&[&["graph", &path, "--to", "dot"], options].concat()).succeeded()
        });
        assert_eq!(plain.text(), folded.text(), "{name}");
    }
}

#[test]
fn operators_are_coloured_by_their_parameters_on_request() {
    let bytes = residual(3, false);
    let options = ["graph", "-", "--heat", "parameters"];
    let run = fourfold_with(&options, &bytes).succeeded();
    let svg = roxmltree::Document::parse(run.text()).unwrap();
    let summary = svg.descendants().find(|node| node.attribute("id") == Some("summary")).unwrap();
    assert!(summary.text().unwrap().ends_with("; coloured by parameters, 48 in all"));
    let legend = svg.descendants().find(has_class("legend")).unwrap();
    let texts = legend.descendants().filter(|node| node.has_tag_name((SVG, "text")));
    let names: Vec<&str> = texts.filter_map(|node| node.text()).collect();
    assert_eq!(names, ["data", "no parameters", "3 or more parameters"]);
    let hot = svg.descendants().filter(has_class("heat2"));
    assert_eq!(hot.filter(has_class("operator")).count(), 4);
    assert!(run.text().contains(">12 parameters, 25 %<"));
    // The numbers are those of the whole graph.
    let folded = fourfold_with(&[&options[..], &["--fold"]].concat(), &bytes).succeeded();
    assert!(folded.text().contains("48 in all; 8 more boxes in repeated parts"));
}

/// The part after the output has it between itself and its input, so it is not equal to the others.
#[test]
fn no_output_is_lost_in_repeated_parts() {
    let mut graph = ModuleBuilder::new();
    let input = graph.param("x");
    let mut last = input;
    let mut outputs = Vec::new();
    for block in 0..7 {
        last = dense(&mut graph, &format!("b{block}"), last);
        if block == 3 {
            outputs.push(last);
        }
    }
    outputs.push(last);
    let bytes = graph.build([input], outputs).unwrap().to_vec().unwrap();
    let run = fourfold_with(&["graph", "-", "--fold", "--to", "dot"], &bytes).succeeded();
    let counts: Vec<&str> = run
        .text()
        .lines()
        .filter_map(|line| line.split('\u{d7}').nth(1)?.split('"').next())
        .collect();
    assert_eq!(counts, [" 4", " 2"], "{}", run.text());
}

#[test]
fn folding_a_long_chain_takes_linear_time() {
    let run = fourfold_with(&["graph", "-", "--fold"], &chain(vec!["relu"; 100_000])).succeeded();
    assert!(run.text().contains("\u{d7} 100000"));
    let operators =
        (0..100_000).map(|at: u32| if at.count_ones() % 2 == 0 { "abs" } else { "exp" });
    let run =
        fourfold_with(&["graph", "-", "--fold", "--to", "dot"], &chain(operators)).succeeded();
    assert!(run.text().contains("more boxes in repeated parts"));
}

/// Shapes are below all boxes, and follow from those of the inputs.
#[test]
fn shapes_of_all_outputs_are_shown() {
    let mut graph = ModuleBuilder::new();
    let input = graph.param("x");
    let last = dense(&mut graph, "fc", input);
    let bytes = graph.build([input], [last]).unwrap().to_vec().unwrap();
    let edges = |options: &[&str]| -> Vec<String> {
        let run = fourfold_with(&[&["graph", "-", "--to", "dot"], options].concat(), &bytes);
        let lines = run.text().lines().filter(|line| line.contains(" -> "));
        lines.filter_map(|line| Some(line.split('"').nth(1)?.to_owned())).collect()
    };
    assert_eq!(edges(&["--input", "8x3"]), ["float32 [8, 3]", "float32 [8, 4]", "float32 [8, 4]"]);
    assert_eq!(edges(&["--input", "x=?x3"])[2], "float32 [?, 4]");
    let heat = ["graph", "-", "--heat", "multiply-adds"];
    let run = fourfold_with(&[&heat[..], &["--input", "8x3"]].concat(), &bytes).succeeded();
    assert!(run.text().contains(">96 multiply-adds, 100 %<"), "{}", run.text());
    for (options, text) in [
        (&["--input", "8x5"][..], "node \"fc\" (inner_prod)"),
        (&["--input", "y=8x3"], "y"),
        (
            &["--heat", "multiply-adds"],
            "unknown, first fc (the shape of input 0 is unknown); --heat parameters needs no shapes",
        ),
    ] {
        let run = fourfold_with(&[&["graph", "-"], options].concat(), &bytes);
        assert_eq!((run.text(), run.stderr.lines().count()), ("", 1), "{}", run.stderr);
        assert!(run.stderr.contains(text), "{}", run.stderr);
    }

    // An example is given if it works.
    let mut graph = ModuleBuilder::new();
    let input = graph.param("x");
    graph.at(input).shape(&[-1, 3]);
    let last = dense(&mut graph, "fc", input);
    let bytes = graph.build([input], [last]).unwrap().to_vec().unwrap();
    let run = fourfold_with(&heat, &bytes);
    let (_, example) =
        run.stderr.trim_end().split_once("(unknown ones are examples here): ").unwrap();
    let options: Vec<&str> = example.split(' ').collect();
    assert_eq!(options, ["--input", "x=1x3"]);
    fourfold_with(&[&heat[..], &options].concat(), &bytes).succeeded();
}

/// Text is text: it can be searched.
#[cfg(feature = "png")]
#[test]
fn a_pdf_has_the_text_of_the_boxes() {
    let folder = Folder::new();
    let picture = folder.path("g.pdf");
    let file = fixture("tsm/good/cnn_small.tsm");
    let run = fourfold(&["graph", &file, "-o", &picture]);
    if run.code == 1 && run.stderr.contains("no fonts") {
        return;
    }
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let pdf = std::fs::read(&picture).unwrap();
    assert!(pdf.starts_with(b"%PDF-1.") && pdf.ends_with(b"%%EOF"));
    let again = folder.path("again.pdf");
    fourfold(&["graph", &file, "-o", &again]).succeeded();
    assert_eq!(std::fs::read(again).unwrap(), pdf);
    let content = &pages(&pdf)[0];
    for text in ["(conv2d) Tj", "(cnn_small.tsm) Tj"] {
        assert!(content.contains(text), "{text}");
    }
}

/// The instructions of each page of a PDF.
#[cfg(feature = "png")]
fn pages(pdf: &[u8]) -> Vec<String> {
    let streams = pdf.windows(8).enumerate().filter(|(_, bytes)| *bytes == b"stream\n\x78");
    let content = |start: usize| {
        let mut content = String::new();
        let stream = flate2::read::ZlibDecoder::new(&pdf[start + 7..]);
        std::io::Read::read_to_string(&mut { stream }, &mut content).unwrap();
        content
    };
    streams.map(|(start, _)| content(start)).collect()
}

/// The letters of boxes have at least 6 points, and no box is on two pages.
#[cfg(feature = "png")]
#[test]
fn a_large_pdf_has_pages_of_paper() {
    let operators = ["conv2d", "pooling2d", "exp"];
    for (count, least) in [(5, 1), (300, 2), (1_000, 5)] {
        let module = chain(operators.into_iter().cycle().take(count));
        let run = fourfold_with(&["graph", "-", "--to", "pdf", "--paper", "a3"], &module);
        if run.code == 1 && run.stderr.contains("no fonts") {
            return;
        }
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        let pages = pages(&run.stdout);
        assert!((least..least * 8).contains(&pages.len()), "{count}: {} pages", pages.len());
        let text = String::from_utf8_lossy(&run.stdout);
        assert_eq!(text.matches("/MediaBox [0 0 1190.55 841.89]").count(), pages.len());
        for (number, page) in pages.iter().enumerate() {
            let matrix = page.lines().find(|line| line.ends_with(" cm")).unwrap();
            let scale: f32 = matrix.split(' ').next().unwrap().parse().unwrap();
            assert!((5.999..9.0).contains(&(11.0 * scale)), "{matrix}");
            let shown = page.contains(&format!("({} / {}) Tj", number + 1, pages.len()));
            assert_eq!(shown, pages.len() > 1);
        }
        for at in 0..count {
            let name = format!("(n{at}) Tj");
            assert_eq!(pages.iter().filter(|page| page.contains(&name)).count(), 1, "{name}");
        }
    }
}

/// Characters that the fonts of PDF do not have are outlines, or escapes if no font has them.
#[cfg(feature = "png")]
#[test]
fn names_in_greek_are_drawn_in_a_pdf() {
    let mut graph = ModuleBuilder::new();
    let input = graph.param("x");
    let output = graph.op("relu", "λ\u{5abcd}", [input]).node();
    let bytes = graph.build([input], [output]).unwrap().to_vec().unwrap();
    let run = fourfold_with(&["graph", "-", "--to", "pdf"], &bytes);
    if run.code == 1 && run.stderr.contains("no fonts") {
        return;
    }
    assert_eq!(run.code, 0, "{}", run.stderr);
    let [page] = &*pages(&run.stdout) else { panic!("one page") };
    if run.stderr.starts_with("fourfold: 1 character is in no installed font") {
        assert!(!page.contains("u{5abcd}) Tj"), "one text is either outlines or letters");
        let [outlines, letters] = [" c\n", " Tj"].map(|it| page.matches(it).count());
        assert!(outlines > 100 && letters > 3, "{outlines} curves, {letters} texts");
    }
}
