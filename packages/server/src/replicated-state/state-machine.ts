import type { StateMachine } from '@nervix/consensus';
import type { ReplicatedState } from './replicated-state.js';
import { decodeCommand, decodeStored, encodeResult, encodeStored } from './write-command.js';

const utf8 = new TextEncoder();
const text = new TextDecoder();

/** Adapts the replicated state to the log: commands in, changed records and an answer out. */
export function replicatedStateMachine(state: ReplicatedState): StateMachine {
  return {
    async restore(records, applied) {
      state.restoring();
      for await (const { key, value } of records) state.load(text.decode(key), decodeStored(value));
      state.restored(Number(applied.revision));
    },
    apply(entry, context) {
      const command = decodeCommand(entry.payload);
      const applied = state.apply(command, entry.index, Number(context.revision), entry.term);
      const writes = [...applied.changed].map(([key, stored]) => ({
        key: utf8.encode(key),
        value: stored === undefined ? undefined : encodeStored(stored),
      }));
      return { writes, result: encodeResult(applied.result) };
    },
    publish(applied) {
      state.publish(applied.index);
    },
  };
}
