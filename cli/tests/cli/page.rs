//! `fourfold explain --html`: one self-contained page, tested in a browser.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::command::{Folder, bytes, fixture, fourfold};

/// Writes the page of a file to a temporary folder.
fn page(arguments: &[&str]) -> (Folder, String) {
    let folder = Folder::new();
    let path = folder.path("page.html");
    let run = fourfold(&[&["explain", "--html", "-o", &path], arguments].concat());
    assert!(run.code == 0 || run.code == 2, "{run:?}");
    assert_eq!((run.text(), run.stderr.as_str()), ("", ""));
    (folder, path)
}

/// The entries that `explain --json` prints.
fn parts(arguments: &[&str]) -> Vec<Value> {
    fourfold(&[&["explain", "--json"], arguments].concat()).json_lines()
}

/// How many pixels differ from the most frequent colour, and the number of colours.
fn painted(png: &[u8]) -> (usize, usize) {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let picture = resvg::tiny_skia::Pixmap::decode_png(png).unwrap();
    let mut colours = std::collections::HashMap::new();
    for pixel in picture.pixels() {
        *colours.entry((pixel.red(), pixel.green(), pixel.blue())).or_insert(0usize) += 1;
    }
    let ground = colours.values().max().unwrap();
    (picture.pixels().len() - ground, colours.len())
}

/// The text of the first element that matches a selector.
fn text(browser: &mut Chromium, selector: &str) -> String {
    browser.apply();
    let found = browser.evaluate(&format!("document.querySelector({selector:?})?.textContent"));
    found.as_str().unwrap_or_default().to_owned()
}

fn count(browser: &mut Chromium, selector: &str) -> u64 {
    browser.apply();
    browser.evaluate(&format!("document.querySelectorAll({selector:?}).length")).as_u64().unwrap()
}

fn address(browser: &mut Chromium) -> String {
    browser.evaluate("decodeURIComponent(location.hash)").as_str().unwrap().to_owned()
}

fn write_in(browser: &mut Chromium, words: &str) {
    browser.evaluate("document.getElementById('found').textContent = ''");
    browser.evaluate(&format!(
        "(() => {{ const find = document.getElementById('find'); find.value = {words:?}; \
         find.dispatchEvent(new Event('input')); }})()"
    ));
    browser.wait_until(
        "/ of [0-9]+$|not found|digits/.test(document.getElementById('found').textContent)",
    );
}

fn look_in(browser: &mut Chromium, kind: &str) {
    browser.evaluate(&format!("document.getElementById('find-kind').value = {kind:?}"));
}

/// A biniou array of `count` int8, whose adjacent items differ.
fn array(items: u32) -> Vec<u8> {
    let mut array = vec![19];
    let mut rest = items;
    while rest > 127 {
        array.push(u8::try_from(rest & 127).unwrap() | 128);
        rest >>= 7;
    }
    array.push(u8::try_from(rest).unwrap());
    array.push(1);
    array.extend((0..items).map(|item| u8::try_from(item % 251).unwrap()));
    array
}

fn file(bytes: &[u8], name: &str) -> (Folder, String) {
    let folder = Folder::new();
    let file = folder.write(name, bytes);
    (folder, file)
}

