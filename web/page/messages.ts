// Messages of the library in Chinese, by kind: numbers, paths and offsets are filled in.
import { OF_ONNX } from "./messages-of-onnx.ts";
import { OF_SCHEMAS } from "./messages-of-schemas.ts";
import { OF_SHAPES } from "./messages-of-shapes.ts";

// In the first text, `{}` is anything, `{n}` is a number, and `(s)` may be missing. In the second, `{0}` is the first of these as it is,
// `{=0}` the same translated, and `{~0}` the same translated if it is a message.
const TEMPLATES: [string, string][] = [
  ["node \"{}\" ({}): {}", "节点“{0}”（{1}）：{~2}"],
  ["{}; inputs: {}", "{=0}；输入：{1}"],
  // All formats.
  ["input ends early: {} byte(s) needed, {} left", "输入提前结束：需要 {0} 字节，只剩 {1} 字节"],
  ["{n} trailing byte(s)", "末尾多出 {0} 字节"],
  ["invalid utf-8", "不是有效的 UTF-8"],
  ["invalid UTF-8", "不是有效的 UTF-8"],
  ["nested deeper than {} level(s)", "嵌套超过 {0} 层"],
  ["input is longer than {} byte(s)", "输入超过 {0} 字节"],
  ["bool is {}, neither 0 nor 1", "bool 为 {0}，应为 0 或 1"],
  ["unknown variant {}", "未知的变体 {0}"],
  ["the schema has no type `{}`", "模式中没有类型 {0}"],
  ["the schema has no type `{}` (did you mean `{}`?)", "模式中没有类型 {0}（是否为 {1}？）"],
  // Molecule.
  ["full size {} differs from the {} byte(s) given", "总长度 {0} 与实际的 {1} 字节不符"],
  ["full size {} of a record is less than the 4 bytes of a full size", "记录的总长度 {0} 小于总长度本身的 4 字节"],
  ["offset {} leaves no room for a header of 8 bytes or more", "偏移 {0} 容不下至少 8 字节的头部"],
  ["offset {} is not a multiple of 4", "偏移 {0} 不是 4 的倍数"],
  ["offset {} announces a header longer than the full size {}", "偏移 {0} 表示的头部超过总长度 {1}"],
  ["offset {} is before the previous offset {}", "偏移 {0} 小于前一个偏移 {1}"],
  ["offset {} is beyond the full size {}", "偏移 {0} 超过总长度 {1}"],
  ["field or item ends early: {} byte(s) needed, {} left", "字段或元素提前结束：需要 {0} 字节，只剩 {1} 字节"],
  ["{n} items cannot fill {} byte(s) evenly", "{0} 个元素无法正好占满 {1} 字节"],
  ["table has {} field(s), the type has {}", "table 有 {0} 个字段，类型有 {1} 个"],
  ["table has {} field(s), the type has more", "table 有 {0} 个字段，少于类型的字段"],
  ["field is absent, it takes zero bytes", "字段不存在，长度为零"],
  ["unknown union id {}", "未知的 union id {0}"],
  ["record of {} byte(s) does not begin with that as its full size", "{0} 字节的记录并不以此总长度开头"],
  ["record of {} byte(s) among records of {}", "长度为 {1} 的记录中有一条为 {0} 字节"],
  ["record {}: {}", "记录 {0}：{=1}"],
  ["{}; {} of {} record(s) are bad", "{=0}；{2} 条记录中有 {1} 条损坏"],
  ["begins with {} record(s), then: {}", "开头有 {0} 条记录，之后：{=1}"],
  ["can be: {}", "可能是：{=0}"],
  ["no bytes, as of an option that is none", "没有字节，如为空的 option"],
  ["table or dynvec without items", "没有元素的 table 或 dynvec"],
  ["table or dynvec of {} item(s)", "有 {0} 个元素的 table 或 dynvec"],
  ["table or dynvec of {} item(s) of {}", "有 {0} 个元素的 table 或 dynvec，元素为 {1}"],
  ["union of id {} with a table or dynvec of {} item(s)", "id 为 {0} 的 union，含有 {1} 个元素的 table 或 dynvec"],
  ["fixvec without items", "没有元素的 fixvec"],
  ["fixvec of {} byte(s), which are text", "{0} 字节的 fixvec，内容为文本"],
  ["fixvec of {} byte(s)", "{0} 字节的 fixvec"],
  ["fixvec of {} item(s) of {} byte(s)", "有 {0} 个元素的 fixvec，每个 {1} 字节"],
  ["{n} concatenated tables or dynvecs", "{0} 个相连的 table 或 dynvec"],
  ["byte", "byte"],
  ["array or struct of {} byte(s)", "{0} 字节的 array 或 struct"],
  ["array or struct", "array 或 struct"],
  ["cannot be checked without a schema that has its type", "没有包含其类型的模式，无法检查"],
  // biniou.
  ["unknown tag {}", "未知的标签 {0}"],
  ["chunk mark is {}, neither 1 nor 0", "块标记为 {0}，应为 1 或 0"],
  ["vint is longer than 128 bits", "vint 超过 128 位"],
  ["length {} needs {} byte(s) or more, {} left", "长度 {0} 至少需要 {1} 字节，只剩 {2} 字节"],
  ["unit is {}, not 0", "unit 为 {0}，应为 0"],
  ["field tag {} does not begin with a 1 bit", "字段标签 {0} 的最高位不是 1"],
  ["reference {} byte(s) back leads to no shared value", "向前 {0} 字节的引用没有指向共享值"],
  ["shared value is part of itself", "共享值包含自身"],
  ["references to shared values expand to more than {} bytes", "对共享值的引用展开后超过 {0} 字节"],
  ["these bytes are a stream of {} chunk(s) and not one value", "这些字节是 {0} 个块的流，而不是一个值"],
  ["found {}, expected {}", "遇到 {0}，应为 {1}"],
  ["num_variant {} is no option", "num_variant {0} 不是 option"],
  ["variant {} has {}", "变体 {0} 的参数不符（{1}）"],
  ["tuple has {} cell(s), the type has more", "元组有 {0} 个单元，少于类型的单元"],
  ["row {} of a table differs from the first: {}", "表格的第 {0} 行与第一行不同：{~1}"],
  ["{n} rows without columns are more than a reader accepts", "{0} 行没有列，超过读取器的上限"],
  ["the schema calls this type abstract, so its values are unknown", "模式把此类型声明为抽象，无法得知其值"],
  ["integer is beyond the 63 bits of OCaml", "整数超出 OCaml 的 63 位"],
  ["field `{}` is missing", "缺少字段 {0}"],
  ["{n} part(s) that is not in the schema", "{0} 个部分不在模式中"],
  ["{n} part(s) that are not in the schema", "{0} 个部分不在模式中"],
  // tsm.
  ["count {} is negative", "数量 {0} 为负"],
  ["count {} is beyond what {} byte(s) can hold", "数量 {0} 超出 {1} 字节的容量"],
  ["option flag is {}, neither 0 nor 1", "选项标志为 {0}，应为 0 或 1"],
  ["unknown dtype {}", "未知的 dtype {0}"],
  ["{n} dims, 7 at most", "有 {0} 维，最多 7 维"],
  ["dim {} is negative", "维度 {0} 为负"],
  ["more than {} elements", "元素超过 {0} 个"],
  ["more than {} items of zero bytes", "零字节的元素超过 {0} 个"],
  ["{n} byte(s) where {} belong", "有 {0} 字节，应为 {1} 字节"],
  ["a name of {} bytes, 31 at most", "名称有 {0} 字节，最多 31 字节"],
  ["neither a module ({}) nor a packed tensor ({})", "既不是模块（{=0}），也不是张量包（{=1}）"],
  ["node {}: {}", "节点 {0}：{=1}"],
  ["code {} is not that of a module", "代码 {0} 不是模块的代码"],
  ["inputs[{}] is node {}, of {}", "inputs[{0}] 为节点 {1}，但只有 {2} 个节点"],
  ["outputs[{}] is node {}, of {}", "outputs[{0}] 为节点 {1}，但只有 {2} 个节点"],
  ["no outputs", "没有输出"],
  ["no #op", "缺少 #op"],
  ["no #name", "缺少 #name"],
  ["{} is {} with {} dims, not text", "{0} 是 {2} 维的 {1}，不是文本"],
  ["#output_count is not 1", "#output_count 不是 1"],
  ["#shape is {}, which cannot be converted to int32", "#shape 为 {0}，无法转换为 int32"],
  ["a <param> that an output needs is not among the inputs", "输出所需的 <param> 不在输入中"],
  ["an operator that an output needs has no inputs", "输出所需的算子没有输入"],
  ["a cycle of nodes {}", "节点 {0} 构成环"],
  ["a cycle of node {}", "节点 {0} 构成环"],
  ["an output leads to its cycle: TenniS loads the module and never ends saving it", "输出通向该环：TenniS 能加载此模块，但保存时不会结束"],
  ["no output leads to it or to node {}, its input, which is not among the module's inputs: TenniS loads the module and cannot save it",
    "没有输出通向它或它的输入节点 {0}，而后者不在模块的输入中：TenniS 能加载此模块，但无法保存"],
  ["no output needs it", "没有输出需要它"],
  ["has the name of node {}", "与节点 {0} 同名"],
  ["param \"{}\" is there more than once", "参数“{0}”重复出现"],
  ["a param has a name of {} bytes", "某个参数的名称有 {0} 字节"],
  ["param \"{}\" holds no tensor", "参数“{0}”没有张量"],
  ["param \"{}\" holds pointers", "参数“{0}”含有指针"],
  ["a <const> without a value", "没有值的 <const>"],
  ["has {} input(s) and is no operator", "有 {0} 个输入，但不是算子"],
  ["#op is empty", "#op 为空"],
  ["a <var>, which cannot be run", "<var>，无法运行"],
  ["#shape is {} with {} value(s)", "#shape 为 {0}，有 {1} 个值"],
  ["inputs[{}] is no <param>", "inputs[{0}] 不是 <param>"],
  ["inputs[{}] is there more than once", "inputs[{0}] 重复出现"],
  // primitiv.
  ["marker {} is not {}", "标记 {0} 不是 {~1}"],
  ["an array", "array"],
  ["a map", "map"],
  ["count {} needs {} byte(s) or more, {} left", "数量 {0} 至少需要 {1} 字节，只剩 {2} 字节"],
  ["integer {} does not fit uint32", "整数 {0} 超出 uint32"],
  ["integer {} is not a byte", "整数 {0} 不是一个字节"],
  ["float64 {} has no equal float32", "没有与 float64 {0} 相等的 float32"],
  ["unknown variant index {}", "未知的变体序号 {0}"],
  ["file version {} is not 0.1", "文件版本为 {0}，应为 0.1"],
  ["unknown data type {}", "未知的数据类型 {0}"],
  ["data type is {}, {} was requested", "数据类型为 {0}，要求的是 {1}"],
  ["shape has {} dims, more than 8", "形状有 {0} 维，超过 8 维"],
  ["dim is 0", "维度为 0"],
  ["batch is 0", "batch 为 0"],
  ["dims and batch multiply beyond 32 bits", "各维与 batch 的乘积超出 32 位"],
  ["data has {} byte(s), the shape {} has {}", "数据有 {0} 字节，形状 {1} 需要 {2} 字节"],
  ["batch of a parameter's value is {}, not 1", "参数值的 batch 为 {0}，应为 1"],
  ["key is empty", "键为空"],
  ["{} is a parameter and a submodel", "{0} 既是参数又是子模型"],
  ["value in messagepack ends after its {} byte(s)", "MessagePack 值在其 {0} 字节之后结束"],
  // Packages.
  ["package, {}", "包，{0}"],
  ["{}: damaged tsm module: {}", "{0}：损坏的 tsm 模块：{~1}"],
  ["damaged tsm module: {}", "损坏的 tsm 模块：{~0}"],
  ["tsm module of {} node(s)", "{0} 个节点的 tsm 模块"],
  ["{n} binary value(s), {} byte(s)", "{0} 个二进制值，{1} 字节"],
  ["length {} is negative", "长度 {0} 为负"],
  ["{n} items need at least {} bytes, {} left", "{0} 个元素至少需要 {1} 字节，只剩 {2} 字节"],
  ["nil is {}, not 0", "nil 为 {0}，应为 0"],
  ["duplicate key", "重复的键"], ["key is not UTF-8; write the package again, with keys in UTF-8", "键不是 UTF-8；请以 UTF-8 的键重新写此包"],
  // Other files, and files without a use.
  ["empty file", "空文件"],
  ["unknown file format", "未知的文件格式"],
  ["the file cannot be read", "无法读取文件"],
  ["is {}, which contains no weights", "是 {0}，不含权重"],
  ["{}; download safetensors instead", "{=0}；请改为下载 safetensors"],
  ["{}; use safetensors", "{=0}；请改用 safetensors"],
  ["{} has no {}: as {}, {} would become {}, in {}", "{0} 没有 {1}：存为 {2} 时，{3} 会变成 {4}，位于 {5}"],
  ["{} and {} have nothing that can be compared", "{0} 与 {1} 没有可比较的内容"],
  ["there is no node {}", "没有节点 {0}"],
  // Containers of tensors.
  ["{} cannot be stored in {}, which has no elements of {n} bits,", "{1} 无法存储 {0}，因为它没有 {2} 位的元素"],
  ["{} cannot be stored in {}", "{1} 无法存储 {0}"],
  ["{n} tensor(s) cannot be converted ({}); in Python, {} writes all others", "{0} 个张量无法转换，原因见概览中的“未读取”；在 Python 中可用 {2} 写出其余的张量"],
  ["the name {} is reserved in safetensors", "名称 {0} 由 safetensors 保留"],
  ["a bool of {}, neither 0 nor 1,", "bool 为 {0}，应为 0 或 1"],
  ["{n} tensors: an npy file has exactly one", "有 {0} 个张量，而 npy 文件只有一个"],
  ["a name of {} bytes, too long for a zip file: {}", "名称有 {0} 字节，对 zip 文件太长：{1}"],
  ["header of {n} bytes, {} at most,", "文件头有 {0} 字节，最多 {1} 字节"],
  ["invalid header: {}", "文件头无效：{~0}"],
  ["the tensors have {} byte(s), {} follow the header", "张量共有 {0} 字节，文件头之后有 {1} 字节"],
  ["the elements begin at {}, expected {},", "元素始于 {0}，应始于 {1}"],
  ["unknown type {}", "未知的类型 {0}"],
  ["{} needs {} bits, not a multiple of 8,", "{0} 需要 {1} 位，不是 8 的倍数"],
  ["{} needs {} byte(s), data_offsets are {}", "{0} 需要 {1} 字节，而 data_offsets 为 {2}"],
  ["{} needs {} byte(s), {} follow the header", "{0} 需要 {1} 字节，文件头之后有 {2} 字节"],
  ["{} is too large for any file", "{0} 对任何文件都太大"],
  ["{} is too large for memory", "{0} 超出内存"],
  ["no signature of a NumPy array", "没有 NumPy 数组的签名"],
  ["the header is cut off", "文件头被截断"],
  ["version {} of NumPy's format", "NumPy 格式的版本 {0}"],
  ["a header of {} bytes, more than {}", "文件头有 {0} 字节，超过 {1} 字节"],
  ["a structured dtype, which no other container has", "结构化的 dtype，其他容器都没有"],
  ["expected `{}` in the header", "文件头中应为 {0}"],
  ["`{}` in the header", "文件头中有 {0}"],
  ["descr, fortran_order or shape is missing in the header", "文件头缺少 descr、fortran_order 或 shape"],
  ["dtype `{}`, which is not a number", "dtype {0} 不是数值类型"],
  ["not an array", "不是数组"],
  ["invalid Zip archive: {}", "zip 文件无效：{0}"],
  ["unsupported Zip archive: {}", "不支持这种 zip 文件：{0}"],
  ["Invalid checksum", "校验和不符"],
  ["corrupt deflate stream", "deflate 流已损坏"],
  ["incomplete deflate stream", "deflate 流不完整"],
  ["overlapping entries", "条目互相重叠"],
  ["a size larger than memory", "大小超出内存"],
  ["the file ends", "文件提前结束"],
  ["{n} bytes unpack to {} bytes or more", "{0} 字节解压后至少有 {1} 字节"],
  ["not the {n} bytes of the directory", "与目录中的 {0} 字节不符"],
  ["{n} entries, more than fit in the file", "有 {0} 个条目，超出文件的容量"],
  // Slices.
  ["axis {n}: {}; use `{}`", "轴 {0}：{=1}；可改用 {2}"],
  ["{n} slices for 1 axis; use `{}`", "有 {0} 个切片，但只有 1 个轴；可改用 {1}"],
  ["{n} slice(s) for {} axes; use `{}`", "有 {0} 个切片，但只有 {1} 个轴；可改用 {2}"],
  ["`...` can be used once only; use `{}`", "... 只能使用一次；可改用 {0}"],
  ["`{}` is neither an index nor a slice", "{0} 既不是索引，也不是切片"],
  ["`` is neither an index nor a slice", "空白既不是索引，也不是切片"],
  ["index {} is beyond {} elements", "索引 {0} 超出 {1} 个元素"],
  ["a step of 0", "步长为 0"],
  // Evidence, and what was read.
  ["byte 0 is {}, the tag {}", "字节 0 为 {0}，即标签 {1}"],
  ["byte 0 is {}, no tag", "字节 0 为 {0}，不是标签"],
  ["bytes {} are not {}, the code of a module", "字节 {0} 不是 {1}（模块的代码）"],
  ["bytes {} are {}, the code of a module", "字节 {0} 为 {1}，即模块的代码"],
  ["bytes {} are not a version and data type", "字节 {0} 不是版本和数据类型"],
  ["bytes {} are the version {}", "字节 {0} 为版本 {1}"],
  ["bytes {} are the data type {}", "字节 {0} 为数据类型 {1}"],
  ["bytes {} are the unknown data type {}", "字节 {0} 为未知的数据类型 {1}"],
  ["the data type is cut off", "数据类型被截断"],
  ["the name ends in {}", "文件名以 {0} 结尾"],
  ["begins like a package of SeetaFace", "开头像 SeetaFace 的模型包"],
  ["begins like {}", "开头像 {0}"],
  ["reads up to byte {} of {}", "可读到字节 {0}，共 {1} 字节"],
  ["reads to the last byte: {}", "可读到最后一个字节：{=0}"],
  ["reads to the last byte", "可读到最后一个字节"],
  ["reads to the end of the sample: {}", "可读到样本末尾：{=0}"],
  ["does not read: {}", "无法读取：{=0}"],
  ["bytes follow what reads", "可读的内容之后还有字节"],
  ["{n} value(s)", "{0} 个值"],
  ["{n} value(s) of {}", "{0} 个 {1} 类型的值"],
  ["stream of {} chunk(s)", "{0} 个块的流"],
  ["stream of {} chunk(s) of {}", "{0} 个块的流，类型为 {1}"],
  ["{n} record(s) of {}", "{0} 条 {1} 类型的记录"],
  ["module of {} node(s)", "{0} 个节点的模块"],
  ["module", "模块"],
  ["packed tensor of {} field(s)", "{0} 个字段的张量包"],
  ["packed tensor", "张量包"],
  ["model of {} parameter(s)", "{0} 个参数的模型"],
  ["shape {}", "形状 {0}"],
  ["tensor {}", "张量 {0}"],
  ["parameter {}", "参数 {0}"],
  ["optimizer", "优化器"],
  // Reports.
  ["tsm module", "tsm 模块"],
  ["tsm tensors without a module", "不在模块中的 tsm 张量"],
  ["primitiv {}, version {}", "primitiv {0}，版本 {1}"],
  ["biniou, {} value(s)", "biniou，{0} 个值"],
  ["biniou, {} value(s) of {}", "biniou，{0} 个 {1} 类型的值"],
  ["biniou, a stream of {} chunk(s)", "biniou，{0} 个块的流"],
  ["biniou, a stream of {} chunk(s) of {}", "biniou，{0} 个块的流，类型为 {1}"],
  ["Molecule, {} record(s) of {}", "Molecule，{0} 条 {1} 类型的记录"],
  ["Molecule, {}", "Molecule，{0}"],
  ["header: code {}, fake {}, {} of its free bytes in use", "文件头：code {0}，fake {1}，空闲字节中有 {2} 个在用"],
  ["shapes: unknown, because the module does not state those of its inputs", "形状：未知，因为模块没有给出输入的形状"],
  ["shapes: {}, parameters of {} byte(s), {}", "形状：{=0}，参数 {1} 字节，{=2}"],
  ["{n} multiply-add(s)", "{0} 次乘加"],
  ["unknown multiply-adds", "乘加次数未知"],
  ["{n} byte(s) at the peak", "内存峰值 {0} 字节"],
  ["unknown memory at the peak", "内存峰值未知"],
  ["shapes: {}", "形状：{=0}"],
  ["the count of inputs is {}, expected {}", "有 {0} 个输入，应有 {1} 个"],
  ["input {n} is missing", "缺少输入 {0}"],
  ["inputs: {}", "输入：{0}"],
  ["outputs: {}", "输出：{0}"],
  ["nodes: {}", "节点：{0}"],
  ["weights (<const>): {}", "权重（<const>）：{=0}"],
  ["settings of operators: {}", "算子的设置：{=0}"],
  ["names and what else begins with #: {}", "名称及其他以 # 开头的参数：{=0}"],
  ["values, column-major: {}", "值，列优先：{=0}"],
  ["statistics: {}", "统计量：{=0}"],
  ["tensors: {}", "张量：{=0}"],
  ["metadata", "元数据"],
  ["operator sets: {}", "算子集：{0}"],
  ["operators: {}", "算子：{0}"],
  ["producer: {}", "生成程序：{0}"],
  ["version: {}", "版本：{0}"],
  ["not read", "未读取"],
  ["not read: {}: {}", "未读取：{0}：{=1}"],
  ["elements are in the file {}; open the model by its path", "元素在文件 {0} 中，页面不能读取"],
  ["elements are strings, which have no fixed size", "元素是字符串，没有固定长度"],
  ["elements are {}", "元素类型为 {0}"],
  ["a sparse tensor", "稀疏张量"],
  ["unknown type of elements {}", "未知的元素类型 {0}"],
  ["shape {} has a negative size, or more elements than memory", "形状 {0} 含有负的大小，或元素多于内存"],
  ["there are {} bytes of elements, the shape needs {}", "元素有 {0} 字节，形状需要 {1} 字节"],
  ["there are {} elements, the shape needs {}", "有 {0} 个元素，形状需要 {1} 个"],
  ["{} of external data is {}, no number of bytes", "外部数据的 {0} 为 {1}，不是字节数"],
  ["column-major: {}", "列优先：{0}"],
  ["algorithm: not one of primitiv's own", "算法：不是 primitiv 自带的算法"],
  ["algorithm: {}", "算法：{0}"],
  ["{n} diagnostic(s)", "{0} 条诊断"],
  ["{n} tensor(s), {} parameter(s), {} byte(s)", "{0} 个张量，{1} 个参数，{2} 字节"],
  ["{n} tensor(s), {} element(s), {} byte(s)", "{0} 个张量，{1} 个元素，{2} 字节"],
  ["{n} tensor(s), {} byte(s)", "{0} 个张量，{1} 字节"],
  ["{n} tensor(s)", "{0} 个张量"],
  ["{}: {} element(s), {} byte(s), column-major", "{0}：{1} 个元素，{2} 字节，列优先"],
];

