//! The boxes of objects in the maps of YOLO.

use fourfold::tsm::DType;

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

/// What `yolo` packs: the map, the count of classes, which sizes it uses, and all sizes.
fn map_of(site: &Site<'_>, fields: &[Value]) -> Lowered<Map> {
    let [x, classes, mask, anchors] = fields else {
        return Err(format!("an input has {} tensors, a map of yolo 4", fields.len()));
    };
    let classes = match *ints(site, classes)? {
        [classes] if classes >= 0 => i64::from(classes),
        _ => return Err("its classes are not a count".into()),
    };
    let sizes = constant(site, anchors, DataType::Float)?;
    let sizes: Vec<f32> = sizes.into_iter().map(f32::from_le_bytes).collect();
    let sizes: Vec<[f32; 2]> =
        sizes.chunks_exact(2).filter_map(|two| two.try_into().ok()).collect();
    let chosen = ints(site, mask)?.into_iter().map(|index| {
        let size = usize::try_from(index).ok().and_then(|index| sizes.get(index));
        size.copied().ok_or_else(|| format!("its mask is {index}, of {} anchors", sizes.len()))
    });
    let anchors: Vec<[f32; 2]> = chosen.collect::<Lowered<_>>()?;
    if anchors.is_empty() {
        return Err("a map has no anchors".into());
    }
    let (channels, expected) = (x.size(1)?, int(anchors.len()) * (classes + 5));
    match channels == expected {
        true => Ok(Map { x: x.clone(), classes, anchors }),
        false => Err(format!("a map has {channels} channels, and {expected} numbers of boxes")),
    }
}

/// The elements of a constant of 4 bytes each.
fn constant(site: &Site<'_>, value: &Value, dtype: DataType) -> Lowered<Vec<[u8; 4]>> {
    let tensor = site.builder.find(&value.name);
    let tensor = tensor.filter(|tensor| tensor.data_type == dtype.number());
    let bytes = tensor.and_then(|tensor| tensor.raw_data.as_ref());
    let bytes = bytes.ok_or("its classes, mask or anchors are computed when the model runs")?;
    Ok(bytes.chunks_exact(4).filter_map(|four| four.try_into().ok()).collect())
}

fn ints(site: &Site<'_>, value: &Value) -> Lowered<Vec<i32>> {
    let elements = constant(site, value, DataType::Int32)?;
    Ok(elements.into_iter().map(i32::from_le_bytes).collect())
}

/// For each image, the boxes of all maps that do not overlap: corner, size, score and class.
pub(super) fn yolo_poster(site: &mut Site<'_>, thresh: f32, nms: f32) -> Lowered {
    if thresh.is_nan() || thresh < 0.0 {
        return Err(format!("its thresh is {thresh}, with which TenniS returns what it left out"));
    }
    if !(0.0..=1.0).contains(&nms) {
        return Err(format!("its nms is {nms}, ONNX takes 0 to 1"));
    }
    let Some((net, packed)) = site.inputs.split_first().filter(|(_, packed)| !packed.is_empty())
    else {
        return Err("it has no maps".into());
    };
    let net = [net.size(3)?, net.size(2)?];
    let maps: Vec<Map> =
        packed.chunks(4).map(|fields| map_of(site, fields)).collect::<Lowered<_>>()?;
    let classes = maps.first().map_or(0, |map| map.classes);
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
        let thresh = site.numbers(DType::Float32, &[thresh], &[1])?;
        let nms = site.numbers(DType::Float32, &[nms], &[1])?;
        let zero = site.number(DType::Float32, 0.0)?;
        let is_object = site.step("Greater", &[&self.objects, &thresh], Vec::new());
        let scores = site.step("Where", &[&is_object, &self.scores, &zero], Vec::new());
        let perm = vec![Attribute::ints("perm", [0, 2, 1])];
        let scores = site.step("Transpose", &[&scores], perm);
        let most = site.ints(&[self.count]);
        let inputs = [&*self.corners, &scores, &most, &nms, &thresh];
        let found = site.step("NonMaxSuppression", &inputs, Vec::new());
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
