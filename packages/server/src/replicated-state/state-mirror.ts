import type { RecordMirror } from '@nervix/consensus';
import type { ReplicatedState } from './replicated-state.js';
import { decodeStored, type StoredRecord } from './write-command.js';

const text = new TextDecoder();

type Writes = Parameters<RecordMirror['changed']>[0];

/**
 * Keeps a state in this thread in step with that of a log in another one: whoever reads here sees
 * what was published there, and nothing before it is durable.
 */
export function stateMirror(state: ReplicatedState): RecordMirror {
  let isRestoring = false;
  return {
    reset() {
      isRestoring = true;
      state.restoring();
    },
    changed(writes, applied) {
      if (!isRestoring) {
        // Only a restored state comes in parts.
        if (applied !== undefined) state.follow(changesOf(writes), Number(applied.revision));
        return;
      }
      for (const [key, stored] of changesOf(writes)) {
        if (stored !== undefined) state.load(key, stored);
      }
      if (applied === undefined) return;
      isRestoring = false;
      state.restored(Number(applied.revision));
    },
  };
}

function* changesOf(
  writes: Writes,
): Generator<readonly [string, StoredRecord | undefined], void, void> {
  for (const { key, value } of writes) {
    yield [text.decode(key), value === undefined ? undefined : decodeStored(value)];
  }
}
