//! Damaged rows that scans have left out.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Damage;
use crate::reader::MOST_DAMAGES;

/// The first damaged rows, of all parts that are read concurrently.
#[derive(Clone, Debug, Default)]
pub(super) struct Damages(Arc<Mutex<Vec<Damage>>>);

impl Damages {
    /// Adds damaged rows, up to the limit.
    pub(super) fn note(&self, damages: &[Damage]) {
        if damages.is_empty() {
            return;
        }
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let left = MOST_DAMAGES.saturating_sub(noted.len());
        noted.extend(damages.iter().take(left).cloned());
    }

    /// The damaged rows so far.
    pub(super) fn all(&self) -> Vec<Damage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
