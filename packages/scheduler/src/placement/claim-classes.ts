import type { Steps } from '../steps.js';
import { type BitMatrix, bitMatrix } from './bit-matrix.js';
import type { Adjacency } from './placement-graph.js';
import { transposeSteps } from './transpose.js';

const NODES_A_STEP = 1_024;

/** Graph nodes that lie in the same corridors, in order of their smallest members. */
export interface ClaimClasses {
  readonly classOf: Int32Array;
  readonly members: Adjacency;
  /** Bit (class, corridor). */
  readonly signatures: BitMatrix;
}

/**
 * Sorts graph nodes by the corridors they lie in.
 *
 * @param corridors one row a corridor, one column a graph node
 */
export function* claimClasses(corridors: BitMatrix): Steps<ClaimClasses> {
  const byNode = yield* transposeSteps(corridors);
  yield;
  const classOf = new Int32Array(byNode.rows).fill(-1);
  const firsts: number[] = [];
  const known = new Map<number, number[]>();
  for (let node = 0; node < byNode.rows; node += 1) {
    if (node % NODES_A_STEP === 0) yield;
    const hash = rowHash(byNode, node);
    if (hash === undefined) continue;
    const alike = known.get(hash) ?? [];
    const same = alike.find((index) => sameRows(byNode, firsts[index] ?? 0, node));
    classOf[node] = same ?? firsts.length;
    if (same !== undefined) continue;
    known.set(hash, [...alike, firsts.length]);
    firsts.push(node);
  }
  const signatures = bitMatrix(firsts.length, byNode.columns);
  for (const [index, first] of firsts.entries()) {
    const start = first * byNode.words;
    signatures.bits.set(byNode.bits.subarray(start, start + byNode.words), index * byNode.words);
  }
  return { classOf, members: membersOf(classOf, firsts.length), signatures };
}

/** Number of graph nodes in a class. */
export function classSize({ members: { starts } }: ClaimClasses, index: number): number {
  return (starts[index + 1] ?? 0) - (starts[index] ?? 0);
}

/** Mixes the words of a row; undefined when no bit is set. */
function rowHash({ bits, words }: BitMatrix, row: number): number | undefined {
  let hash = 0;
  let any = 0;
  for (let index = row * words; index < (row + 1) * words; index += 1) {
    const word = bits[index] ?? 0;
    any |= word;
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return any === 0 ? undefined : hash;
}

function sameRows({ bits, words }: BitMatrix, left: number, right: number): boolean {
  for (let word = 0; word < words; word += 1) {
    if (bits[left * words + word] !== bits[right * words + word]) return false;
  }
  return true;
}

function membersOf(classOf: Int32Array, classes: number): Adjacency {
  const starts = new Uint32Array(classes + 1);
  for (const index of classOf) if (index >= 0) starts[index + 1] = (starts[index + 1] ?? 0) + 1;
  for (let index = 0; index < classes; index += 1) {
    starts[index + 1] = (starts[index + 1] ?? 0) + (starts[index] ?? 0);
  }
  const targets = new Uint32Array(starts[classes] ?? 0);
  const next = starts.slice();
  for (const [node, index] of classOf.entries()) {
    if (index < 0) continue;
    const place = next[index] ?? 0;
    targets[place] = node;
    next[index] = place + 1;
  }
  return { starts, targets };
}
