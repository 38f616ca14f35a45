// Example files, embedded in the web viewer.
import block from "../../tests/fixtures/molecule/blocks/block-40.bin";
import blockchain from "../../tests/fixtures/molecule/schemas/blockchain.mol";
import players from "../../tests/fixtures/biniou/data/save.players-ten.biniou";
import save from "../../tests/fixtures/biniou/schemas/save.atd";
import network from "../../tests/fixtures/tsm/good/cnn_small.tsm";
import model from "../../tests/fixtures/primitiv/saved/z_digits_momentum.model";
import type { Words } from "./words.ts";

export interface Example { id: keyof Words["examples"]; files: () => File[] }

function file(name: string, bytes: Uint8Array): File {
  return new File([bytes as Uint8Array<ArrayBuffer>], name);
}

/** The network with a negative tensor dimension. */
function damaged(): Uint8Array {
  const bytes = network.slice();
  // The type of floats and the count of four dims, followed by the first dim.
  const head = [10, 4, 0, 0, 0];
  const at = bytes.findIndex((_, start) => head.every((byte, place) => bytes[start + place] === byte));
  bytes[at + head.length + 3] = 0xff;
  return bytes;
}

export const examples: Example[] = [
  { id: "module", files: () => [file("cnn_small.tsm", network)] },
  { id: "save", files: () => [file("players.biniou", players), file("save.atd", save)] },
  { id: "block", files: () => [file("block.bin", block), file("blockchain.mol", blockchain)] },
  { id: "model", files: () => [file("digits.model", model)] },
  { id: "damaged", files: () => [file("damaged.tsm", damaged())] },
];
