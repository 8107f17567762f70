import type {
  AppliedPosition,
  ApplyContext,
  ApplyOutcome,
  Entry,
  StateMachine,
  StateRecord,
  StateWrite,
} from '../../src/index.ts';

/** Commands of the ledger: put, delete, several puts at once, nothing, or a failing one. */
export type LedgerCommand =
  | { readonly op: 'put'; readonly key: string; readonly value: string }
  | { readonly op: 'delete'; readonly key: string }
  | { readonly op: 'putAll'; readonly keys: readonly string[]; readonly value: string }
  | { readonly op: 'touch' }
  | { readonly op: 'fail' };

const text = new TextEncoder();
const textOf = new TextDecoder();

/** The payload of a command. */
export function encodeCommand(command: LedgerCommand): Uint8Array {
  return text.encode(JSON.stringify(command));
}

/** Inverse of {@link encodeCommand}. */
export function decodeCommand(payload: Uint8Array): LedgerCommand {
  return JSON.parse(textOf.decode(payload)) as LedgerCommand;
}

function writesOf(command: LedgerCommand): StateWrite[] {
  switch (command.op) {
    case 'put':
      return [{ key: text.encode(command.key), value: text.encode(command.value) }];
    case 'delete':
      return [{ key: text.encode(command.key), value: undefined }];
    case 'putAll':
      return command.keys.map((key) => ({
        key: text.encode(key),
        value: text.encode(command.value),
      }));
    case 'touch':
      return [];
    case 'fail':
      throw new Error('the ledger fails on purpose');
  }
}

function applyTo(state: Map<string, string>, writes: readonly StateWrite[]): void {
  for (const { key, value } of writes) {
    if (value === undefined) state.delete(textOf.decode(key));
    else state.set(textOf.decode(key), textOf.decode(value));
  }
}

/** The state that a log of ledger commands makes. */
export function foldLog(entries: readonly Entry[]): Map<string, string> {
  const state = new Map<string, string>();
  for (const entry of entries) {
    if (entry.kind === 'normal') applyTo(state, writesOf(decodeCommand(entry.payload)));
  }
  return state;
}

/** The records of a store as text. */
export async function textRecords(
  records: AsyncIterable<StateRecord>,
): Promise<Map<string, string>> {
  const state = new Map<string, string>();
  for await (const { key, value } of records) state.set(textOf.decode(key), textOf.decode(value));
  return state;
}

/** A map of texts as a replicated state machine. `published` changes only when it may be seen. */
export class LedgerMachine implements StateMachine {
  readonly working = new Map<string, string>();
  published = new Map<string, string>();
  readonly appliedEntries: Entry[] = [];
  readonly publications: AppliedPosition[] = [];
  restoredAt: AppliedPosition | undefined;

  async restore(records: AsyncIterable<StateRecord>, applied: AppliedPosition): Promise<void> {
    for (const [key, value] of await textRecords(records)) this.working.set(key, value);
    this.published = new Map(this.working);
    this.restoredAt = applied;
  }

  apply(entry: Entry, context: ApplyContext): ApplyOutcome {
    const writes = writesOf(decodeCommand(entry.payload));
    this.appliedEntries.push(entry);
    applyTo(this.working, writes);
    return { writes, result: text.encode(`${entry.index}@${context.revision}`) };
  }

  publish(applied: AppliedPosition): void {
    this.published = new Map(this.working);
    this.publications.push(applied);
  }
}
