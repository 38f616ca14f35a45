(* What the code of atdgen does with bytes and JSON. The types come behind this, as a list of names and kinds. *)

type kind = {
  of_bytes : string -> string list;
  of_json : string -> string list;
}

exception Trailing

let answer f x = try "+" ^ f x with error -> "-" ^ Printexc.to_string error

let kind read write write_json of_json =
  let bytes value =
    let output = Bi_outbuf.create 1024 in
    write output value;
    Bi_outbuf.contents output
  and json value =
    let buffer = Buffer.create 1024 in
    write_json buffer value;
    Buffer.contents buffer
  in
  let whole text =
    let input = Bi_inbuf.from_string text in
    let value = read input in
    if input.Bi_inbuf.i_pos < input.Bi_inbuf.i_len then raise Trailing;
    value
  in
  {
    of_bytes =
      (fun text ->
        match whole text with
        | value -> [ "+"; answer bytes value; answer json value ]
        | exception error -> [ "-" ^ Printexc.to_string error ]);
    of_json = (fun text -> [ answer (fun text -> bytes (of_json text)) text ]);
  }

(* A request is a type, `b` or `j`, and a text; answers are texts. Each has its length in front. *)
let run kinds =
  let table = Hashtbl.create 1000 in
  List.iter (fun (name, kind) -> Hashtbl.add table name kind) kinds;
  set_binary_mode_in stdin true;
  set_binary_mode_out stdout true;
  let take () = really_input_string stdin (input_binary_int stdin) in
  let put text =
    output_binary_int stdout (String.length text);
    output_string stdout text
  in
  try
    while true do
      let name = take () in
      let kind = Hashtbl.find table name in
      let about = if take () = "b" then kind.of_bytes else kind.of_json in
      List.iter put (about (take ()))
    done
  with End_of_file -> ()
