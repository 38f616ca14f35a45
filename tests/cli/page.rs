//! `fourfold explain --html`: one page that needs nothing else, and works in a browser.

use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::chromium::Chromium;
use crate::command::{bytes, fixture, fourfold, fourfold_with};

/// The page of a file, in a folder of its own.
fn page(arguments: &[&str]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let run = fourfold(&[&["explain", "--html", "-o", path.to_str().unwrap()], arguments].concat());
    assert!(run.code == 0 || run.code == 2, "{run:?}");
    assert_eq!((run.text(), run.stderr.as_str()), ("", ""));
    (folder, path)
}

/// The parts that `explain --json` tells.
fn parts(arguments: &[&str]) -> Vec<Value> {
    let run = fourfold(&[&["explain", "--json"], arguments].concat());
    run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// How many pixels differ from the most frequent colour, and how many colours there are.
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

#[test]
fn hovering_and_clicking_work() {
    let Some(mut browser) = Chromium::start() else { return };
    let file = fixture("tsm/good/mlp.tsm");
    let parts = parts(&[&file]);
    let (folder, path) = page(&[&file]);
    browser.open(&path);
    assert_eq!(browser.evaluate("document.querySelectorAll('.part').length"), parts.len());

    // A byte shows its part: both are painted, and the status tells what it is.
    let whole = "[...document.querySelectorAll('b.hover')].map((b) => b.textContent).join(' ')";
    for index in [0, 1, 5] {
        browser.hover(&format!("b[data-p='{index}']"));
        assert_eq!(
            browser.evaluate("document.querySelector('.part.hover').id"),
            format!("p{index}")
        );
        let part = &parts[index];
        let number = |name: &str| usize::try_from(part[name].as_u64().unwrap()).unwrap();
        let (start, end) = (number("start"), number("end"));
        let expected: Vec<String> =
            bytes(&file)[start..end].iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(browser.evaluate(whole), expected.join(" "));
        let status = browser.evaluate("document.getElementById('status').textContent");
        let status = status.as_str().unwrap();
        assert!(status.starts_with(&format!("{start}..{end}")), "{status}");
        assert!(status.contains(part["what"].as_str().unwrap()), "{status}");
    }
    // Off the bytes, nothing is painted.
    browser.hover("h1");
    assert_eq!(browser.evaluate("document.querySelectorAll('.hover').length"), 0);

    // A click on a part marks its bytes and brings them into view, however far away they are.
    let last = parts.len() - 1;
    let in_view = |browser: &mut Chromium| {
        browser.evaluate(
            "(() => { const pane = document.getElementById('bytes').getBoundingClientRect(); \
             const b = document.querySelector('b.marked').getBoundingClientRect(); \
             return b.top >= pane.top && b.bottom <= pane.bottom; })()",
        )
    };
    browser.evaluate("document.getElementById('parts').scrollTop = 1e9");
    let seen = browser.evaluate(&format!(
        "(() => {{ const r = document.querySelector('b[data-p=\"{last}\"]').getBoundingClientRect(); \
         return r.top < innerHeight && r.bottom > 0; }})()"
    ));
    assert_eq!(seen, false, "the last bytes are in view from the beginning");
    browser.click(&format!("#p{last}"));
    assert_eq!(browser.evaluate("document.querySelector('.part.marked').id"), format!("p{last}"));
    assert_eq!(
        browser.evaluate("document.querySelector('[aria-selected=true]').id"),
        format!("p{last}")
    );
    assert_eq!(in_view(&mut browser), true);
    assert_eq!(
        browser.evaluate(
            "[...new Set([...document.querySelectorAll('b.marked')].map((b) => b.dataset.p))]"
        ),
        json!([last.to_string()])
    );

    // The keys do the same.
    browser.evaluate("document.getElementById('parts').focus()");
    browser.press("Home");
    assert_eq!(browser.evaluate("document.querySelector('.part.marked').id"), "p0");
    assert_eq!(in_view(&mut browser), true);
    browser.press("ArrowDown");
    assert_eq!(browser.evaluate("document.querySelector('.part.marked').id"), "p1");
    browser.press("ArrowUp");
    browser.press("End");
    assert_eq!(browser.evaluate("document.querySelector('.part.marked').id"), format!("p{last}"));
    browser.press("Escape");
    assert_eq!(browser.evaluate("document.querySelectorAll('.marked').length"), 0);
    browser.press("/");
    assert_eq!(browser.evaluate("document.activeElement.id"), "find");
    for key in ["r", "e", "l", "u"] {
        browser.press(key);
    }
    let found = browser.evaluate("document.querySelectorAll('.part:not([hidden])').length");
    assert!(found.as_u64().unwrap() > 0 && found.as_u64().unwrap() < parts.len() as u64, "{found}");

    // The pictures, light and dark.
    browser.press("Escape");
    browser.evaluate("document.getElementById('parts').focus()");
    browser.press("Home");
    for _ in 0..10 {
        browser.press("ArrowDown");
    }
    let mut grounds = Vec::new();
    for scheme in ["light", "dark"] {
        browser.prefer(scheme);
        let png = browser.picture();
        let (pixels, colours) = painted(&png);
        assert!(pixels > 20_000 && colours > 50, "{scheme}: {pixels} pixels, {colours} colours");
        grounds.push(browser.evaluate("getComputedStyle(document.body).backgroundColor"));
        std::fs::write(folder.path().join(format!("{scheme}.png")), &png).unwrap();
        if let Some(keep) = std::env::var_os("KEEP_PICTURES") {
            std::fs::write(PathBuf::from(keep).join(format!("page-{scheme}.png")), png).unwrap();
        }
    }
    assert_ne!(grounds[0], grounds[1]);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn faults_and_hostile_names_are_shown_and_harmless() {
    let Some(mut browser) = Chromium::start() else { return };
    // A statistic called like a script, with less behind it than it needs.
    let mut model = bytes(&fixture("primitiv/saved/p_mat2x3.param"));
    let end = model.len();
    model[end - 1] = 1;
    let name = b"</div><script>document.title = 'gotcha'</script><b>&\"'";
    model.push(0xd9);
    model.push(u8::try_from(name.len()).unwrap());
    model.extend_from_slice(name);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("<i>name.param");
    std::fs::write(&file, &model).unwrap();

    let (_folder, path) = page(&[file.to_str().unwrap()]);
    browser.open(&path);
    let title = browser.evaluate("document.title");
    assert!(title.as_str().unwrap().ends_with("<i>name.param"), "{title}");
    assert_eq!(browser.evaluate("document.querySelectorAll('script').length"), 1);
    let shown = browser.evaluate("document.getElementById('parts').textContent");
    assert!(shown.as_str().unwrap().contains("<script>document.title"), "{shown}");
    assert_eq!(browser.evaluate("document.querySelectorAll('.faults li').length"), 1);
    assert_eq!(browser.evaluate("document.querySelectorAll('.part.bad').length"), 1);
    browser.click(".faults a");
    assert_eq!(browser.evaluate("document.querySelector('.part.marked .fault') !== null"), true);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_page_needs_nothing_else() {
    let run = fourfold(&["explain", "--html", &fixture("biniou/data/save.players-ten.biniou")]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    for outside in ["http", "src=", "@import", "url(", "<link"] {
        let text = run.text().replace("http-equiv", "");
        assert!(!text.contains(outside), "{outside}");
    }
    assert!(run.text().contains("default-src 'none'"));
}

#[test]
fn big_files_make_small_pages() {
    // One tensor of 10 MB: one field of 2.5 million float32.
    let mut tensor = vec![1, 0, 0, 0, 10, 1, 0, 0, 0];
    tensor.extend(2_500_000u32.to_le_bytes());
    tensor.resize(tensor.len() + 10_000_000, 7);
    let run = fourfold_with(&["explain", "--html", "--format", "tsm", "-"], &tensor);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.len() < 100_000, "{} bytes", run.stdout.len());
    assert!(run.text().contains("left out"));

    // Many small parts, with a fault behind all of them: an array of int8 with one item too few.
    let count = 300_000u32;
    let mut array = vec![19];
    let mut rest = count + 1;
    while rest > 127 {
        array.push(u8::try_from(rest & 127).unwrap() | 128);
        rest >>= 7;
    }
    array.push(u8::try_from(rest).unwrap());
    array.push(1);
    array.resize(array.len() + count as usize, 7);
    let run = fourfold_with(&["explain", "--html", "--format", "biniou", "-"], &array);
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    assert!(run.stdout.len() < 8_000_000, "{} bytes", run.stdout.len());
    assert!(run.text().contains("parts are left out"));
    assert!(run.text().contains("class=\"fault\""));
}