// The words of lines of a report that begin with names from the file: only the ends of these lines are translated.
const ENDS: [RegExp, string][] = [
  [/ {2}type and shape not given$/, "  类型和形状未给出"],
  [/, shape not given$/, "，形状未给出"],
  [/, type not given$/, "，类型未给出"],
  [/( +[\d,]+) bytes?$/, "{0} 字节"],
  [/( {2}[\d,]+) multiply-adds?$/, "{0} 次乘加"],
  [/( {2}[\d,]+) multiply-adds?, ([\d,]+) parameters?$/, "{0} 次乘加，{1} 个参数"],
  [/( {2}[\d,]+) parameters?$/, "{0} 个参数"],
  [/^ {2}and ([\d,]+) more values?$/, "  另有 {0} 个值"],
  [/ {2}\(([\d,]+) times?\)$/, "  （{0} 次）"],
  [/ {2}\(in ([\d,]+) of ([\d,]+)\)$/, "  （{1} 个中的 {0} 个）"],
];

// Kinds of parts. Names of types and of formats' own things stay as they are.
const KINDS: [string, string][] = [
  ["count of {}", "{=0}的数量"],
  ["length of {}", "{=0}的长度"],
  ["item count of {}", "{0} 的元素数量"],
  ["item id of {}", "{0} 的元素 id"],
  ["full size of {}", "{0} 的总长度"],
  ["offset in {}", "{0} 中的偏移"],
  ["tag of {}", "{=0}的标签"],
  ["start of string", "字符串的开头"],
  ["candidates: {}, or {}", "可能是：{~0}，或 {~1}"],
  ["candidate {}: {}", "可能是 {~0}：{=1}"],
  ["table or dynvec without items", "没有元素的 table 或 dynvec"],
  ["fixvec without items", "没有元素的 fixvec"],
  ["array or struct", "array 或 struct"],
  ["table or dynvec", "table 或 dynvec"],
  ["dynvec or table", "dynvec 或 table"],
  ["marker of {}", "{0} 的标记"],
  ["full size", "总长度"],
  ["offset", "偏移"],
  ["item count", "元素数量"],
  ["reserved", "保留"],
  ["code of a module", "模块的代码"],
  ["free bytes", "空闲字节"],
  ["index of a node", "节点的序号"],
  ["not read", "未读取"],
  ["trailing bytes", "末尾多余的字节"],
  ["cut off", "被截断"],
  ["field hash", "字段的哈希"],
  ["variant hash", "变体的哈希"],
  ["column hash", "列的哈希"],
  ["chunk mark", "块标记"],
  ["end of chunks", "块的结尾"],
  ["shared value", "共享值"],
  ["major version", "主版本"],
  ["minor version", "次版本"],
  ["data type", "数据类型"],
  ["no object", "不是对象"],
  ["items not separable", "无法分开的元素"],
  ...Object.entries({
    inputs: "输入", outputs: "输出", nodes: "节点", params: "参数", parameters: "参数", tensors: "张量", dims: "维", fields: "字段",
    items: "元素", rows: "行", columns: "列", cells: "单元", configs: "配置", statistics: "统计量", segments: "键段",
    "the name": "名称", "the data": "数据", chunk: "块", "an object": "对象", column: "列",
    text: "文本", name: "名称", data: "数据", tag: "标签", length: "长度", reference: "引用",
    key: "键", value: "值", item: "元素", object: "对象", config: "配置", dim: "维", version: "版本",
  }),
];

