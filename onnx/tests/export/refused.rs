//! What cannot be converted.

use fourfold::tsm::{DType, Module, ModuleBuilder, Tensor};
use fourfold_onnx::{Options, export};

use super::{error, module};

#[test]
fn all_nodes_are_listed() {
    let unknown = module(&[1, 3, 4, 4], |graph, x| {
        let a = graph.op("identity", "a", [x]).node();
        let b = graph.op("softmax", "b\nc", [a]).node();
        vec![graph.op("relu", "d", [b]).node()]
    });
    assert_eq!(
        error(&unknown),
        "2 nodes cannot be converted\n  \
         node \"a\" (identity): the CPU backend of TenniS 1.3.0 has no such operator\n  \
         node \"b\\nc\" (softmax): no param \"dim\"; set it to an integer"
    );
    let refused = module(&[4, 4, 3, 3], |graph, x| {
        let a = graph.op("winograd_transform_kernel", "a", [x]);
        let a = a.set("winograd_mode", "winograd_f23").node();
        let b = graph.op("_transpose", "b", [x]).node();
        // Examined, although what is before it is refused.
        let c = graph.op("relu", "c", [a]).node();
        let d = graph.op("_transpose", "d", [c]).node();
        vec![b, d]
    });
    assert_eq!(
        error(&refused),
        "3 nodes cannot be converted\n  \
         node \"b\" (_transpose): it has no param permute, and TenniS takes the last dim twice\n  \
         node \"a\" (winograd_transform_kernel): its weights are in an order of TenniS's own; \
         convert the module from before compiling\n  \
         node \"d\" (_transpose): it has no param permute, and TenniS takes the last dim twice"
    );
}

#[track_caller]
fn refused(module: &Module<'_>, reason: &str) {
    let error = error(module);
    assert!(error.contains(reason), "{error}");
    assert_eq!(error.lines().count(), 2, "{error}");
}

#[test]
fn sizes_that_are_unknown_are_named() {
    let pool = |shape: &[i32], kind: i32, padding_type: i32| {
        module(shape, |graph, x| {
            let padding = Tensor::from_values(&[0i32; 8], &[4, 2]).unwrap();
            let node = graph.op("pooling2d", "y", [x]).set("format", "NCHW").set("type", kind);
            let node = node.set("padding", padding).set("padding_type", padding_type);
            let node = node.set("ksize", &[1i32, 1, 3, 3][..]).set("stride", &[1i32, 1, 2, 2][..]);
            vec![node.node()]
        })
    };
    super::graph(&pool(&[-1, 3, 8, 8], 1, 3));
    super::graph(&pool(&[-1, 3, -1, -1], 0, 0));
    refused(
        &pool(&[-1, 3, -1, -1], 1, 3),
        "it rounds depends on sizes that are unknown; give the input's shape",
    );
    refused(&pool(&[1, 3, 8, 8], 0, 1), "does not pad with copies");

    let mut shapeless = ModuleBuilder::new();
    let x = shapeless.param("x");
    let y = shapeless.op("relu", "y", [x]).node();
    let shapeless = shapeless.build([x], [y]).unwrap();
    assert!(error(&shapeless).contains("its shape is unknown"), "{}", error(&shapeless));
    let options = Options::new().inputs(vec!["1x3".parse().unwrap()]);
    export(&shapeless, &options).unwrap();
}

#[test]
fn filters_and_detectors_are_refused_where_they_differ() {
    let gray = |dtype, shape: &[i32]| {
        module(shape, |graph, x| {
            graph.at(x).dtype(dtype);
            vec![graph.op("force_gray", "y", [x]).node()]
        })
    };
    refused(&gray(DType::UInt8, &[4, 4, 3]), "cast its input to float");
    refused(&gray(DType::Float32, &[4, 4, 4]), "it has 4 channels, but 3 weights");
    let color = module(&[4, 4, 2], |graph, x| vec![graph.op("force_color", "y", [x]).node()]);
    refused(&color, "it has 2 channels, TenniS takes 1 or 3");

    let priors = |shape: &[i32]| {
        module(shape, |graph, x| {
            let node = graph.op("prior_box", "y", [x]).set("min_size", &[10.0f32][..]);
            let node = node.set("max_size", &[20.0f32][..]).set("aspect_ratio", &[2.0f32][..]);
            vec![node.set("img_size", 300).node()]
        })
    };
    super::graph(&priors(&[1, 8, 38, 38]));
    refused(&priors(&[1, 8, 4096, 4096]), "more than 131072 boxes");
    refused(&priors(&[1, 8, -1, 38]), "the size of dim 2 of its input is unknown");
}

#[test]
fn layouts_that_tennis_does_not_compute_are_refused() {
    let module = module(&[1, 4, 4, 3], |graph, x| {
        vec![graph.op("global_pooling2d", "y", [x]).set("format", "NHWC").set("type", 0).node()]
    });
    refused(&module, "TenniS computes it for NCHW only");
}

#[test]
fn cycles_and_indices_beyond_the_nodes_are_refused() {
    let mut cycle = module(&[2], |graph, x| vec![graph.op("relu", "y", [x]).node()]);
    cycle.graph.nodes[1].inputs = vec![1];
    refused(&cycle, "node \"y\" (relu): it is in a cycle");

    let mut beyond = module(&[2], |graph, x| vec![graph.op("relu", "y", [x]).node()]);
    beyond.graph.nodes[1].inputs = vec![7];
    refused(&beyond, "node \"node 7\" (): there are 2 nodes");

    let mut unlisted = module(&[2], |graph, x| vec![graph.op("relu", "y", [x]).node()]);
    unlisted.inputs.clear();
    assert!(error(&unlisted).contains("it is not among the inputs of the module"));
}
