import { CHAIN_BYTES, type Entry } from '../raft/entry.ts';
import { putWord, wordAt } from './command.ts';

/**
 * Chain value of an entry in simulations: four words mixed as MurmurHash3 does. It need not resist
 * a forger, only tell apart what chance makes.
 */
export function simulatedChain(previous: Uint8Array, entry: Omit<Entry, 'chain'>): Uint8Array {
  const chain = new Uint8Array(CHAIN_BYTES);
  const { payload } = entry;
  let state =
    Math.imul(Number(entry.index), 0x9e3779b1) ^ Math.imul(Number(entry.term), 0x85ebca77);
  state ^= entry.kind.length;
  for (const byte of payload) state = Math.imul(state ^ byte, 0x01000193);
  for (let at = 0; at < CHAIN_BYTES; at += 4) {
    state = mix(state ^ wordAt(previous, at));
    putWord(chain, at, state);
  }
  return chain;
}

/** The first 48 bits of a chain value, enough to tell the chains of one run apart. */
export function chainNumber(chain: Uint8Array): number {
  return wordAt(chain, 4) * 65_536 + ((chain[8] ?? 0) << 8) + (chain[9] ?? 0);
}

function mix(value: number): number {
  let word = value ^ (value >>> 16);
  word = Math.imul(word, 0x85ebca6b);
  word ^= word >>> 13;
  word = Math.imul(word, 0xc2b2ae35);
  return word ^ (word >>> 16);
}
