//! Variants of sum types by their names.

use std::borrow::Cow;

use fourfold::biniou::wire::ARGUMENT;
use serde_core::de::{EnumAccess, Error, IgnoredAny, SeqAccess, VariantAccess as _};

use super::Body;
use crate::atd::shape::{Type, Variant, Variants};
use crate::common::{Key, shortened, suggestion};

impl<'s> Body<'s, '_> {
    /// A list of the name of a variant and its argument.
    pub(super) fn named<'de, A: SeqAccess<'de>>(
        mut self,
        variants: Variants<'s>,
        mut items: A,
    ) -> Result<(), A::Error> {
        let Some(name) = items.next_element::<Cow<'de, str>>()? else {
            return Err(A::Error::invalid_length(0, &self));
        };
        let found = variants
            .iter()
            .find_map(|it| Some((it, it.argument().filter(|_| it.json_name() == name)?)));
        let Some((variant, ty)) = found else {
            return Err(unknown_variant(variants, &name));
        };
        self.put_variant(variant);
        self.argument(ty, items)
    }

    /// A variant of an enum.
    pub(super) fn chosen<'de, A: EnumAccess<'de>>(
        mut self,
        variants: Variants<'s>,
        choice: A,
    ) -> Result<(), A::Error> {
        let (key, argument) = choice.variant::<Key<'de>>()?;
        let index = key.find("variant", 0, |at| Some(variants.get(at)?.json_name()))?;
        let Some(variant) = variants.get(index) else { return argument.unit_variant() };
        self.put_variant(variant);
        match variant.argument() {
            None => argument.unit_variant(),
            Some(ty) => argument.newtype_variant_seed(self.part(ty)),
        }
    }

    /// Appends the hash of a variant, and whether it has an argument.
    pub(super) fn put_variant(&mut self, variant: Variant<'s>) {
        let bit = if variant.argument().is_some() { ARGUMENT } else { 0 };
        self.put((variant.hash() | bit).to_be_bytes());
    }

    /// What is after the name of a variant, and nothing more.
    pub(super) fn argument<'de, A: SeqAccess<'de>>(
        mut self,
        ty: Type<'s>,
        mut items: A,
    ) -> Result<(), A::Error> {
        let is_there = items.next_element_seed(self.part(ty))?.is_some();
        match is_there && items.next_element::<IgnoredAny>()?.is_none() {
            true => Ok(()),
            false => Err(A::Error::invalid_length(if is_there { 3 } else { 1 }, &self)),
        }
    }
}

#[cold]
pub(super) fn unknown_variant<E: Error>(variants: Variants<'_>, name: &str) -> E {
    let known = variants.iter().find(|variant| variant.json_name() == name);
    let hint = suggestion(name, variants.iter().map(|variant| variant.json_name()));
    let name = shortened(name);
    E::custom(match known.map(|variant| variant.argument()) {
        Some(Some(_)) => format!("variant `{name}` without its argument"),
        Some(None) => format!("variant `{name}` with an argument, which it does not have"),
        None => format!("unknown variant `{name}`{hint}"),
    })
}
