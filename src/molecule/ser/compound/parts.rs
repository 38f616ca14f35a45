//! serde's compound traits: what each calls the parts that it hands over.

use serde_core::ser::{self, Serialize};

use super::Compound;
use crate::error::Segment;
use crate::molecule::ser::encoder::Layout;
use crate::molecule::{Error, Result};

impl ser::SerializeSeq for Compound<'_> {
    type Ok = Layout;
    type Error = Error;

    #[inline]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let index = self.count;
        self.put(value).map_err(|error| error.inside(Segment::Index(index)))
    }

    #[inline]
    fn end(self) -> Result<Layout> {
        self.finish()
    }
}

impl ser::SerializeTuple for Compound<'_> {
    type Ok = Layout;
    type Error = Error;

    #[inline]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    #[inline]
    fn end(self) -> Result<Layout> {
        self.finish()
    }
}

impl ser::SerializeTupleStruct for Compound<'_> {
    type Ok = Layout;
    type Error = Error;

    #[inline]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let slot = self.count;
        self.put(value).map_err(|error| error.inside(Segment::Slot(slot)))
    }

    #[inline]
    fn end(self) -> Result<Layout> {
        self.finish()
    }
}

impl ser::SerializeTupleVariant for Compound<'_> {
    type Ok = Layout;
    type Error = Error;

    #[inline]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        ser::SerializeTupleStruct::serialize_field(self, value)
    }

    #[inline]
    fn end(self) -> Result<Layout> {
        self.finish()
    }
}

impl ser::SerializeStruct for Compound<'_> {
    type Ok = Layout;
    type Error = Error;

    #[inline]
    fn serialize_field<T: ?Sized + Serialize>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<()> {
        self.put(value).map_err(|error| error.inside(Segment::Field(key.into())))
    }

    #[inline]
    fn skip_field(&mut self, key: &'static str) -> Result<()> {
        self.skip().map_err(|error| error.inside(Segment::Field(key.into())))
    }

    #[inline]
    fn end(self) -> Result<Layout> {
        self.finish()
    }
}

impl ser::SerializeStructVariant for Compound<'_> {
    type Ok = Layout;
    type Error = Error;

    #[inline]
    fn serialize_field<T: ?Sized + Serialize>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<()> {
        ser::SerializeStruct::serialize_field(self, key, value)
    }

    #[inline]
    fn skip_field(&mut self, key: &'static str) -> Result<()> {
        ser::SerializeStruct::skip_field(self, key)
    }

    #[inline]
    fn end(self) -> Result<Layout> {
        self.finish()
    }
}
