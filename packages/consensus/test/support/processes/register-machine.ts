import type {
  AppliedPosition,
  ApplyContext,
  ApplyOutcome,
  Entry,
  StateMachine,
  StateRecord,
} from '../../../src/index.ts';

/** An operation that changes a register of numbers. */
export interface RegisterCommand {
  readonly kind: 'put' | 'compareAndSet' | 'increment';
  readonly key: number;
  readonly value: number;
  readonly expected: number;
  /** Bytes that only make the command larger. */
  readonly padding?: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encodeRegisterCommand(command: RegisterCommand): Uint8Array {
  return encoder.encode(JSON.stringify(command));
}

/** Registers from here on say up to which run a node was dropped; clients use those below. */
const DROPPED_KEY = 1_000_000_000;

function droppedKey(nodeId: string): number {
  return DROPPED_KEY + Number(nodeId.slice(1));
}

/** Notes for every leader that this run of the node, and those before it, are over. */
export function dropCommand(nodeId: string, incarnation: bigint): RegisterCommand {
  return { kind: 'put', key: droppedKey(nodeId), value: Number(incarnation), expected: 0 };
}

/** Registers of numbers that begin with 0, as a replicated state machine. */
export class ProcessRegisters implements StateMachine {
  #working = new Map<number, number>();
  #published = new Map<number, number>();
  #changed = new Set<number>();
  /** Position in the log that {@link read} shows. */
  publishedIndex = 0n;

  read(key: number): number {
    return this.#published.get(key) ?? 0;
  }

  /** Newest run of the node that was dropped; 0 when none was. */
  droppedThrough(nodeId: string): bigint {
    return BigInt(this.read(droppedKey(nodeId)));
  }

  async restore(records: AsyncIterable<StateRecord>, applied: AppliedPosition): Promise<void> {
    this.#working = new Map();
    for await (const { key, value } of records) {
      this.#working.set(Number(decoder.decode(key)), JSON.parse(decoder.decode(value)).value);
    }
    this.#published = new Map(this.#working);
    this.#changed = new Set();
    this.publishedIndex = applied.index;
  }

  apply(entry: Entry, { level }: ApplyContext): ApplyOutcome {
    const command = JSON.parse(decoder.decode(entry.payload)) as RegisterCommand;
    const { kind, key, expected, padding } = command;
    const before = this.#working.get(key) ?? 0;
    const isRefused = kind === 'compareAndSet' && before !== expected;
    const after = kind === 'increment' ? before + 1 : command.value;
    const answer = kind === 'compareAndSet' ? Number(!isRefused) : after;
    const result = encoder.encode(String(answer));
    if (isRefused) return { writes: [], result };
    this.#working.set(key, after);
    this.#changed.add(key);
    // From level 2 on a record says at which level it was written.
    const written = level > 1 ? { value: after, padding, level } : { value: after, padding };
    const value = encoder.encode(JSON.stringify(written));
    return { writes: [{ key: encoder.encode(String(key)), value }], result };
  }

  publish({ index }: AppliedPosition): void {
    this.publishedIndex = index;
    for (const key of this.#changed) this.#published.set(key, this.#working.get(key) ?? 0);
    this.#changed = new Set();
  }
}
