//! What the configs of primitiv's own six optimizers mean.

use super::{Configs, Name, Optimizer};

/// An optimizer's configs, typed.
///
/// ```
/// use fourfold::primitiv::{Algorithm, Optimizer, Settings};
///
/// let settings = Settings { epoch: 3, ..Settings::new(Algorithm::sgd()) };
/// let optimizer = Optimizer::from(settings);
/// assert_eq!(optimizer.float_configs.get("SGD.eta"), Some(0.1));
/// assert_eq!(optimizer.settings(), Some(settings));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// `Optimizer.epoch`: how many updates there have been.
    pub epoch: u32,
    /// `Optimizer.lr_scale`: what the learning rate is multiplied with.
    pub lr_scale: f32,
    /// `Optimizer.l2_strength`: weight decay, 0 for none.
    pub l2_strength: f32,
    /// `Optimizer.clip_threshold`: gradient clipping, 0 for none.
    pub clip_threshold: f32,
    /// Which optimizer it is, with its own configs.
    pub algorithm: Algorithm,
}

const EPOCH: &str = "Optimizer.epoch";
const LR_SCALE: &str = "Optimizer.lr_scale";
const L2_STRENGTH: &str = "Optimizer.l2_strength";
const CLIP_THRESHOLD: &str = "Optimizer.clip_threshold";

impl Settings {
    /// A new optimizer with primitiv's defaults.
    #[must_use]
    pub const fn new(algorithm: Algorithm) -> Self {
        Settings { epoch: 0, lr_scale: 1.0, l2_strength: 0.0, clip_threshold: 0.0, algorithm }
    }
}

/// For each optimizer: its configs with primitiv's defaults, and the order in which primitiv
/// writes them (the common ones among them), which is that of a hash table.
macro_rules! algorithms {
    ($(
        $(#[$doc:meta])*
        $variant:ident $new:ident $prefix:literal { $($field:ident $name:literal $default:literal,)* }
        [$($order:expr,)*]
    )*) => {
        /// primitiv's optimizers, each with its own configs.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Algorithm {
            $(
                $(#[$doc])*
                $variant {
                    $(
                        #[doc = concat!("`", $name, "`, by default ", stringify!($default))]
                        $field: f32,
                    )*
                },
            )*
        }

        impl Algorithm {
            $(
                #[doc = concat!("`", $prefix, "` with primitiv's defaults.")]
                #[must_use]
                pub const fn $new() -> Self {
                    Algorithm::$variant { $($field: $default,)* }
                }
            )*

            /// The optimizer whose configs are there: the first of this list, if there are those
            /// of several. A config that is not there has its default.
            fn of(configs: &Configs<'_, f32>) -> Option<Self> {
                $(
                    if [$($name),*].iter().any(|name| configs.get(name).is_some()) {
                        return Some(Algorithm::$variant {
                            $($field: configs.get($name).unwrap_or($default),)*
                        });
                    }
                )*
                None
            }

            /// Its own name, as primitiv's class has it.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Algorithm::$variant { .. } => $prefix,)*
                }
            }

            fn config(&self, name: &str) -> Option<f32> {
                match self {
                    $(Algorithm::$variant { $($field,)* } => match name {
                        $($name => Some(*$field),)*
                        _ => None,
                    },)*
                }
            }

            const fn order(&self) -> &'static [&'static str] {
                match self {
                    $(Algorithm::$variant { .. } => &[$($order,)*],)*
                }
            }
        }
    };
}

algorithms! {
    /// Stochastic gradient descent.
    Sgd sgd "SGD" { eta "SGD.eta" 0.1, }
    ["SGD.eta", CLIP_THRESHOLD, L2_STRENGTH, LR_SCALE,]

    /// Stochastic gradient descent with momentum.
    MomentumSgd momentum_sgd "MomentumSGD" {
        eta "MomentumSGD.eta" 0.01,
        momentum "MomentumSGD.momentum" 0.9,
    }
    ["MomentumSGD.momentum", "MomentumSGD.eta", CLIP_THRESHOLD, L2_STRENGTH, LR_SCALE,]

    /// AdaGrad.
    AdaGrad ada_grad "AdaGrad" { eta "AdaGrad.eta" 0.001, eps "AdaGrad.eps" 1e-8, }
    [CLIP_THRESHOLD, L2_STRENGTH, "AdaGrad.eps", "AdaGrad.eta", LR_SCALE,]

    /// RMSProp.
    RmsProp rms_prop "RMSProp" {
        eta "RMSProp.eta" 0.01,
        alpha "RMSProp.alpha" 0.9,
        eps "RMSProp.eps" 1e-8,
    }
    ["RMSProp.eps", "RMSProp.eta", CLIP_THRESHOLD, L2_STRENGTH, "RMSProp.alpha", LR_SCALE,]

    /// AdaDelta.
    AdaDelta ada_delta "AdaDelta" { rho "AdaDelta.rho" 0.95, eps "AdaDelta.eps" 1e-6, }
    ["AdaDelta.eps", "AdaDelta.rho", CLIP_THRESHOLD, L2_STRENGTH, LR_SCALE,]

    /// Adam.
    Adam adam "Adam" {
        alpha "Adam.alpha" 0.001,
        beta1 "Adam.beta1" 0.9,
        beta2 "Adam.beta2" 0.999,
        eps "Adam.eps" 1e-8,
    }
    [
        "Adam.beta2", "Adam.beta1", CLIP_THRESHOLD, "Adam.eps", "Adam.alpha", L2_STRENGTH,
        LR_SCALE,
    ]
}

impl Optimizer<'_> {
    /// The configs as one of primitiv's own optimizers would take them: `None` if there are those
    /// of none. What is missing has its default, what is unknown is left out.
    #[must_use]
    pub fn settings(&self) -> Option<Settings> {
        let algorithm = Algorithm::of(&self.float_configs)?;
        let new = Settings::new(algorithm);
        let float = |name: &str, default| self.float_configs.get(name).unwrap_or(default);
        Some(Settings {
            epoch: self.uint_configs.get(EPOCH).unwrap_or(new.epoch),
            lr_scale: float(LR_SCALE, new.lr_scale),
            l2_strength: float(L2_STRENGTH, new.l2_strength),
            clip_threshold: float(CLIP_THRESHOLD, new.clip_threshold),
            algorithm,
        })
    }
}

/// In the order in which primitiv writes them.
impl From<Settings> for Optimizer<'_> {
    fn from(settings: Settings) -> Self {
        let Settings { epoch, lr_scale, l2_strength, clip_threshold, algorithm } = settings;
        let floats = algorithm.order().iter().map(|name| {
            let value = match *name {
                LR_SCALE => lr_scale,
                L2_STRENGTH => l2_strength,
                CLIP_THRESHOLD => clip_threshold,
                own => algorithm.config(own).unwrap_or_default(),
            };
            (Name::from(*name), value)
        });
        Optimizer {
            uint_configs: [(EPOCH, epoch)].into_iter().collect(),
            float_configs: floats.collect(),
        }
    }
}
