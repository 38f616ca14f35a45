//! Builds a small convolutional network as a TenniS module, writes it, opens it with a memory map, lists its tensors and
//! reads a kernel as an array.
//!
//! `cargo run --example tensor_module --features mmap,ndarray [FILE.tsm]`

use std::env;
use std::error::Error;
use std::path::PathBuf;

use fourfold::tsm::{DType, Module, ModuleBuilder, NodeId, Tensor};

/// Untrained weights: small numbers, the same in every run.
struct Weights(u32);

impl Weights {
    fn tensor(&mut self, shape: &[i32]) -> Result<Tensor<'static>, fourfold::tsm::Error> {
        let count = shape.iter().product::<i32>();
        let values: Vec<f32> = (0..count).map(|_| self.next()).collect();
        Tensor::from_values(&values, shape)
    }

    /// Between -0.1 and 0.1.
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [.., high] = self.0.to_le_bytes();
        (f32::from(high) - 127.5) / 1275.0
    }
}

/// No padding around images and channels, `border` pixels around each image.
fn padding(border: i32) -> Result<Tensor<'static>, fourfold::tsm::Error> {
    Tensor::from_values(&[0, 0, 0, 0, border, border, border, border], &[4, 2])
}

/// Convolution, bias, relu and pooling: from `[1, inputs, h, w]` to `[1, outputs, h / 2, w / 2]`.
fn block(
    graph: &mut ModuleBuilder<'static>,
    weights: &mut Weights,
    name: &str,
    image: NodeId,
    (inputs, outputs): (i32, i32),
) -> Result<NodeId, fourfold::tsm::Error> {
    let kernel = weights.tensor(&[outputs, inputs, 3, 3])?;
    let kernel = graph.constant(&format!("{name}/kernel"), kernel);
    let conv = graph
        .op("conv2d", &format!("{name}/conv"), [image, kernel])
        .set("format", "NCHW")
        .set("padding", padding(1)?)
        .set("padding_value", 0.0f32)
        .set("stride", [1, 1, 1, 1])
        .set("dilation", [1, 1, 1, 1])
        .node();
    let bias = graph.constant(&format!("{name}/bias"), weights.tensor(&[outputs])?);
    let add = graph.op("add_bias", &format!("{name}/add"), [conv, bias]).set("format", "NCHW");
    let add = add.node();
    let relu = graph.op("relu", &format!("{name}/relu"), [add]).node();
    let pool = graph
        .op("pooling2d", &format!("{name}/pool"), [relu])
        .set("format", "NCHW")
        .set("type", 0) // max
        .set("padding", padding(0)?)
        .set("padding_type", 0)
        .set("ksize", [1, 1, 2, 2])
        .set("stride", [1, 1, 2, 2]);
    Ok(pool.node())
}

/// A classifier of images of 16 by 16 pixels with 3 channels.
fn network() -> Result<Module<'static>, fourfold::tsm::Error> {
    let mut weights = Weights(1);
    let mut graph = ModuleBuilder::new();
    let image = graph.param("image");
    graph.at(image).shape(&[1, 3, 16, 16]).dtype(DType::Float32);
    let first = block(&mut graph, &mut weights, "block0", image, (3, 8))?;
    let second = block(&mut graph, &mut weights, "block1", first, (8, 16))?;
    let flat = graph.op("flatten", "flat", [second]).node();
    let weight = graph.constant("dense/weight", weights.tensor(&[256, 10])?);
    let dense = graph.op("inner_prod", "dense", [flat, weight]).node();
    let bias = graph.constant("dense/bias", weights.tensor(&[10])?);
    let logits = graph.op("add_bias", "logits", [dense, bias]).set("dim", 1).node();
    let prob = graph.op("softmax", "prob", [logits]).set("dim", 1).set("smooth", true).node();
    graph.build([image], [prob])
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = match env::args_os().nth(1) {
        Some(path) => PathBuf::from(path),
        None => env::temp_dir().join("tensor_module.tsm"),
    };
    network()?.write_to(&path)?;

    let module = Module::open(&path)?;
    println!("{}: {} nodes", path.display(), module.graph.nodes.len());
    for warning in module.check() {
        println!("  {warning}");
    }
    for entry in module.index().iter().filter(|entry| entry.param_name == b"value") {
        println!("  {entry}");
    }

    let node = module.graph.find("block0/kernel").ok_or("no such node")?;
    let tensor = node.value().and_then(|value| value.first()).ok_or("no value")?;
    let kernel = tensor.view::<f32>()?;
    println!("block0/kernel: {:?}, sum {:.4}", kernel.shape(), kernel.sum());
    Ok(())
}
