// Messages about damaged ONNX models in Chinese.
export const OF_ONNX: [string, string][] = [
  ["not an ONNX model: {} at byte {n}; export or copy the whole file again", "不是 ONNX 模型：{~0}（字节 {1}）；请重新导出或完整复制此文件"],
  ["not an ONNX model: {}", "不是 ONNX 模型：{~0}"],
  ["invalid wire type value: {}", "无效的线路类型 {0}"],
  ["invalid wire type: {} (expected {})", "线路类型为 {0}，应为 {1}"],
  ["invalid key value: {}", "无效的字段键 {0}"],
  ["invalid tag value: 0", "字段编号为 0"],
  ["invalid varint", "无效的变长整数"],
  ["buffer underflow", "数据提前结束"],
  ["delimited length exceeded", "内容超出其长度"],
  ["unexpected end group tag", "意外的组结束标记"],
  ["recursion limit reached", "嵌套过深"],
  ["invalid string value: data is not UTF-8 encoded", "文本不是有效的 UTF-8"],
  ["length delimiter exceeds maximum usize value", "长度超出上限"],
  ["{}.{}: {}", "{0}.{1}：{=2}"],
  ["a field of {} bytes, of which {} are there", "字段有 {0} 字节，只剩 {1} 字节"],
];
