import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../assert.ts';
import { MalformedBytesError } from './byte-codec.ts';
import { EntrySequence } from './entry-sequence.ts';
import { blockKey } from './level-keys.ts';
import { BlockCursor } from './log-block.ts';
import { BLOCK_HEAD_BYTES, type BlockParcel, type LogStart } from './log-verification.ts';
import { decodeRecord, RECORD_KIND } from './record-frame.ts';

const port = parentPort;
assert(port !== null, 'a log is verified in a worker thread');
const { epoch, purged, level } = workerData as LogStart;
const sequence = new EntrySequence(purged);

function isWhole({ bytes, count }: BlockParcel): boolean {
  const view = new DataView(bytes);
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    const first = view.getBigUint64(at);
    const length = view.getUint32(at + 8);
    const value = new Uint8Array(bytes, at + BLOCK_HEAD_BYTES, length);
    if (!isBlockWhole(first, value)) return false;
    at += BLOCK_HEAD_BYTES + length;
  }
  return true;
}

/** The block begins with the next entry, or with entries that were purged. */
function isBlockWhole(first: bigint, value: Uint8Array): boolean {
  try {
    const payload = decodeRecord(RECORD_KIND.block, blockKey({ epoch, first }), value, level);
    const cursor = new BlockCursor(payload, first);
    while (cursor.next()) if (cursor.index === sequence.next) sequence.take(cursor);
    return true;
  } catch (error) {
    if (error instanceof MalformedBytesError) return false;
    throw error;
  }
}

port.on('message', (parcel: BlockParcel) => {
  const verdict = { bytes: parcel.bytes, isWhole: isWhole(parcel) };
  port.postMessage(verdict, [verdict.bytes]);
});
