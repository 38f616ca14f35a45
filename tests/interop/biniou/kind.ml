(* A type of the schemas, as the commands see it: all in terms of bytes and JSON,
   so that kinds of different types fit into one table. *)

type t = {
  name : string;
  json : string -> string;
  rewrite : string -> string;
  (* Endless: each call returns the bytes and the JSON of another value. *)
  values : seed:int -> unit -> string * string;
}

exception Trailing

(* The readers of biniou stop after the value; here it has to fill the frame. *)
let read_all read bytes =
  let input = Bi_inbuf.from_string bytes in
  let value = read input in
  if input.Bi_inbuf.i_pos < input.Bi_inbuf.i_len then raise Trailing;
  value

let make name generate read write write_json =
  let bytes value =
    let output = Bi_outbuf.create 1024 in
    write output value;
    Bi_outbuf.contents output
  and json value =
    let buffer = Buffer.create 1024 in
    write_json buffer value;
    Buffer.contents buffer
  in
  {
    name;
    json = (fun frame -> json (read_all read frame));
    rewrite = (fun frame -> bytes (read_all read frame));
    values =
      (fun ~seed ->
        let source = Generate.source ~seed name in
        fun () ->
          let value = Generate.next generate source in
          (bytes value, json value));
  }
