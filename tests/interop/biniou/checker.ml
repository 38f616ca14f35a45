(* The OCaml side of the interop test: how biniou and atdgen read the bytes
   that Rust wrote, and bytes of theirs for Rust to read. *)

let usage =
  "usage: checker types\n\
  \       checker read TYPE FILE\n\
  \       checker write TYPE COUNT SEED FILE\n\
  \       checker rewrite TYPE FILE FILE2\n\
  \       checker view FILE [WORDS]"

(* Malformed requests end the program; malformed values are answers. *)
let fail format =
  Printf.ksprintf
    (fun message ->
      prerr_endline ("checker: " ^ message);
      exit 2)
    format

(* ---- files of frames: a length of four bytes, big endian, and that many bytes ---- *)

let with_file open_file close_file path use =
  let file = open_file path in
  Fun.protect ~finally:(fun () -> close_file file) (fun () -> use file)

let frames path =
  let contents =
    with_file open_in_bin close_in path (fun file ->
        really_input_string file (in_channel_length file))
  in
  let rec from position =
    let rest = String.length contents - position in
    if rest = 0 then []
    else if rest < 4 then fail "%s: truncated length at %d" path position
    else
      let length = Int32.to_int (String.get_int32_be contents position) land 0xffffffff in
      if length > rest - 4 then fail "%s: truncated frame at %d" path position
      else
        let frame = String.sub contents (position + 4) length in
        frame :: from (position + 4 + length)
  in
  from 0

let add_frame file bytes =
  let length = Bytes.create 4 in
  Bytes.set_int32_be length 0 (Int32.of_int (String.length bytes));
  output_bytes file length;
  output_string file bytes

let write_frames path add_all = with_file open_out_bin close_out path add_all

(* ---- answers ---- *)

let describe = function
  | Kind.Trailing -> "trailing"
  | Atdgen_runtime.Ob_run.Error message -> "Ob_run.Error: " ^ message
  | Bi_util.Error message -> "Bi_util.Error: " ^ message
  | Yojson.Json_error message -> "Yojson.Json_error: " ^ message
  | other -> Printexc.to_string other

let answer about frame =
  match about frame with
  | text -> text
  | exception error ->
      "ERROR " ^ String.map (function '\n' -> ' ' | c -> c) (describe error)

let kind name =
  match List.find_opt (fun kind -> kind.Kind.name = name) Catalogue.kinds with
  | Some kind -> kind
  | None -> fail "no type %S; see `checker types`" name

let number text =
  match int_of_string_opt text with
  | Some number -> number
  | None -> fail "%S is not a number" text

let words path =
  with_file open_in close_in path (fun file ->
      let rec rest () =
        match input_line file with
        | word -> word :: rest ()
        | exception End_of_file -> []
      in
      rest ())

(* ---- commands ---- *)

let print_line text =
  print_string text;
  print_char '\n'

let types () = List.iter (fun kind -> print_line kind.Kind.name) Catalogue.kinds

let read kind path =
  List.iter (fun frame -> print_line (answer kind.Kind.json frame)) (frames path)

let write kind ~count ~seed path =
  let value = kind.Kind.values ~seed in
  write_frames path (fun file ->
      for _ = 1 to count do
        let bytes, json = value () in
        add_frame file bytes;
        print_line json
      done)

let rewrite kind source target =
  let rewritten number frame =
    try kind.Kind.rewrite frame
    with error -> fail "%s: value %d: %s" source number (describe error)
  in
  let all = List.mapi rewritten (frames source) in
  write_frames target (fun file -> List.iter (add_frame file) all)

let view path words =
  let unhash = Bi_io.make_unhash words in
  let tree frame = Kind.read_all (Bi_io.read_tree ~unhash) frame in
  List.iteri
    (fun i frame ->
      if i > 0 then print_line "--";
      print_line (answer (fun frame -> Bi_io.view_of_tree (tree frame)) frame))
    (frames path)

let run = function
  | [ "types" ] -> types ()
  | [ "read"; name; path ] -> read (kind name) path
  | [ "write"; name; count; seed; path ] ->
      write (kind name) ~count:(number count) ~seed:(number seed) path
  | [ "rewrite"; name; source; target ] -> rewrite (kind name) source target
  | [ "view"; path ] -> view path []
  | [ "view"; path; list ] -> view path (words list)
  | _ ->
      prerr_endline usage;
      exit 2

let () =
  set_binary_mode_out stdout true;
  try run (List.tl (Array.to_list Sys.argv))
  with Sys_error message | Failure message -> fail "%s" message
