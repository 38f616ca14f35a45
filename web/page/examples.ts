// Example files, embedded in the web viewer.
import block from "../../tests/fixtures/molecule/blocks/block-40.bin";
import blockchain from "../../tests/fixtures/molecule/schemas/blockchain.mol";
import players from "../../tests/fixtures/biniou/data/save.players-ten.biniou";
import save from "../../tests/fixtures/biniou/schemas/save.atd";
import network from "../../tests/fixtures/tsm/good/cnn_small.tsm";
import model from "../../tests/fixtures/primitiv/saved/z_digits_momentum.model";
import { inflated } from "./inflate.ts";
import type { Words } from "./words.ts";

export interface Example { id: keyof Words["examples"]; files: () => Promise<File[]> }

type Embedded = Uint8Array<ArrayBuffer>;

async function unpacked(files: [name: string, bytes: Embedded][]): Promise<File[]> {
  return Promise.all(files.map(async ([name, bytes]) => new File([await inflated(bytes)], name)));
}

/** The network with a negative tensor dimension. */
async function damaged(): Promise<File[]> {
  const bytes = new Uint8Array(await inflated(network));
  // The type of floats and the count of four dims, followed by the first dim.
  const head = [10, 4, 0, 0, 0];
  const at = bytes.findIndex((_, start) => head.every((byte, place) => bytes[start + place] === byte));
  bytes[at + head.length + 3] = 0xff;
  return [new File([bytes], "damaged.tsm")];
}

export const examples: Example[] = [
  { id: "module", files: () => unpacked([["cnn_small.tsm", network]]) },
  { id: "save", files: () => unpacked([["players.biniou", players], ["save.atd", save]]) },
  { id: "block", files: () => unpacked([["block.bin", block], ["blockchain.mol", blockchain]]) },
  { id: "model", files: () => unpacked([["digits.model", model]]) },
  { id: "damaged", files: damaged },
];
