//! The messages of ONNX's schema (`onnx.proto`), with the names that it has, without `Proto`.
//!
//! Fields that are left out: quantization annotations, training, and how a model is spread over devices.

use bytes::Bytes;

/// A file: the versions it needs, and a graph.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Model {
    /// The version of the file format.
    #[prost(int64, tag = "1")]
    pub ir_version: i64,
    /// The program that wrote the model.
    #[prost(string, tag = "2")]
    pub producer_name: String,
    /// The version of that program.
    #[prost(string, tag = "3")]
    pub producer_version: String,
    /// The owner of the model, as a reversed domain name.
    #[prost(string, tag = "4")]
    pub domain: String,
    /// The version of the model itself.
    #[prost(int64, tag = "5")]
    pub model_version: i64,
    /// Documentation.
    #[prost(string, tag = "6")]
    pub doc_string: String,
    /// The graph. A model without one cannot be [read](Model::read).
    #[prost(message, optional, tag = "7")]
    pub graph: Option<Graph>,
    /// The versions of the sets of operators that nodes use.
    #[prost(message, repeated, tag = "8")]
    pub opset_import: Vec<OperatorSet>,
    /// Names and values of any kind.
    #[prost(message, repeated, tag = "14")]
    pub metadata_props: Vec<Entry>,
    /// Operators that the model defines by other operators.
    #[prost(message, repeated, tag = "25")]
    pub functions: Vec<Function>,
}

/// A version of a set of operators.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct OperatorSet {
    /// The name of the set; empty for ONNX's own.
    #[prost(string, tag = "1")]
    pub domain: String,
    /// Its version.
    #[prost(int64, tag = "2")]
    pub version: i64,
}

/// A name with a text.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct Entry {
    /// The name.
    #[prost(string, tag = "1")]
    pub key: String,
    /// The text.
    #[prost(string, tag = "2")]
    pub value: String,
}

/// Nodes in an order in which they can run, and the constants they use.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Graph {
    /// The nodes.
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<Node>,
    /// The graph's name.
    #[prost(string, tag = "2")]
    pub name: String,
    /// Constants.
    #[prost(message, repeated, tag = "5")]
    pub initializer: Vec<Tensor>,
    /// Documentation.
    #[prost(string, tag = "10")]
    pub doc_string: String,
    /// The inputs. Old models list the constants here, too.
    #[prost(message, repeated, tag = "11")]
    pub input: Vec<ValueInfo>,
    /// The outputs.
    #[prost(message, repeated, tag = "12")]
    pub output: Vec<ValueInfo>,
    /// Types and shapes of values in between.
    #[prost(message, repeated, tag = "13")]
    pub value_info: Vec<ValueInfo>,
    /// Constants of which most elements are 0.
    #[prost(message, repeated, tag = "15")]
    pub sparse_initializer: Vec<SparseTensor>,
    /// Names and values of any kind.
    #[prost(message, repeated, tag = "16")]
    pub metadata_props: Vec<Entry>,
}

/// One use of an operator.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Node {
    /// Names of values. An empty name leaves out an optional input.
    #[prost(string, repeated, tag = "1")]
    pub input: Vec<String>,
    /// Names for the results. An empty name leaves out an optional output.
    #[prost(string, repeated, tag = "2")]
    pub output: Vec<String>,
    /// The node's name, which may be empty.
    #[prost(string, tag = "3")]
    pub name: String,
    /// The operator.
    #[prost(string, tag = "4")]
    pub op_type: String,
    /// The attributes.
    #[prost(message, repeated, tag = "5")]
    pub attribute: Vec<Attribute>,
    /// Documentation.
    #[prost(string, tag = "6")]
    pub doc_string: String,
    /// The set of operators; empty for ONNX's own.
    #[prost(string, tag = "7")]
    pub domain: String,
    /// Which of several functions of a name.
    #[prost(string, tag = "8")]
    pub overload: String,
    /// Names and values of any kind.
    #[prost(message, repeated, tag = "9")]
    pub metadata_props: Vec<Entry>,
}