interface Template { fact: RegExp; text: string }

function compiled([english, chinese]: [string, string]): Template {
  const pattern = english
    .replace(/[.*+?^$|[\]\\]/g, "\\$&")
    .replace(/\(s\)/g, "\u0000")
    .replaceAll("{}", "\u0001")
    .replaceAll("{n}", "\u0002")
    .replace(/[(){}]/g, "\\$&")
    .replaceAll("\u0000", "s?")
    .replaceAll("\u0001", "(.+?)")
    .replaceAll("\u0002", "([\\d,]+)");
  return { fact: new RegExp(`^${pattern}$`, "s"), text: chinese };
}

const ALL = [...TEMPLATES, ...OF_SHAPES, ...OF_SCHEMAS, ...OF_ONNX].map(compiled);
const ALL_KINDS = KINDS.map(compiled);

/** A fact without its place. */
function ofFact(fact: string): string | undefined { return filledIn(ALL, fact, chinese); }

/** The kind of a part in Chinese; a name of one of the types, or of the format, as it is. */
export function chineseKind(kind: string, types: string[] = []): string {
  const word = (part: string): string | undefined => types.includes(part) ? undefined : filledIn(ALL_KINDS, part, () => undefined);
  return types.includes(kind) ? kind : filledIn(ALL_KINDS, kind, word) ?? kind;
}

