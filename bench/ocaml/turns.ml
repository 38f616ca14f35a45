(* Times atdgen: `turns SET FILE` reads a value, checks that it writes the same bytes, and prints
   "ready". Then each line of its input, "write SECONDS" or "read SECONDS", is a turn, for which it
   prints the seconds for one value. *)

type work = { write : unit -> unit; read : unit -> unit }

let keep made = ignore (Sys.opaque_identity made)

let work of_string to_string bytes =
  let value = of_string bytes in
  if not (String.equal (to_string value) bytes) then failwith "writes different bytes";
  { write = (fun () -> keep (to_string value)); read = (fun () -> keep (of_string bytes)) }

let turn run least =
  let start = Unix.gettimeofday () in
  let rec next count =
    run ();
    let taken = Unix.gettimeofday () -. start in
    if taken >= least then taken /. float_of_int count else next (count + 1)
  in
  next 1

let contents path =
  let file = open_in_bin path in
  let bytes = really_input_string file (in_channel_length file) in
  close_in file;
  bytes

let () =
  let bytes = contents Sys.argv.(2) in
  let work =
    match Sys.argv.(1) with
    | "log" ->
        work (fun b -> Log_b.log_of_string b) (fun v -> Log_b.string_of_log v) bytes
    | "saves" ->
        work (fun b -> Saves_b.saves_of_string b) (fun v -> Saves_b.string_of_saves v) bytes
    | other -> failwith ("no set named " ^ other)
  in
  print_endline "ready";
  try
    while true do
      Scanf.sscanf (input_line stdin) "%s %f" (fun column least ->
          let run = if String.equal column "write" then work.write else work.read in
          Printf.printf "%.9e\n%!" (turn run least))
    done
  with End_of_file -> ()
