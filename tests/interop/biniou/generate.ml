(* Random values. The edges of each kind of number and text come up often,
   for that is where two implementations disagree. *)

type source = {
  random : Random.State.t;
  (* Items and recursions left: bounds a value however its lists nest. *)
  mutable fuel : int;
  mutable depth : int;
}

let below bound s = Random.State.int s.random bound
let pick choices s = choices.(below (Array.length choices) s)

let source ~seed name =
  { random = Random.State.make [| seed; Hashtbl.hash name |]; fuel = 0; depth = 0 }

(* The next value of a source: small, middling or large. *)
let next generate s =
  s.fuel <- pick [| 4; 40; 400 |] s;
  s.depth <- 0;
  generate s

(* ---- numbers ---- *)

let bits64 s =
  let bits () = Int64.of_int (Random.State.bits s.random) in
  Int64.logxor (bits ())
    (Int64.logxor (Int64.shift_left (bits ()) 30) (Int64.shift_left (bits ()) 60))

let bool s = below 2 s = 0
let unit (_ : source) = ()

(* Powers of two are where a vint grows by a byte; the last of them is min_int,
   and the number before it max_int. *)
let int s =
  let magnitude =
    match below 3 s with
    | 0 -> below 200 s
    | 1 -> (1 lsl below 63 s) + below 3 s - 1
    | _ -> Int64.to_int (bits64 s) asr below 63 s
  in
  if bool s then magnitude else -magnitude

(* A negative int written as uvint is not read back as itself, so none here. *)
let uvint s = int s land max_int

let int8 s = if bool s then pick [| 0; 1; 127; 128; 254; 255 |] s else below 256 s

let int16 s =
  if bool s then pick [| 0; 1; 255; 256; 32767; 32768; 65534; 65535 |] s
  else below 65536 s

let int32 s =
  if bool s then pick [| 0l; 1l; -1l; 127l; 255l; 65536l; Int32.max_int; Int32.min_int |] s
  else Int32.shift_right (Int64.to_int32 (bits64 s)) (below 32 s)

let int64 s =
  if bool s then
    pick [| 0L; 1L; -1L; 255L; 0x7fffffffL; 0x80000000L; Int64.max_int; Int64.min_int |] s
  else Int64.shift_right (bits64 s) (below 64 s)

let char s = Char.chr (int8 s)

(* JSON has no other floats than finite ones. *)
let finite otherwise x =
  match classify_float x with
  | FP_nan | FP_infinite -> otherwise
  | FP_normal | FP_subnormal | FP_zero -> x

let float64_edges =
  [| 0.; -0.; 1.; -1.; 0.1; 1e15; 1e16; 1e22; 9007199254740993.; 1e308; -1e308;
     max_float; min_float; -.min_float; epsilon_float; 4.94e-324; -4.94e-324 |]

let float64 s =
  match below 4 s with
  | 0 -> pick float64_edges s
  | 1 -> float_of_int (int s) /. 8.
  | 2 -> Int64.float_of_bits (Int64.logand (bits64 s) 0x800fffffffffffffL)
  | _ -> finite 2.5 (Int64.float_of_bits (bits64 s))

let float32_edges =
  Array.map Int32.float_of_bits
    [| 0l; 0x80000000l; 0x3f800000l; 0xbf800000l; 0x3dcccccdl; 0x4b800000l;
       0x7f7fffffl; 0xff7fffffl; 0x00800000l; 0x007fffffl; 1l; 0x80000001l |]

(* Exact in 32 bits, so that writing loses nothing. *)
let float32 s =
  if bool s then pick float32_edges s
  else finite 2.5 (Int32.float_of_bits (Int64.to_int32 (bits64 s)))

(* ---- text ---- *)

let pieces =
  [| "a"; "word"; " "; "\""; "\\"; "/"; "'"; "\n"; "\r\n"; "\t"; "\b"; "\012";
     "\000"; "\001"; "\031"; "\127"; "\xc2\x80"; "\xc3\xa9"; "\xe4\xb8\x96\xe7\x95\x8c";
     "\xf0\x9f\x98\x80"; "\xe2\x80\xa8"; "\xef\xbb\xbf"; "\xef\xbf\xbf";
     "\xf4\x8f\xbf\xbf"; "e\xcc\x81"; "null"; "</script>"; "%s"; "\\u0041" |]

(* Valid UTF-8. The long ones have lengths where the vint before it grows. *)
let string s =
  match below 40 s with
  | 0 -> String.make (126 + below 4 s) 'x'
  | 1 when below 20 s = 0 -> String.make (16382 + below 4 s) 'y'
  | _ -> String.concat "" (List.init (below 7 s) (fun _ -> pick pieces s))

(* ---- containers ---- *)

let option some s = if bool s then None else Some (some s)

(* Often the default itself, which writers leave out. *)
let or_default default other s = if bool s then default else other s

let length s =
  let wanted =
    match below 12 s with
    | 0 | 1 | 2 -> 0
    | 3 | 4 -> 1
    | 5 -> 120 + below 20 s
    | _ -> 2 + below 6 s
  in
  let granted = min wanted s.fuel in
  s.fuel <- s.fuel - granted;
  granted

let list item s = List.init (length s) (fun _ -> item s)
let array item s = Array.init (length s) (fun _ -> item s)

(* [node] where a recursive type may continue, [leaf] where it has to end. *)
let recursive ~leaf ~node s =
  if s.depth >= 20 || s.fuel = 0 || below 4 s = 0 then leaf s
  else begin
    s.depth <- s.depth + 1;
    s.fuel <- s.fuel - 1;
    let value = node s in
    s.depth <- s.depth - 1;
    value
  end
