import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../assert.ts';
import type { ChainedPosition } from '../raft/entry.ts';
import { EntrySequence } from './entry-sequence.ts';
import { entryKey } from './level-keys.ts';
import type { EntryParcel, ParcelVerdict } from './log-verification.ts';

const port = parentPort;
assert(port !== null, 'a log is verified in a worker thread');
const sequence = new EntrySequence(workerData as ChainedPosition);

function isWhole({ bytes, count }: EntryParcel): boolean {
  const view = new DataView(bytes);
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    const length = view.getUint32(at);
    // The key itself was looked at where the entry was read.
    if (!sequence.take(entryKey(sequence.next), new Uint8Array(bytes, at + 4, length)))
      return false;
    at += 4 + length;
  }
  return true;
}

port.on('message', (parcel: EntryParcel) => {
  const verdict: ParcelVerdict = { bytes: parcel.bytes, isWhole: isWhole(parcel) };
  port.postMessage(verdict, [verdict.bytes]);
});
