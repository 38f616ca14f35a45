//! The boxes of objects in the maps of YOLO.

use fourfold::tsm::DType;

use super::detection::suppressed;
use super::site::{Lowered, Site, Value, int, product, to_type};
use crate::dtype::DataType;
use crate::proto::Attribute;

/// A map: for each pixel, the numbers of boxes of some sizes.
struct Map {
    x: Value,
    classes: i64,
    /// Width and height of its boxes.
    anchors: Vec<[f32; 2]>,
}

/// The tensors that are used of the inputs: the first one of the image, and the map, the count of classes, the mask and
/// the anchors of each map.
pub(super) fn fields(packed: Vec<Vec<Value>>) -> Lowered<Vec<Value>> {
    let mut fields = Vec::new();
    for (at, values) in packed.into_iter().enumerate() {
        let used = if at == 0 { 1 } else { 4 };
        if values.len() < used {
            return Err(format!("input {at} has {} tensors, {used} are used", values.len()));
        }
        fields.extend(values.into_iter().take(used));
    }
    Ok(fields)
}

/// One of the maps, of which TenniS takes as many images as the last one has.
fn map_of(site: &mut Site<'_>, fields: &[Value], images: i64) -> Lowered<Map> {
    let [x, classes, mask, anchors] = fields else { return Err("a map has no params".into()) };
    // Inputs may use one constant any number of times.
    site.reserve(mask.count().unwrap_or(i64::MAX))?;
    if x.rank() != 4 || x.size(0)? != images || x.size(2)? < 1 || x.size(3)? < 1 {
        return Err(format!("a map is not an image for each of {images} images"));
    }
    let classes = match constant(site, classes, DataType::Int32)? {
        &[a, b, c, d] => i64::from(i32::from_le_bytes([a, b, c, d])),
        _ => return Err("its classes are not one number".into()),
    };
    let sizes = constant(site, anchors, DataType::Float)?;
    let mut chosen = Vec::new();
    for index in constant(site, mask, DataType::Int32)?.chunks_exact(4) {
        let index = index.try_into().map_or(-1, i32::from_le_bytes);
        let size = usize::try_from(index).ok().and_then(|index| sizes.chunks_exact(8).nth(index));
        let size: Option<&[u8; 8]> = size.and_then(|size| size.try_into().ok());
        let Some(&[a, b, c, d, e, f, g, h]) = size else {
            return Err(format!("its mask is {index}, of {} anchors", sizes.len() / 8));
        };
        let size = [f32::from_le_bytes([a, b, c, d]), f32::from_le_bytes([e, f, g, h])];
        if !size.iter().all(|&size| size >= 0.0) {
            return Err(format!("its anchor {index} is {size:?}, whose boxes ONNX turns around"));
        }
        chosen.push(size);
    }
    if chosen.is_empty() || classes < 0 {
        return Err(format!("a map has {} anchors, and {classes} classes", chosen.len()));
    }
    let (channels, expected) = (x.size(1)?, int(chosen.len()) * (classes + 5));
    match channels == expected {
        true => Ok(Map { x: x.clone(), classes, anchors: chosen }),
        false => Err(format!("a map has {channels} channels, and {expected} numbers of boxes")),
    }
}

/// The bytes of a constant.
fn constant<'a>(site: &'a Site<'_>, value: &Value, dtype: DataType) -> Lowered<&'a [u8]> {
    let tensor = site.builder.find(&value.name);
    let tensor = tensor.filter(|tensor| tensor.data_type == dtype.number());
    let bytes = tensor.and_then(|tensor| tensor.raw_data.as_deref());
    bytes.ok_or_else(|| {
        "its classes and masks have to be constants of int32, and its anchors of float32".into()
    })
}

