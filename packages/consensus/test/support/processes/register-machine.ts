import type { ApplyOutcome, Entry, StateMachine, StateRecord } from '../../../src/index.ts';

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

/** Registers of numbers that begin with 0, as a replicated state machine. */
export class ProcessRegisters implements StateMachine {
  #working = new Map<number, number>();
  #published = new Map<number, number>();
  #changed = new Set<number>();

  read(key: number): number {
    return this.#published.get(key) ?? 0;
  }

  async restore(records: AsyncIterable<StateRecord>): Promise<void> {
    this.#working = new Map();
    for await (const { key, value } of records) {
      this.#working.set(Number(decoder.decode(key)), JSON.parse(decoder.decode(value)).value);
    }
    this.#published = new Map(this.#working);
    this.#changed = new Set();
  }

  apply(entry: Entry): ApplyOutcome {
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
    const value = encoder.encode(JSON.stringify({ value: after, padding }));
    return { writes: [{ key: encoder.encode(String(key)), value }], result };
  }

  publish(): void {
    for (const key of this.#changed) this.#published.set(key, this.#working.get(key) ?? 0);
    this.#changed = new Set();
  }
}
