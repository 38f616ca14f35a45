//! A headless Chromium, driven through its DevTools protocol over two pipes.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A browser that does not answer in this time is killed, and the test fails.
const TIMEOUT: Duration = Duration::from_secs(180);

/// A browser with one page.
pub(crate) struct Chromium {
    child: Arc<Mutex<Child>>,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    calls: u64,
    session: Option<String>,
    /// Events that arrived before an expected response.
    events: Vec<Value>,
    /// Stops the watchdog thread when it is dropped.
    _watch: mpsc::Sender<()>,
    _profile: TempDir,
}

impl Chromium {
    /// Starts the browser; `None` if there is none, except in CI, where that is a failure.
    pub(crate) fn start() -> Option<Self> {
        let Some(program) = program() else {
            assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "no Chromium in CI");
            eprintln!("skipped: there is no Chromium");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let mut data = OsString::from("--user-data-dir=");
        data.push(profile.path());
        // Chromium reads from 3 and writes to 4; a shell is there to number them.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1"])
            .arg(program)
            .args(["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"])
            .args(["--disable-dev-shm-usage", "--no-first-run", "--disable-extensions"])
            .args(["--disable-background-networking", "--hide-scrollbars"])
            .arg(data)
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let child = Arc::new(Mutex::new(child));
        let (watch, watched) = mpsc::channel::<()>();
        let late = Arc::clone(&child);
        std::thread::spawn(move || {
            if watched.recv_timeout(TIMEOUT) == Err(mpsc::RecvTimeoutError::Timeout) {
                let _ = late.lock().unwrap().kill();
            }
        });
        let mut browser = Chromium {
            child,
            input,
            output,
            calls: 0,
            session: None,
            events: Vec::new(),
            _watch: watch,
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", &attach);
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        browser.call("Page.enable", &json!({}));
        browser.call("Log.enable", &json!({}));
        browser.call("Runtime.enable", &json!({}));
        browser.resize(1400, 900);
        Some(browser)
    }

    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
        });
        self.call("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Emulates a system that prefers light or dark colours.
    pub(crate) fn prefer(&mut self, scheme: &str) {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.call("Emulation.setEmulatedMedia", &json!({ "features": [feature] }));
    }

    /// Opens a page and waits until it is loaded.
    pub(crate) fn open(&mut self, page: &str) {
        self.open_at(page, "");
    }

    /// The same with a fragment, such as `#b12`.
    pub(crate) fn open_at(&mut self, page: &str, hash: &str) {
        // Another fragment of the same page would not reload it.
        self.load("about:blank");
        self.load(&format!("file://{page}{hash}"));
    }

    /// Runs a script in each page before those of the page.
    pub(crate) fn run_first(&mut self, script: &str) {
        self.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": script }));
    }

    fn load(&mut self, url: &str) {
        self.events.clear();
        self.call("Page.navigate", &json!({ "url": url }));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.receive();
            self.events.push(event);
        }
    }

    /// The page's errors: exceptions and log entries.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        self.evaluate("0");
        let complains = |event: &&Value| {
            event["method"] == "Runtime.exceptionThrown" || event["method"] == "Log.entryAdded"
        };
        self.events.iter().filter(complains).map(ToString::to_string).collect()
    }

    /// The value of an expression in the page.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let arguments = json!({ "expression": expression, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", &arguments);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits some seconds for an expression to become true.
    pub(crate) fn wait_until(&mut self, expression: &str) {
        for _ in 0..600 {
            self.apply();
            if self.evaluate(expression) == true {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("{expression} does not come true");
    }

    /// Waits until the page has been drawn as it is now.
    pub(crate) fn apply(&mut self) {
        let frames =
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
        let arguments = json!({ "expression": frames, "awaitPromise": true });
        self.call("Runtime.evaluate", &arguments);
    }

    /// The middle of the first line of the first element that fits the selector.
    fn middle(&mut self, selector: &str) -> (f64, f64) {
        self.apply();
        let place = self.evaluate(&format!(
            "(() => {{ const r = document.querySelector({selector:?}).getClientRects()[0]; \
             return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    fn mouse(&mut self, kind: &str, (x, y): (f64, f64)) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", &event);
    }

    /// Moves the mouse onto an element.
    pub(crate) fn hover(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.mouse("mouseMoved", place);
    }

    /// Moves the mouse onto an element and clicks.
    pub(crate) fn click(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.mouse("mouseMoved", place);
        // A busy browser drops a press that arrives before the move has been drawn.
        self.apply();
        self.mouse("mousePressed", place);
        self.mouse("mouseReleased", place);
        self.apply();
    }

    /// Presses a key, such as `ArrowDown`.
    pub(crate) fn press(&mut self, key: &str) {
        let code = match key {
            "ArrowDown" => 40,
            "ArrowUp" => 38,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowRight" => 39,
            "Escape" => 27,
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({
                "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code,
            });
            if key.len() == 1 && kind == "keyDown" {
                event["text"] = json!(key);
            }
            self.call("Input.dispatchKeyEvent", &event);
        }
    }

    /// A screenshot of the page, as a PNG.
    pub(crate) fn picture(&mut self) -> Vec<u8> {
        let answer = self.call("Page.captureScreenshot", &json!({ "format": "png" }));
        let text = answer["data"].as_str().unwrap();
        base64::engine::general_purpose::STANDARD.decode(text).unwrap()
    }

    fn call(&mut self, method: &str, arguments: &Value) -> Value {
        self.calls += 1;
        let mut message = json!({ "id": self.calls, "method": method, "params": arguments });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.input.write_all(&bytes).unwrap();
        self.input.flush().unwrap();
        loop {
            let message = self.receive();
            if message["id"] == self.calls {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn receive(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.output.read_until(0, &mut bytes).unwrap();
        assert_eq!(bytes.pop(), Some(0), "Chromium has ended");
        serde_json::from_slice(&bytes).unwrap()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|program| program.is_file())
}
