//! Generates the JavaScript bindings of the web viewer's WebAssembly: `fourfold-web-bind INPUT FOLDER`.

use std::env;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().collect();
    let [_, input, folder] = arguments.as_slice() else {
        eprintln!("fourfold-web-bind INPUT FOLDER");
        return ExitCode::FAILURE;
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen
        .input_path(input)
        .web(true)
        .map(|bindgen| bindgen.typescript(true).omit_default_module_path(true))
        .and_then(|bindgen| bindgen.generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
