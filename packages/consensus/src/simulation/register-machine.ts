import type { ApplyContext, ApplyOutcome, StateMachine } from '../node/state-machine.ts';
import type { Entry } from '../raft/entry.ts';
import type { AppliedPosition, StateWrite } from '../storage/log-storage.ts';
import { decodeCommand, putWord } from './command.ts';

/** Told of everything that a machine applies and publishes. */
export interface MachineObserver {
  applied(entry: Entry, context: ApplyContext, operation: number): void;
  published(position: AppliedPosition, registers: readonly number[]): void;
}

/** The simulated application: a few registers that hold numbers. */
export class RegisterMachine implements StateMachine {
  readonly #observer: MachineObserver;
  #working: number[];
  #published: readonly number[];

  constructor(registers: readonly number[], observer: MachineObserver) {
    this.#working = [...registers];
    this.#published = [...registers];
    this.#observer = observer;
  }

  /** Value of a register as readers see it. */
  read(key: number): number {
    return this.#published[key] ?? 0;
  }

  /** Simulations restore by {@link reset}. */
  restore(): void {}

  reset(registers: readonly number[]): void {
    this.#working = [...registers];
    this.#published = [...registers];
  }

  apply(entry: Entry, context: ApplyContext): ApplyOutcome {
    const command = decodeCommand(entry.payload);
    this.#observer.applied(entry, context, command.operation);
    const before = this.#working[command.key] ?? 0;
    let after = command.value;
    let answer = command.value;
    if (command.kind === 'increment') {
      after = before + 1;
      answer = after;
    } else if (command.kind === 'compareAndSet') {
      answer = before === command.expected ? 1 : 0;
      if (answer === 0) after = before;
    }
    const result = new Uint8Array(4);
    putWord(result, 0, answer);
    if (after === before && command.kind === 'compareAndSet') return { writes: [], result };
    this.#working[command.key] = after;
    const value = new Uint8Array(4);
    putWord(value, 0, after);
    const writes: StateWrite[] = [{ key: Uint8Array.of(command.key), value }];
    return { writes, result };
  }

  publish(position: AppliedPosition): void {
    this.#published = [...this.#working];
    this.#observer.published(position, this.#published);
  }
}