/// For each image, the boxes of all maps that do not overlap: corner, size, score and class.
pub(super) fn yolo_poster(site: &mut Site<'_>, thresh: f32, nms: f32) -> Lowered {
    if thresh.is_nan() || thresh < 0.0 {
        return Err(format!("its thresh is {thresh}, with which TenniS returns what it left out"));
    }
    if nms.is_nan() || nms < 0.0 {
        return Err(format!("its nms is {nms}, below 0 no box is left beside another"));
    }
    let (net, packed) = (site.input(0)?, site.inputs.split_off(1));
    let net = [net.size(3)?, net.size(2)?];
    let images = int(site.outputs.len());
    let mut maps = Vec::new();
    for fields in packed.chunks(4) {
        maps.push(map_of(site, fields, images)?);
    }
    let Some(classes) = maps.first().map(|map| map.classes) else {
        return Err("it has no maps".into());
    };
    if maps.iter().any(|map| map.classes != classes) {
        return Err("its maps have other counts of classes".into());
    }
    let boxes = Boxes::of(site, &maps, classes, net)?;
    let found = boxes.selected(site, thresh, nms)?;
    let (rows, images) = boxes.rows(site, &found)?;
    if site.outputs.len() == 1 {
        return site.finish(&rows);
    }
    for (image, output) in site.outputs.clone().into_iter().enumerate() {
        let image = site.int(int(image));
        let is_own = site.step("Equal", &[&images, &image], Vec::new());
        let axis = vec![Attribute::int("axis", 0)];
        site.builder.node("Compress", vec![rows.clone(), is_own], vec![output.name], axis);
    }
    Ok(())
}

/// The boxes of all maps, image by image.
struct Boxes {
    /// How many there are in an image.
    count: i64,
    classes: i64,
    /// Two corners of each.
    corners: String,
    /// Corner and size of each.
    parts: String,
    /// A score for each class.
    scores: String,
    /// The score without classes.
    objects: String,
}

impl Boxes {
    fn of(site: &mut Site<'_>, maps: &[Map], classes: i64, net: [i64; 2]) -> Lowered<Self> {
        let (mut all, mut places, mut cells, mut anchors) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for map in maps {
            let [height, width] = [map.x.size(2)?, map.x.size(3)?];
            let kinds = int(map.anchors.len());
            let count = product([height, width, kinds]).ok_or("a map is too large")?;
            site.reserve(count.saturating_mul(6))?;
            for at in 0..height * width {
                for size in &map.anchors {
                    places.extend([narrow(at % width), narrow(at / width)]);
                    cells.extend([narrow(width), narrow(height)]);
                    anchors.extend(size);
                }
            }
            let x = site.cast(&map.x, DType::Float32)?;
            let shape = site.ints(&[0, kinds, classes + 5, height * width]);
            let x = site.step("Reshape", &[&x, &shape], Vec::new());
            let perm = vec![Attribute::ints("perm", [0, 3, 1, 2])];
            let x = site.step("Transpose", &[&x], perm);
            let shape = site.ints(&[0, count, classes + 5]);
            all.push(site.step("Reshape", &[&x, &shape], Vec::new()));
        }
        let names: Vec<&str> = all.iter().map(String::as_str).collect();
        let all = site.step("Concat", &names, vec![Attribute::int("axis", 1)]);
        let count = int(places.len() / 2);
        let pairs = |site: &mut Site<'_>, numbers: &[f32]| {
            site.numbers(DType::Float32, numbers, &[int(numbers.len() / 2), 2])
        };
        let (places, cells) = (pairs(site, &places)?, pairs(site, &cells)?);
        let (anchors, net) = (pairs(site, &anchors)?, pairs(site, &net.map(narrow))?);