/// A named value that is fixed in a node; [`value`](Attribute::value) returns the field that it uses.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Attribute {
    /// The name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// A number.
    #[prost(float, optional, tag = "2")]
    pub f: Option<f32>,
    /// An integer.
    #[prost(int64, optional, tag = "3")]
    pub i: Option<i64>,
    /// A text.
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub s: Option<Bytes>,
    /// A tensor.
    #[prost(message, optional, boxed, tag = "5")]
    pub t: Option<Box<Tensor>>,
    /// A graph.
    #[prost(message, optional, boxed, tag = "6")]
    pub g: Option<Box<Graph>>,
    /// Numbers.
    #[prost(float, repeated, packed = "false", tag = "7")]
    pub floats: Vec<f32>,
    /// Integers.
    #[prost(int64, repeated, packed = "false", tag = "8")]
    pub ints: Vec<i64>,
    /// Texts.
    #[prost(bytes = "bytes", repeated, tag = "9")]
    pub strings: Vec<Bytes>,
    /// Tensors.
    #[prost(message, repeated, tag = "10")]
    pub tensors: Vec<Tensor>,
    /// Graphs.
    #[prost(message, repeated, tag = "11")]
    pub graphs: Vec<Graph>,
    /// Documentation.
    #[prost(string, tag = "13")]
    pub doc_string: String,
    /// A type.
    #[prost(message, optional, boxed, tag = "14")]
    pub tp: Option<Box<Type>>,
    /// Types.
    #[prost(message, repeated, tag = "15")]
    pub type_protos: Vec<Type>,
    /// Which field has the value, as a number of [`attribute_type`].
    #[prost(int32, tag = "20")]
    pub r#type: i32,
    /// In a function: the attribute of the function that has the value.
    #[prost(string, tag = "21")]
    pub ref_attr_name: String,
    /// A tensor of which most elements are 0.
    #[prost(message, optional, boxed, tag = "22")]
    pub sparse_tensor: Option<Box<SparseTensor>>,
    /// Tensors of which most elements are 0.
    #[prost(message, repeated, tag = "23")]
    pub sparse_tensors: Vec<SparseTensor>,
}

/// The numbers of [`Attribute::type`](Attribute#structfield.type).
pub mod attribute_type {
    /// In `f`.
    pub const FLOAT: i32 = 1;
    /// In `i`.
    pub const INT: i32 = 2;
    /// In `s`.
    pub const STRING: i32 = 3;
    /// In `t`.
    pub const TENSOR: i32 = 4;
    /// In `g`.
    pub const GRAPH: i32 = 5;
    /// In `floats`.
    pub const FLOATS: i32 = 6;
    /// In `ints`.
    pub const INTS: i32 = 7;
    /// In `strings`.
    pub const STRINGS: i32 = 8;
    /// In `tensors`.
    pub const TENSORS: i32 = 9;
    /// In `graphs`.
    pub const GRAPHS: i32 = 10;
    /// In `sparse_tensor`.
    pub const SPARSE_TENSOR: i32 = 11;
    /// In `sparse_tensors`.
    pub const SPARSE_TENSORS: i32 = 12;
    /// In `tp`.
    pub const TYPE_PROTO: i32 = 13;
    /// In `type_protos`.
    pub const TYPE_PROTOS: i32 = 14;
}

/// A tensor; [`elements`](Tensor::elements) returns its bytes from whichever field has them.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Tensor {
    /// The shape.
    #[prost(int64, repeated, packed = "false", tag = "1")]
    pub dims: Vec<i64>,
    /// The type of elements, as a number of [`DataType`](crate::DataType).
    #[prost(int32, tag = "2")]
    pub data_type: i32,
    /// Elements of types float and complex64.
    #[prost(float, repeated, tag = "4")]
    pub float_data: Vec<f32>,
    /// Elements of types of at most 32 bits that are not float or uint32.
    #[prost(int32, repeated, tag = "5")]
    pub int32_data: Vec<i32>,
    /// Elements of type string.
    #[prost(bytes = "bytes", repeated, tag = "6")]
    pub string_data: Vec<Bytes>,
    /// Elements of type int64.
    #[prost(int64, repeated, tag = "7")]
    pub int64_data: Vec<i64>,
    /// The tensor's name.
    #[prost(string, tag = "8")]
    pub name: String,
    /// Elements of any type but string, in little-endian order.
    #[prost(bytes = "bytes", optional, tag = "9")]
    pub raw_data: Option<Bytes>,
    /// Elements of types double and complex128.
    #[prost(double, repeated, tag = "10")]
    pub double_data: Vec<f64>,
    /// Elements of types uint32 and uint64.
    #[prost(uint64, repeated, tag = "11")]
    pub uint64_data: Vec<u64>,
    /// Documentation.
    #[prost(string, tag = "12")]
    pub doc_string: String,
    /// Where the elements are, if `data_location` is 1: `location`, `offset`, `length`.
    #[prost(message, repeated, tag = "13")]
    pub external_data: Vec<Entry>,
    /// 0 if the elements are in this message, 1 if they are in another file.
    #[prost(int32, tag = "14")]
    pub data_location: i32,
}

/// A tensor by those elements that are not 0.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SparseTensor {
    /// The elements. Its name is the tensor's.
    #[prost(message, optional, tag = "1")]
    pub values: Option<Tensor>,
    /// Where they are.
    #[prost(message, optional, tag = "2")]
    pub indices: Option<Tensor>,
    /// The shape.
    #[prost(int64, repeated, packed = "false", tag = "3")]
    pub dims: Vec<i64>,
}