/** The text of the first template that fits. */
function filledIn(templates: Template[], fact: string, translate: (part: string) => string | undefined): string | undefined {
  for (const { fact: pattern, text } of templates) {
    const found = pattern.exec(fact);
    if (!found) continue;
    let isWhole = true;
    const filled = text.replace(/\{([=~]?)(\d)\}/g, (_, kind: string, number: string) => {
      const part = found[Number(number) + 1] ?? "";
      const translated = kind === "" ? part : translate(part);
      if (translated === undefined && kind === "=") isWhole = false;
      return translated ?? part;
    });
    if (isWhole) return filled;
  }
  return undefined;
}

/** Longer messages contain names of a hostile file, and comparing takes more than linear time. */
const LONGEST = 600;

/** A message in Chinese, with its path and byte; `undefined` if there is no text for it. */
export function chinese(message: string): string | undefined {
  if (message.length > LONGEST) return undefined;
  const [, before = "", byte, count, chunks, line, column] =
    /^(.*?)(?: at byte (\d+))?(?:, after (\d+) values?|(, in a stream of chunks)| at line (\d+), column (\d+))?$/s.exec(message) ?? [];
  const places = [line !== undefined && `第 ${line} 行第 ${column} 列`, byte !== undefined && `字节 ${byte}`, count !== undefined && `在 ${count} 个值之后`, chunks !== undefined && "在块的流中"];
  const put = (fact: string, path?: string): string => {
    const place = [path, ...places].filter((one) => typeof one === "string").join("，");
    return place === "" ? fact : `${fact}（${place}）`;
  };
  // The path follows the fact, and either can contain the word.
  for (let at = before.indexOf(" in "); at >= 0; at = before.indexOf(" in ", at + 1)) {
    const fact = ofFact(before.slice(0, at));
    if (fact !== undefined) return put(fact, before.slice(at + 4));
  }
  const fact = ofFact(before);
  return fact === undefined ? undefined : put(fact);
}