#[test]
fn hovering_and_clicking_select_bytes_and_entries() {
    let Some(mut browser) = Chromium::start() else { return };
    let file = fixture("tsm/good/mlp.tsm");
    let parts = parts(&[&file]);
    let (_folder, path) = page(&[&file]);
    browser.open(&path);

    // Hovering over a byte paints it and its entry, and the status line describes it.
    let whole =
        "[...document.querySelectorAll('b.hover')].map((b) => b.textContent.trim()).join(' ')";
    for index in [0, 1, 5] {
        let part = &parts[index];
        let number = |name: &str| usize::try_from(part[name].as_u64().unwrap()).unwrap();
        let (start, end) = (number("start"), number("end"));
        browser.hover(&format!("b[data-at='{start}']"));
        assert_eq!(text(&mut browser, ".part.hover .range"), format!("{start}..{end}"));
        let expected: Vec<String> =
            bytes(&file)[start..end].iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(browser.evaluate(whole), expected.join(" "));
        let status = text(&mut browser, "#status");
        for key in ["path", "what", "value"] {
            assert!(status.contains(part[key].as_str().unwrap()), "{key}: {status}");
        }
    }
    // Off the bytes, nothing is painted.
    browser.hover("h1");
    assert_eq!(count(&mut browser, ".hover"), 0);

    // A click on an entry selects its bytes and changes the address; keys move the selection.
    browser.click(".part .range");
    assert_eq!(count(&mut browser, "[aria-selected=true]"), 1);
    assert_eq!(address(&mut browser), "#path=header");
    browser.evaluate("document.getElementById('parts').focus()");
    browser.press("End");
    let last = parts.last().unwrap();
    let range = format!("{}..{}", last["start"], last["end"]);
    assert_eq!(text(&mut browser, "[aria-selected=true] .range"), range);
    let in_view = "(() => { const pane = document.getElementById('bytes').getBoundingClientRect(); \
         const b = document.querySelector('b.marked').getBoundingClientRect(); \
         return b.top >= pane.top && b.bottom <= pane.bottom; })()";
    assert_eq!(browser.evaluate(in_view), true);
    let marked = "document.querySelector('[aria-selected=true]').id === \
                  document.getElementById('parts').getAttribute('aria-activedescendant')";
    assert_eq!(browser.evaluate(marked), true);
    browser.press("ArrowUp");
    browser.press("Home");
    assert_eq!(text(&mut browser, "[aria-selected=true] .place"), "▾header");
    // Keys move the selection among bytes, too.
    browser.evaluate("document.getElementById('bytes').focus()");
    browser.press("End");
    browser.press("ArrowLeft");
    assert_eq!(address(&mut browser), format!("#b{}", bytes(&file).len() - 2));
    browser.press("Escape");
    assert_eq!(count(&mut browser, ".marked"), 0);

    // Screenshots, light and dark.
    browser.evaluate("document.getElementById('parts').focus()");
    browser.press("Home");
    for _ in 0..10 {
        browser.press("ArrowDown");
    }
    browser.apply();
    let mut grounds = Vec::new();
    for scheme in ["light", "dark"] {
        browser.prefer(scheme);
        let png = browser.picture();
        let (pixels, colours) = painted(&png);
        assert!(pixels > 20_000 && colours > 50, "{scheme}: {pixels} pixels, {colours} colours");
        grounds.push(browser.evaluate("getComputedStyle(document.body).backgroundColor"));
        if let Some(keep) = std::env::var_os("KEEP_PICTURES") {
            std::fs::write(PathBuf::from(keep).join(format!("page-{scheme}.png")), png).unwrap();
        }
    }
    assert_ne!(grounds[0], grounds[1]);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn errors_and_hostile_names_are_shown_and_harmless() {
    let Some(mut browser) = Chromium::start() else { return };
    // A statistic named like a script, with missing bytes after it.
    let mut model = bytes(&fixture("primitiv/saved/p_mat2x3.param"));
    let end = model.len();
    model[end - 1] = 1;
    let name = b"</div><script>document.title = 'gotcha'</script><b>&\"'";
    model.push(0xd9);
    model.push(u8::try_from(name.len()).unwrap());
    model.extend_from_slice(name);
    let folder = Folder::new();
    let file = folder.write("<i>name.param", &model);

    let (_folder, path) = page(&[&file]);
    browser.open(&path);
    let title = browser.evaluate("document.title");
    assert!(title.as_str().unwrap().ends_with("<i>name.param"), "{title}");
    let scripts = "[...document.scripts].filter((script) => script.type === 'module').length";
    assert_eq!(browser.evaluate(scripts), 1);
    browser.evaluate("document.getElementById('parts').focus()");
    browser.press("End");
    let shown = text(&mut browser, "#parts");
    assert!(shown.contains("<script>document.title"), "{shown}");
    // The error is listed above the bytes and marked at its bytes.
    assert_eq!(count(&mut browser, "#errors li"), 1);
    browser.press("Escape");
    browser.click("#errors a");
    assert_eq!(count(&mut browser, ".part.marked .error"), 1);
    assert_eq!(count(&mut browser, ".part.bad"), 1);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_page_is_self_contained() {
    let run = fourfold(&["explain", "--html", &fixture("biniou/data/save.players-ten.biniou")])
        .succeeded();
    for outside in ["http", "src=", "@import", "url(", "<link"] {
        let text = run.text().replace("http-equiv", "");
        assert!(!text.contains(outside), "{outside}");
    }
    assert!(run.text().contains("default-src 'none'"));
}

/// List and tree have every entry, in the order of the file.
#[test]
fn pages_have_every_entry() {
    let Some(mut browser) = Chromium::start() else { return };
    let players = fixture("biniou/data/save.players-ten.biniou");
    let module = fixture("tsm/good/minimal.tsm");
    let stream = fixture("biniou/stream/log.log_list-six_by_one.stream");
    let block = fixture("molecule/blocks/block-empty.bin");
    let model = fixture("primitiv/saved/m_key_of_15_parts.model");
    let arguments: [&[&str]; 5] = [
        &["--path", "#0a1509f2[3]", &players],
        &[&stream],
        &["--layout", &block],
        &[&model],
        &[&module],
    ];
    for arguments in arguments {
        if arguments == [module.as_str()] {
            // Emulates a browser that does not have this function.
            browser.run_first("delete Uint8Array.fromBase64");
        }
        let parts = parts(arguments);
        let (_folder, path) = page(arguments);
        browser.open(&path);
        // High enough for all entries.
        browser.resize(1400, u32::try_from(parts.len() * 22 + 400).unwrap());
        browser.click("#list");
        browser.apply();
        let shown = browser.evaluate(
            "[...document.querySelectorAll('.part')].map((part) => \
             ['range', 'place', 'what', 'value'].map((name) => \
             part.querySelector('.' + name).textContent))",
        );
        let shown = shown.as_array().unwrap();
        assert_eq!(shown.len(), parts.len(), "{arguments:?}");
        for (shown, part) in shown.iter().zip(&parts) {
            let range = format!("{}..{}", part["start"], part["end"]);
            // The page shortens values that are whole in JSON.
            let (whole, value) = (part["value"].as_str().unwrap(), shown[3].as_str().unwrap());
            let start = value.split_once('…').map_or(value, |(start, _)| start);
            let is_shown = value == whole || start.len() >= 64 && whole.starts_with(start);
            assert!(is_shown, "{arguments:?}: {value} for {whole}");
            let expected = json!([range, part["path"], part["what"], value]);
            assert_eq!(*shown, expected, "{arguments:?}");
        }
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_million_entries_open() {
    let Some(mut browser) = Chromium::start() else { return };
    let mut array = array(1_000_000);
    array[900_000..900_004].copy_from_slice(&[0xfe, 0xdc, 0xba, 0x98]);
    let (_folder, file) = file(&array, "a.biniou");
    let (_page, path) = page(&[&file]);
    let size = std::fs::metadata(&path).unwrap().len();
    assert!(size < 6 * array.len() as u64, "{size} bytes");
    browser.open(&path);
    let ready = browser.evaluate("performance.getEntriesByName('first rows')[0].startTime");
    eprintln!("{} bytes: page of {size}, first rows after {ready} ms", array.len());
    // Only visible rows are in the document.
    let drawn = count(&mut browser, ".part");
    assert!((10..100).contains(&drawn), "{drawn}");
    assert!(count(&mut browser, "*") < 3_000);
    assert_eq!(text(&mut browser, "#summary"), "biniou, 1000005 bytes, 1000003 parts");

    // To the end, with the scroll bar and with keys.
    browser.evaluate("document.getElementById('parts').scrollTop = 1e9");
    assert_eq!(text(&mut browser, ".part:last-child .place"), "[999999]");
    browser.evaluate("document.getElementById('bytes').scrollTop = 1e9");
    assert_eq!(text(&mut browser, ".line:last-child .at").trim(), "1000000");
    browser.evaluate("document.getElementById('parts').focus()");
    browser.press("Home");
    assert_eq!(text(&mut browser, ".part.marked .range"), "0..1");
    browser.press("End");
    assert_eq!(text(&mut browser, ".part.marked .range"), "1000004..1000005");
    assert_eq!(address(&mut browser), "#path=[999999]");

    // Bytes and paths are found.
    look_in(&mut browser, "hex");
    write_in(&mut browser, "fe dc ba98");
    assert_eq!(text(&mut browser, "#found"), "1 of 1");
    assert_eq!(address(&mut browser), "#b900000");
    assert_eq!(count(&mut browser, "b.found"), 4);
    write_in(&mut browser, "fed");
    assert_eq!(text(&mut browser, "#found"), "two digits 0 to f for each byte");
    look_in(&mut browser, "rows");
    write_in(&mut browser, "[123456]");
    assert_eq!(text(&mut browser, "#found"), "1 of 1");
    assert_eq!(address(&mut browser), "#path=[123456]");
    assert_eq!(text(&mut browser, ".part.marked .place"), "[123456]");

    // Addresses select bytes and entries, also when the page is opened with one.
    let state = |browser: &mut Chromium| text(browser, ".part.marked .place");
    browser.evaluate("location.hash = '#b500005'");
    browser.wait_until("document.querySelector('.part.marked .place')?.textContent === '[500000]'");
    for (hash, place) in [("#path=[777777]", "[777777]"), ("#b0x64", "[95]")] {
        browser.open_at(&path, hash);
        assert_eq!(state(&mut browser), place);
        assert!(count(&mut browser, "b.marked") == 1);
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn entries_can_be_collapsed() {
    let Some(mut browser) = Chromium::start() else { return };
    let (_folder, path) = page(&[&fixture("tsm/good/cnn_small.tsm")]);
    browser.open_at(&path, "#path=graph[3].bubble[1]");
    let marked = ".part.marked";
    assert_eq!(text(&mut browser, ".part.marked .place"), "▾[1]");
    let level = |browser: &mut Chromium| {
        browser.apply();
        browser.evaluate("document.querySelector('.part.marked').getAttribute('aria-level')")
    };
    assert_eq!(level(&mut browser), "4");
    browser.evaluate("document.getElementById('parts').focus()");
    // The row below is the first child; once collapsed, it is the next sibling.
    browser.press("ArrowDown");
    assert_eq!(text(&mut browser, ".part.marked .place"), "▾name");
    browser.press("ArrowUp");
    browser.press("ArrowLeft");
    assert_eq!(text(&mut browser, ".part.marked .place"), "▸[1]");
    let expanded = |browser: &mut Chromium| {
        browser.apply();
        browser.evaluate("document.querySelector('.part.marked').getAttribute('aria-expanded')")
    };
    assert_eq!(expanded(&mut browser), "false");
    browser.press("ArrowDown");
    assert_eq!(text(&mut browser, ".part.marked .place"), "▾[2]");
    browser.press("ArrowUp");
    browser.press("ArrowRight");
    assert_eq!(expanded(&mut browser), "true");
    browser.press("ArrowRight");
    assert_eq!(text(&mut browser, ".part.marked .place"), "▾name");
    for _ in 0..4 {
        browser.press("ArrowLeft");
    }
    assert_eq!(address(&mut browser), "#path=graph[3].bubble");
    // A click on the arrow does the same.
    browser.click(".part.marked .sign");
    assert_eq!(text(&mut browser, ".part.marked .place"), "▸bubble");

    // Collapse all; a search result is expanded again.
    browser.click("#close");
    assert!(count(&mut browser, ".part") < 6);
    write_in(&mut browser, "graph[5].bubble");
    assert_eq!(text(&mut browser, ".part.marked .place"), "▸bubble");
    assert_eq!(address(&mut browser), "#path=graph[5].bubble");
    // The names are strings in the file.
    look_in(&mut browser, "text");
    write_in(&mut browser, "block1.conv");
    let found = text(&mut browser, "#found");
    assert!(found.starts_with("1 of "), "{found}");
    assert_eq!(count(&mut browser, "b.found"), 11);
    browser.click("#next");
    assert!(text(&mut browser, "#found").starts_with("2 of "));
    assert!(count(&mut browser, marked) == 1);

    // On narrow screens the panes are stacked, and nothing overflows.
    browser.resize(380, 700);
    browser.apply();
    let fits = "document.documentElement.scrollWidth <= innerWidth && \
                document.getElementById('bytes').clientHeight > 100 && \
                document.getElementById('parts').clientHeight > 100";
    assert_eq!(browser.evaluate(fits), true);
    assert_eq!((count(&mut browser, "b.found"), count(&mut browser, ".part.marked")), (11, 1));
    if let Some(keep) = std::env::var_os("KEEP_PICTURES") {
        std::fs::write(PathBuf::from(keep).join("page-narrow.png"), browser.picture()).unwrap();
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A packed tensor with `len` bytes of float32, which change every thousand bytes.
fn tensor(len: u32) -> Vec<u8> {
    let mut tensor = vec![1, 0, 0, 0, 10, 1, 0, 0, 0];
    tensor.extend((len / 4).to_le_bytes());
    tensor.extend((0..len).map(|at| u8::try_from(at / 1000 % 256).unwrap()));
    tensor
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn large_files_have_pages_of_bounded_size() {
    let (_folder, small) = file(&tensor(10_000_000), "a.t");
    let (_page, path) = page(&["--format", "tsm", &small]);
    let size = std::fs::metadata(&path).unwrap().len();
    assert!((13_300_000..13_500_000).contains(&size), "{size}");

    // Larger than a page: it has the ends of the tensor, or the requested bytes.
    let bytes = tensor(70_000_000);
    let (_folder, large) = file(&bytes, "a.t");
    let (_page, path) = page(&["--format", "tsm", &large]);
    let size = std::fs::metadata(&path).unwrap().len();
    assert!(size < 100_000, "{size}");
    let window = ["--offset", "50000000", "--length", "4000", "--format", "tsm", &large];
    let (_part, part) = page(&window);
    assert!(std::fs::metadata(&part).unwrap().len() < 100_000);
    let Some(mut browser) = Chromium::start() else { return };
    browser.open(&path);
    let note = "The file is large: of 1 long part only the first and last bytes are there. --offset \
                and --length show all bytes of a range of up to 64 MiB.";
    assert_eq!(text(&mut browser, "#notes"), note);
    for (at, shown) in [(13, "00"), (4108, "04"), (4109, "··"), (70_000_012, "6f")] {
        browser.evaluate(&format!("location.hash = '#b{at}'"));
        browser.wait_until(&format!("document.querySelector(\"b[data-at='{at}']\") !== null"));
        assert_eq!(text(&mut browser, &format!("b[data-at='{at}']")).trim(), shown, "{at}");
    }
    browser.open_at(&part, "#b50001234");
    let expected = format!("{:02x}", bytes[50_001_234]);
    assert_eq!(text(&mut browser, "b[data-at='50001234']").trim(), expected);
    let note = "The page has the parts of the bytes 50000000..50004000 only.";
    assert_eq!(text(&mut browser, "#notes"), note);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn byte_ranges_require_html() {
    let file = fixture("tsm/good/minimal.tsm");
    let run = fourfold(&["explain", "--offset", "5", &file]);
    assert_eq!((run.code, run.text()), (1, ""));
    let text = "fourfold: --offset and --length are for pages; add --html\n";
    assert_eq!(run.stderr, text);
}