/// The name of a value, with its type.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ValueInfo {
    /// The name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The type.
    #[prost(message, optional, tag = "2")]
    pub r#type: Option<Type>,
    /// Documentation.
    #[prost(string, tag = "3")]
    pub doc_string: String,
    /// Names and values of any kind.
    #[prost(message, repeated, tag = "4")]
    pub metadata_props: Vec<Entry>,
}

/// The type of a value.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Type {
    /// What kind of value.
    #[prost(oneof = "Kind", tags = "1, 4, 5, 7, 8, 9")]
    pub value: Option<Kind>,
    /// What the value means.
    #[prost(string, tag = "6")]
    pub denotation: String,
}

/// Kinds of values.
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Kind {
    /// A tensor.
    #[prost(message, tag = "1")]
    Tensor(TensorType),
    /// Several values of one type.
    #[prost(message, tag = "4")]
    Sequence(Box<Element>),
    /// Values with keys.
    #[prost(message, tag = "5")]
    Map(Box<MapType>),
    /// A value of another kind, which only some runtimes have.
    #[prost(message, tag = "7")]
    Opaque(Opaque),
    /// A tensor of which most elements are 0.
    #[prost(message, tag = "8")]
    SparseTensor(TensorType),
    /// A value or nothing.
    #[prost(message, tag = "9")]
    Optional(Box<Element>),
}

/// Type and shape of a tensor.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TensorType {
    /// The type of elements, as a number of [`DataType`](crate::DataType).
    #[prost(int32, tag = "1")]
    pub elem_type: i32,
    /// The shape. Without one, the number of dimensions is unknown.
    #[prost(message, optional, tag = "2")]
    pub shape: Option<Shape>,
}

/// The type of what a sequence or an optional value has.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Element {
    /// The type.
    #[prost(message, optional, tag = "1")]
    pub elem_type: Option<Type>,
}

/// The types of a map.
#[derive(Clone, PartialEq, prost::Message)]
pub struct MapType {
    /// The type of keys, as a number of [`DataType`](crate::DataType).
    #[prost(int32, tag = "1")]
    pub key_type: i32,
    /// The type of values.
    #[prost(message, optional, tag = "2")]
    pub value_type: Option<Type>,
}

/// The name of a type that only some runtimes have.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct Opaque {
    /// The owner of the type.
    #[prost(string, tag = "1")]
    pub domain: String,
    /// Its name.
    #[prost(string, tag = "2")]
    pub name: String,
}

/// The dimensions of a tensor.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct Shape {
    /// The dimensions.
    #[prost(message, repeated, tag = "1")]
    pub dim: Vec<Dimension>,
}

/// One dimension.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct Dimension {
    /// Its size. Without one, it is unknown.
    #[prost(oneof = "Size", tags = "1, 2")]
    pub value: Option<Size>,
    /// What the dimension means.
    #[prost(string, tag = "3")]
    pub denotation: String,
}

/// The size of a dimension.
#[derive(Clone, PartialEq, Eq, Hash, prost::Oneof)]
pub enum Size {
    /// A number.
    #[prost(int64, tag = "1")]
    Value(i64),
    /// A name for a size that is known when the model runs.
    #[prost(string, tag = "2")]
    Name(String),
}

/// An operator that a model defines by other operators.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Function {
    /// The operator's name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Names of the inputs.
    #[prost(string, repeated, tag = "4")]
    pub input: Vec<String>,
    /// Names of the outputs.
    #[prost(string, repeated, tag = "5")]
    pub output: Vec<String>,
    /// Names of attributes without a default.
    #[prost(string, repeated, tag = "6")]
    pub attribute: Vec<String>,
    /// The nodes.
    #[prost(message, repeated, tag = "7")]
    pub node: Vec<Node>,
    /// Documentation.
    #[prost(string, tag = "8")]
    pub doc_string: String,
    /// The versions of the sets of operators that nodes use.
    #[prost(message, repeated, tag = "9")]
    pub opset_import: Vec<OperatorSet>,
    /// The set to which the operator belongs.
    #[prost(string, tag = "10")]
    pub domain: String,
    /// Attributes with a default.
    #[prost(message, repeated, tag = "11")]
    pub attribute_proto: Vec<Attribute>,
    /// Types and shapes of values in between.
    #[prost(message, repeated, tag = "12")]
    pub value_info: Vec<ValueInfo>,
    /// Which of several functions of a name.
    #[prost(string, tag = "13")]
    pub overload: String,
    /// Names and values of any kind.
    #[prost(message, repeated, tag = "14")]
    pub metadata_props: Vec<Entry>,
}
