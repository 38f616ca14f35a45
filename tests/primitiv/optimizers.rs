//! Optimizers: typed settings, and configs by name.

use fourfold::primitiv::{Algorithm, Configs, Data, File, Optimizer, Settings};

use crate::vectors::FIXTURES;

/// New optimizers are written byte for byte as primitiv writes its own.
#[test]
fn defaults_are_those_of_primitiv() {
    let cases = [
        ("sgd", Algorithm::sgd()),
        ("momentum", Algorithm::momentum_sgd()),
        ("adagrad", Algorithm::ada_grad()),
        ("rmsprop", Algorithm::rms_prop()),
        ("adadelta", Algorithm::ada_delta()),
        ("adam", Algorithm::adam()),
    ];
    for (name, algorithm) in cases {
        let settings = Settings::new(algorithm);
        let file = File::from(Optimizer::from(settings));
        let bytes = FIXTURES.bytes(&format!("saved/o_{name}_default.optimizer"));
        assert_eq!(file.to_vec().unwrap(), bytes, "{name}");
        let Data::Optimizer(optimizer) = File::from_slice(&bytes).unwrap().data else { panic!() };
        assert_eq!(optimizer.settings(), Some(settings));
    }
}

#[test]
fn configs() {
    let mut configs: Configs<'_, f32> = [("a", 1.0), ("b", 2.0)].into_iter().collect();
    assert_eq!(configs.insert("a", 3.0), Some(1.0));
    assert_eq!(configs.insert(vec![0xff], f32::NAN), None);
    assert_eq!((configs.get("a"), configs.get("c")), (Some(3.0), None));
    assert!(configs.get([0xff]).unwrap().is_nan());
    assert_eq!(configs.clone(), configs);
    assert_eq!(configs.remove("a"), Some(3.0));
    assert_eq!(configs.entries().len(), 2);
    assert_ne!(
        [("x", 0.0f32)].into_iter().collect::<Configs<'_, _>>(),
        [("x", -0.0)].into_iter().collect()
    );

    assert_eq!(Optimizer::default().settings(), None);
    let negative = FIXTURES.bytes("crafted/k_negative_values.optimizer");
    let Data::Optimizer(optimizer) = File::from_slice(&negative).unwrap().data else { panic!() };
    let settings = optimizer.settings().unwrap();
    assert_eq!((settings.lr_scale, settings.algorithm), (-1.0, Algorithm::Sgd { eta: -2.0 }));
}
