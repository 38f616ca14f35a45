(* A generator for every type of the schemas, under the name it has there.
   The build fails when one is missing. *)

open Generate

module Feat = struct
  open Feat_t

  (* scalars *)
  let int_default = int
  let int_svint = int
  let int_uvint = uvint
  let int_int8 = int8
  let int_int16 = int16
  let int_int32 = int32
  let int_int64 = int64
  let chr = char
  let flt = float64
  let flt64 = float64
  let flt32 = float32
  let boolean = bool
  let str = string
  let nothing = unit

  (* option and nullable *)
  let int_opt = option int
  let int_nullable = option int
  let opt_opt = option (option int)
  let opt_nullable = option (option string)
  let unit_opt = option unit

  (* sequences *)
  let int_list = list int
  let uvint_list = list uvint
  let int8_list = list int8
  let int16_list = list int16
  let int32_list = list int32
  let int64_list = list int64
  let int_array = array int
  let flt32_list = list float32
  let flt64_list = list float64
  let bool_list = list bool
  let str_list = list string
  let unit_list = list unit
  let opt_list = list (option int)
  let matrix = list (list int)
  let matrix3 = list (list (list float64))

  (* tuples *)
  let pair s = (int s, string s)
  let triple s = (bool s, float64 s, option string s)
  let nested_tuple s = ((int s, int s), (string s, (bool s, unit s)))
  let tuple_list = list pair
  let tup_default s = (int s, string s, or_default 9 int s)
  let assoc = list (fun s -> (string s, int s))

  (* A JSON object read elsewhere keeps one of equal keys, so there are none. *)
  let assoc_obj s =
    List.mapi (fun i (key, value) -> (Printf.sprintf "%s#%d" key i, value)) (assoc s)

  (* records *)
  let empty_defaults s : empty_defaults = { a = or_default 0 int s; b = option string s }
  let point s : point = { x = int s; y = int s }

  let optional_record s : optional_record =
    {
      id = int s;
      nick = option string s;
      age = option int s;
      where = option point s;
      maybe = option (option int) s;
    }

  let default_record s : default_record =
    {
      name = string s;
      count = or_default 0 int s;
      level = or_default 7 int s;
      (* Without -0: equal to the default, it would be in the bytes but not in the JSON. *)
      ratio = or_default 0. float64 s +. 0.;
      scale = or_default 1.5 float64 s;
      label = or_default "" string s;
      title = or_default "none" string s;
      on = bool s;
      tags = list string s;
      extra = option int s;
    }

  let base_record s : base_record = { base_id = int s; base_note = or_default "" string s }

  let derived_record s : derived_record =
    { base_id = int s; base_note = or_default "" string s; derived_flag = bool s }

  let deep_record s : deep_record = { value = float64 s; names = list string s }

  let rec inner_record s : inner_record =
    {
      deep = deep_record s;
      tail = recursive s ~leaf:(fun _ -> None) ~node:(fun s -> Some (inner_record s));
    }

  let outer s : outer = { left = point s; right = inner_record s; rest = list point s }
  let renamed s : renamed = { ocaml_kind = string s; tally = int s }

  let all_scalars s : all_scalars =
    {
      a_default = int s;
      a_uvint = uvint s;
      a_int8 = int8 s;
      a_int16 = int16 s;
      a_int32 = int32 s;
      a_int64 = int64 s;
      a_chr = char s;
      a_flt = float64 s;
      a_flt32 = float32 s;
      a_bool = bool s;
      a_str = string s;
      a_unit = unit s;
    }

  let point_page s : point_page = { items = list point s; total = int s }

  (* tables *)
  let point_table = array point

  let row s : row =
    {
      key = string s;
      weight = float64 s;
      comment = option string s;
      hits = or_default 0 int s;
      labels = list string s;
      at = point s;
      pos = (int s, int s);
    }

  let row_table = array row
  let nested_row s : nested_row = { row_name = string s; cells = point_table s }
  let nested_table = array nested_row

  let table_holder s : table_holder =
    { caption = string s; body = point_table s; more = row_table s }

  let table_list = list point_table

  (* sum types *)
  let basic_color : source -> basic_color = pick [| `Red; `Green; `Blue |]

  let color s : color =
    match below 3 s with
    | 0 -> (basic_color s :> color)
    | 1 -> `Rgb (int s, int s, int s)
    | _ -> `Gray (int s)

  let flat_shape s : shape =
    match below 7 s with
    | 0 -> `Empty
    | 1 -> `Circle (float64 s)
    | 2 -> `Rect (float64 s, float64 s)
    | 3 -> `Poly (list point s)
    | 4 -> `Rec_arg (point s)
    | 5 -> `Opt_arg (option int s)
    | _ -> `Unit_arg ()

  let rec shape s : shape =
    if bool s then flat_shape s
    else recursive s ~leaf:flat_shape ~node:(fun s -> `Named (string s, shape s))

  let rec tree_node s : tree_node =
    recursive s
      ~leaf:(fun s -> Leaf (int s))
      ~node:(fun s -> Node (tree_node s, tree_node s))

  let classic_status s : classic_status =
    match below 3 s with
    | 0 -> Idle
    | 1 -> Busy (string s)
    | _ -> Failed (int s, string s)

  let color_list = list color

  let status_record s : status_record =
    { st = classic_status s; col = option color s; fallback = or_default `Red color s }

  (* wrap: text here, an int in biniou and in JSON *)
  let wrapped_int s = string_of_int (int s)
  let wrapped_plain = string
  let wrapped_record s : wrapped_record = { w = wrapped_int s; ws = list wrapped_int s }

  (* recursion *)
  let rec chain s : chain =
    {
      link = int s;
      next = recursive s ~leaf:(fun _ -> None) ~node:(fun s -> Some (chain s));
    }

  let rec rose s : rose =
    {
      rose_label = string s;
      children = recursive s ~leaf:(fun _ -> []) ~node:(list rose);
    }

  (* types of the reader experiments *)
  let point_list = list point
  let defaults_table = array empty_defaults
  let optional_table = array optional_record
end

module Log = struct
  open Log_t

  let byte = int8
  let address s : address = { x0 = byte s; x1 = byte s; x2 = byte s; x3 = byte s }

  let entry s : entry =
    {
      address = address s;
      identity = string s;
      userid = string s;
      date = string s;
      request = string s;
      code = int16 s;
      size = uvint s;
    }

  let logs s : logs = { logs = list entry s }
  let log_list = list entry
  let log_table = array entry
end

module Mesh = struct
  open Mesh_t

  let f32 = float32
  let vector3 s : vector3 = { x = f32 s; y = f32 s; z = f32 s }

  let triangle s : triangle =
    { v0 = vector3 s; v1 = vector3 s; v2 = vector3 s; normal = vector3 s }

  let mesh s : mesh = { triangles = list triangle s }
  let mesh_array s : mesh_array = { triangles = array triangle s }

  let flat_triangle s : flat_triangle =
    {
      ax = f32 s; ay = f32 s; az = f32 s;
      bx = f32 s; by = f32 s; bz = f32 s;
      cx = f32 s; cy = f32 s; cz = f32 s;
      nx = f32 s; ny = f32 s; nz = f32 s;
    }

  let flat_mesh s : flat_mesh = { flat = array flat_triangle s }
  let soup s : soup = { coords = array f32 s }
end

module Save = struct
  open Save_t

  let f32 = float32
  let i32 = int32
  let i64 = int64
  let u8 = int8
  let u16 = int16
  let vec3 s = (float64 s, float64 s, float64 s)
  let uuid s = (i32 s, i32 s, i32 s, i32 s)

  let game_type : source -> game_type =
    pick [| `Survival; `Creative; `Adventure; `Spectator |]

  let item s : item = { count = int s; slot = u8 s; id = string s }

  let abilities s : abilities =
    {
      walk_speed = f32 s;
      fly_speed = f32 s;
      may_fly = bool s;
      flying = bool s;
      invulnerable = bool s;
      may_build = bool s;
      instabuild = bool s;
    }

  let entity s : entity =
    {
      entity_id = string s;
      pos = vec3 s;
      motion = vec3 s;
      rotation = (f32 s, f32 s);
      fall_distance = f32 s;
      fire = u16 s;
      air = u16 s;
      on_ground = bool s;
      no_gravity = bool s;
      entity_invulnerable = bool s;
      portal_cooldown = i32 s;
      uuid = uuid s;
      custom_name = option string s;
      custom_name_visible = bool s;
      silent = bool s;
      glowing = bool s;
    }

  let recipe_book s : recipe_book =
    {
      recipes = list string s;
      to_be_displayed = list string s;
      is_filtering_craftable = bool s;
      is_gui_open = bool s;
      is_furnace_filtering_craftable = bool s;
      is_furnace_gui_open = bool s;
    }

  let player s : player =
    {
      game_type = game_type s;
      previous_game_type = game_type s;
      score = i64 s;
      dimension = string s;
      selected_item_slot = uvint s;
      selected_item = item s;
      spawn_dimension = option string s;
      spawn_x = int s;
      spawn_y = int s;
      spawn_z = int s;
      spawn_forced = option bool s;
      sleep_timer = u16 s;
      food_exhaustion_level = f32 s;
      food_saturation_level = f32 s;
      food_tick_timer = uvint s;
      xp_level = uvint s;
      xp_p = f32 s;
      xp_total = i32 s;
      xp_seed = i32 s;
      inventory = list item s;
      ender_items = list item s;
      abilities = abilities s;
      entered_nether_position = option vec3 s;
      root_vehicle = option (fun s -> (uuid s, entity s)) s;
      shoulder_entity_left = option entity s;
      shoulder_entity_right = option entity s;
      seen_credits = bool s;
      recipe_book = recipe_book s;
    }

  let players s : players = { players = list player s }
end
