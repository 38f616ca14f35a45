// Files that are embedded as deflated bytes.
declare module "*.bin" { const bytes: Uint8Array<ArrayBuffer>; export default bytes; }
declare module "*.mol" { const bytes: Uint8Array<ArrayBuffer>; export default bytes; }
declare module "*.atd" { const bytes: Uint8Array<ArrayBuffer>; export default bytes; }
declare module "*.biniou" { const bytes: Uint8Array<ArrayBuffer>; export default bytes; }
declare module "*.tsm" { const bytes: Uint8Array<ArrayBuffer>; export default bytes; }
declare module "*.model" { const bytes: Uint8Array<ArrayBuffer>; export default bytes; }