        let middle = part(site, &all, [0, 2]);
        let middle = site.step("Add", &[&places, &middle], Vec::new());
        let middle = site.step("Div", &[&middle, &cells], Vec::new());
        let size = part(site, &all, [2, 4]);
        let size = site.step("Exp", &[&size], Vec::new());
        let size = site.step("Mul", &[&size, &anchors], Vec::new());
        let size = site.step("Div", &[&size, &net], Vec::new());
        let [zero, one, two] = [0.0, 1.0, 2.0].map(|at| site.number(DType::Float32, at));
        let (zero, one, two) = (zero?, one?, two?);
        let half = site.step("Div", &[&size, &two], Vec::new());
        let [start, end] = ["Sub", "Add"].map(|op| {
            let corner = site.step(op, &[&middle, &half], Vec::new());
            site.step("Clip", &[&corner, &zero, &one], Vec::new())
        });
        let size = site.step("Sub", &[&end, &start], Vec::new());
        let last = || vec![Attribute::int("axis", 2)];
        let objects = part(site, &all, [4, 5]);
        let scores = part(site, &all, [5, classes + 5]);
        Ok(Boxes {
            count,
            classes,
            corners: site.step("Concat", &[&start, &end], last()),
            parts: site.step("Concat", &[&start, &size], last()),
            scores: site.step("Mul", &[&objects, &scores], Vec::new()),
            objects,
        })
    }

    /// Image, class and box of those that do not overlap, by image, box and class.
    fn selected(&self, site: &mut Site<'_>, thresh: f32, nms: f32) -> Lowered<String> {
        let least = site.number(DType::Float32, thresh.into())?;
        let zero = site.number(DType::Float32, 0.0)?;
        let is_object = site.step("Greater", &[&self.objects, &least], Vec::new());
        let scores = site.step("Where", &[&is_object, &self.scores, &zero], Vec::new());
        let perm = vec![Attribute::ints("perm", [0, 2, 1])];
        let scores = site.step("Transpose", &[&scores], perm);
        let most = site.ints(&[self.count]);
        let inputs = [&self.corners, &scores, &most].map(String::as_str);
        let found = suppressed(site, inputs, [nms.min(1.0), thresh])?;
        // Their places in a tensor with dims for image, box and class.
        let strides = [self.count.saturating_mul(self.classes), 1, self.classes];
        let strides = site.ints(&strides);
        let keys = site.step("Mul", &[&found, &strides], Vec::new());
        let last = site.ints(&[1]);
        let whole = vec![Attribute::int("keepdims", 0)];
        let keys = site.step("ReduceSum", &[&keys, &last], whole);
        let count = site.step("Shape", &[&keys], Vec::new());
        let [sorted, order] = ["keys", "order"].map(|name| site.named(name));
        let smallest = vec![Attribute::int("largest", 0)];
        let inputs = vec![keys, count];
        site.builder.node("TopK", inputs, vec![sorted, order.clone()], smallest);
        Ok(site.step("Gather", &[&found, &order], Vec::new()))
    }

    /// The numbers of each box, and its image.
    fn rows(&self, site: &mut Site<'_>, found: &str) -> Lowered<(String, String)> {
        let mut column = |indices: &[i64]| {
            let indices = site.ints(indices);
            site.step("Gather", &[found, &indices], vec![Attribute::int("axis", 1)])
        };
        let (of_box, of_score, class) = (column(&[0, 2]), column(&[0, 2, 1]), column(&[1]));
        let parts = site.step("GatherND", &[&self.parts, &of_box], Vec::new());
        let score = site.step("GatherND", &[&self.scores, &of_score], Vec::new());
        let last = site.ints(&[1]);
        let score = site.step("Unsqueeze", &[&score, &last], Vec::new());
        let class = site.step("Cast", &[&class], to_type(DType::Float32)?);
        let axis = || vec![Attribute::int("axis", 1)];
        let rows = site.step("Concat", &[&parts, &score, &class], axis());
        let first = site.int(0);
        Ok((rows, site.step("Gather", &[found, &first], axis())))
    }
}

/// A part of the last of three dims.
fn part(site: &mut Site<'_>, x: &str, [start, end]: [i64; 2]) -> String {
    let [start, end, axis] = [start, end, 2].map(|at| site.ints(&[at]));
    site.step("Slice", &[x, &start, &end, &axis], Vec::new())
}

#[expect(clippy::cast_precision_loss, reason = "TenniS computes these as float")]
fn narrow(size: i64) -> f32 {
    size as f32
}
