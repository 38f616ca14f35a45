// The bytes of a local file: pieces are read when they are in view.
import type { Bytes } from "../../inspect/src/explain/page/dump.js";

const PIECE = 1 << 16;
// Number of cached pieces.
const MOST_PIECES = 64;
// Number of bytes that are searched at once.
const SEARCHED = 4 << 20;

export class FileBytes implements Bytes {
  private readonly pieces = new Map<number, Uint8Array | undefined>();
  private then: () => void = () => undefined;

  constructor(private readonly file: File) {}

  whenMore(then: () => void): void { this.then = then; }

  at(offset: number): number | undefined {
    const place = Math.floor(offset / PIECE);
    if (!this.pieces.has(place)) void this.load(place);
    return this.pieces.get(place)?.[offset - place * PIECE];
  }

  private async load(place: number): Promise<void> {
    this.pieces.set(place, undefined);
    for (const old of this.pieces.keys()) {
      if (this.pieces.size <= MOST_PIECES) break;
      this.pieces.delete(old);
    }
    try {
      const slice = this.file.slice(place * PIECE, (place + 1) * PIECE);
      this.pieces.set(place, new Uint8Array(await slice.arrayBuffer()));
      this.then();
    } catch {
      // The file was deleted; what is in view stays without its bytes.
    }
  }

  async *find(wanted: Uint8Array): AsyncGenerator<number | null> {
    const [first] = wanted;
    if (first === undefined) return;
    const overlap = wanted.length - 1;
    for (let start = 0; start + overlap < this.file.size; start += SEARCHED) {
      const slice = this.file.slice(start, start + SEARCHED + overlap);
      const read = await slice.arrayBuffer().catch(() => undefined);
      // The file was deleted.
      if (read === undefined) return;
      const data = new Uint8Array(read);
      for (let at = data.indexOf(first); at >= 0 && at + overlap < data.length; at = data.indexOf(first, at + 1)) {
        let same = 1;
        while (same < wanted.length && data[at + same] === wanted[same]) same += 1;
        if (same === wanted.length) yield start + at;
      }
      yield null;
    }
  }
}