/** The same for a message that may begin with the name of a file. */
export function chineseOfFile(message: string): string | undefined {
  const whole = chinese(message);
  if (whole !== undefined) return whole;
  for (let at = message.indexOf(": "); at >= 0; at = message.indexOf(": ", at + 1)) {
    const text = chinese(message.slice(at + 2));
    if (text !== undefined) return `${message.slice(0, at)}：${text}`;
  }
  return undefined;
}

// Lines that the library writes in boxes.
const IN_BOXES: [RegExp, string][] = [
  [/^input(?=$|, )/, "输入"],
  [/^output(?=$| \d+$)/, "输出"],
  [/^<param>, not an input$/, "<param>，不是输入"],
  [/^initializer$/, "初始值"],
  [/^([\d,]+) nodes?$/, "$1 个节点"],
  [/\bgraph of ([\d,]+) nodes?/g, "$1 个节点的图"],
  [/^\(no operator\)$/, "（没有算子）"],
  [/^and ([\d,]+) more$/, "另有 $1 个"],
  [/^([\d,]+) multiply-adds?, /, "$1 次乘加，"],
  [/^([\d,]+) parameters?, /, "$1 个参数，"],
];

/** A line in a box in Chinese; one from the file as it is. */
export function chineseInBox(line: string): string {
  const [pattern, text] = IN_BOXES.find(([pattern]) => line.search(pattern) >= 0) ?? [];
  return pattern === undefined ? line : line.replace(pattern, text ?? "");
}

/** A report in Chinese. Names and values from the file stay as they are. */
export function chineseReport(report: string): string {
  return report.split("\n").map((line, at) => (at === 0 ? heading(line) : ofLine(line))).join("\n");
}

/** The first line of a report: the file, what it is, and its length. */
function heading(line: string): string {
  const [, name, what = "", bytes] = /^(.*): ([^:]+), ([\d,]+) bytes?$/s.exec(line) ?? [];
  if (name === undefined) return line;
  return `${name}：${ofFact(what) ?? what}，${bytes} 字节`;
}

function ofLine(line: string): string {
  const [, blanks = "", text = ""] = /^( *)(.*)$/s.exec(line) ?? [];
  // Lines of a table begin with blanks; others have the words of the report.
  if (blanks === "" || text.startsWith("can be: ") || text.startsWith("begins with ")) {
    const whole = ofFact(text);
    if (whole !== undefined) return blanks + whole;
  }
  const [, count, severity, example, diagnostic = ""] = /^( *[\d,]+ {2})(suspicious|refused)(, for example)? +(.*)$/s.exec(line) ?? [];
  if (count !== undefined) {
    const kind = severity === "refused" ? "拒绝" : "可疑";
    return `${count}${kind}${example === undefined ? "" : "，例如"}  ${chinese(diagnostic) ?? diagnostic}`;
  }
  // A binary of a package, and what is in it.
  const [, binary, bytes = "", content = ""] = /^( {2}.* {2}binary +)([\d,]+) bytes?: (.*)$/.exec(line) ?? [];
  if (binary !== undefined) return `${binary}${bytes} 字节：${chinese(content) ?? content}`;
  // A node, its numbers, and why its shape is unknown.
  const [, node, numbers = "", reason = ""] = /^(.*  )([\d,]+ parameters?, )?(\D.*)$/s.exec(line) ?? [];
  const why = node === undefined ? undefined : ofFact(reason);
  if (why !== undefined) return `${node}${numbers.replace(/ parameters?, /, " 个参数，")}${why}`;
  // A tensor that cannot be read, and why.
  const [, tensor, cause = ""] = /^( {2}\S.*?): (.*)$/.exec(line) ?? [];
  const known = tensor === undefined ? undefined : ofFact(cause);
  if (known !== undefined) return `${tensor}：${known}`;
  const outline = line.replace(/(?<=^ *|: | of |\d )(array|table) of ([\d,]+)(?: to ([\d,]+))?( rows?)?(?= |$)/g,
    (_, what: string, least: string, most?: string, rows?: string) =>
      `${what}（${least}${most === undefined ? "" : ` 到 ${most}`} ${rows === undefined ? "项" : "行"}）`);
  if (outline !== line) return outline;
  for (const [end, now] of ENDS) {
    if (end.test(line)) return line.replace(end, (...found: string[]) => now.replace(/\{(\d)\}/g, (_, number: string) => found[Number(number) + 1] ?? ""));
  }
  return line;
}
