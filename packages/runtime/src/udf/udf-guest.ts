import { assert, type DataType, type UdfPlan } from '@nervix/model';
import type { Value } from '../column/column.js';
import {
  type GuestBudget,
  GuestMachine,
  type GuestPart,
  type GuestValue,
} from './guest-machine.js';
import { CODE_FILE, GUEST_PRELUDE, ROW_STATUS } from './guest-prelude.js';
import { GUEST_RUN } from './guest-prelude-run.js';
import { GuestStop, trapped } from './guest-stop.js';
import { partsOf, valuesOf } from './udf-values.js';

/** What the host tells a guest of the unit of work; volatile functions alone read it. */
export interface UdfEnvironment {
  /** Domain time in nanoseconds since 1970. */
  readonly nowNanos: bigint;
  /** 16 bytes that decide all random values of the run. */
  readonly seed: Uint8Array;
}

/** Results of some rows, or why there is none of any. */
export type UdfOutcome =
  | {
      readonly kind: 'rows';
      /** What became of each row, of `ROW_STATUS`. */
      readonly statuses: Uint8Array;
      /** Results of the rows that have one, in order. */
      readonly values: readonly Value[];
      /** Reasons of the rows that were rejected, in order; empty where none may be told. */
      readonly reasons: readonly string[];
    }
  | { readonly kind: 'failed'; readonly detail: string };

/** Loading takes as much as code of 64 KiB may need. */
const LOAD_BUDGET: GuestBudget = { steps: 500_000_000, ms: 10_000 };

/** Functions of the prelude, by their place in what it gives. */
const PRELUDE = { start: 0, seal: 1, probe: 2, test: 3, run: 4, report: 5 } as const;

/** Refused code: why. */
export class UdfRefusal extends Error {
  override readonly name = 'UdfRefusal';
}

/**
 * A UDF in a machine of its own. Every run begins with the machine as it was when the code had been
 * loaded, so nothing that one does is there for another.
 */
export class UdfGuest {
  readonly #plan: UdfPlan;
  readonly #machine = new GuestMachine();
  #prelude: GuestValue = 0;

  /**
   * Loads the code of a UDF.
   *
   * @param isTested whether its tests are kept for {@link test}
   * @throws UdfRefusal when it is no code of a UDF
   * @throws GuestStop when it takes more than its budget
   */
  constructor(plan: UdfPlan, isTested = false, budget: GuestBudget = LOAD_BUDGET) {
    this.#plan = plan;
    this.#machine.spend(budget, () => this.#load(isTested));
    this.#machine.keep();
  }

  /** Steps that the last run took. */
  get stepsTaken(): number {
    return this.#machine.stepsTaken;
  }

  /**
   * Calls the UDF for rows whose arguments are given column by column; those that are required are
   * never null.
   */
  run(
    columns: readonly (readonly Value[])[],
    rowCount: number,
    environment: UdfEnvironment,
    budget: GuestBudget,
  ): UdfOutcome {
    const machine = this.#machine;
    machine.restore();
    return unlessStopped(() =>
      machine.spend(budget, () => {
        const parts = [environmentPart(environment, rowCount), ...this.#argumentParts(columns)];
        const entered = parts.map((part) => machine.enter(part));
        const result = machine.call(this.#function('run'), entered);
        // The prelude catches what code throws, but for a lack of memory: that nobody catches.
        if (result === undefined) return failed(trapped('InternalError'));
        return this.#outcome(result);
      }),
    );
  }

  /**
   * Runs the tests; what is wrong with the first that fails, or an empty text.
   *
   * @throws GuestStop when they take more than the budget
   */
  test(budget: GuestBudget): string {
    this.#machine.restore();
    return this.#machine.spend(budget, () => this.#answer('test', []));
  }

  /** Which volatile function code that is not volatile was seen to call, or an empty text. */
  probe(budget: GuestBudget): string {
    this.#machine.restore();
    try {
      return this.#machine.spend(budget, () => this.#answer('probe', []));
    } catch (error) {
      if (!(error instanceof GuestStop)) throw error;
      return '';
    }
  }

  #load(isTested: boolean): void {
    const machine = this.#machine;
    const prelude = machine.evaluate(GUEST_PRELUDE + GUEST_RUN, 'prelude');
    assert(prelude !== undefined, 'the prelude runs');
    this.#prelude = prelude;
    this.#answer('start', [machine.enter(this.#specification(isTested))]);
    const { code, name } = this.#plan;
    if (machine.evaluate(code, CODE_FILE) === undefined) throw this.#compilationRefusal();
    const entry = machine.evaluate(name, 'entry');
    if (entry === undefined) throw new UdfRefusal(signature(`no function '${name}' is declared`));
    const defect = this.#answer('seal', [entry]);
    if (defect !== '') throw new UdfRefusal(signature(defect));
  }

  #specification(isTested: boolean): string {
    const { code, volatile: isVolatile, arguments: parameters, returns } = this.#plan;
    const portable = ({ type, optional }: typeof returns) => ({ type, optional });
    return JSON.stringify({
      code,
      lines: code.split('\n').length,
      isVolatile,
      isTested,
      parameters: parameters.map(portable),
      returns: portable(returns),
    });
  }

  #compilationRefusal(): UdfRefusal {
    const diagnostics = this.#answer('report', [this.#machine.thrown()]);
    return new UdfRefusal(`ECMAScript compilation failed:\n${diagnostics}`);
  }

  #function(name: keyof typeof PRELUDE): GuestValue {
    return this.#machine.element(this.#prelude, PRELUDE[name]);
  }

  /** Text that a function of the prelude answers. */
  #answer(name: keyof typeof PRELUDE, values: readonly GuestValue[]): string {
    const machine = this.#machine;
    const answer = machine.call(this.#function(name), values);
    if (answer === undefined) throw new GuestStop(trapped('InternalError'));
    const text = machine.leave(answer);
    assert(typeof text === 'string', 'the prelude answers in text');
    return text;
  }

  #argumentParts(columns: readonly (readonly Value[])[]): readonly GuestPart[] {
    return this.#plan.arguments.flatMap(({ type, optional }, index) => {
      const values = columns[index] ?? [];
      if (!optional) return partsOf(type, values);
      const present = Uint8Array.from(values, (value) => (value === null ? 0 : 1));
      const absent = zeroOf(type);
      return [
        present,
        ...partsOf(
          type,
          values.map((value) => value ?? absent),
        ),
      ];
    });
  }

  #outcome(result: GuestValue): UdfOutcome {
    const machine = this.#machine;
    let index = 0;
    const parts: Iterator<GuestPart> = {
      next: () => ({ value: machine.leave(machine.element(result, index++)) }),
    };
    const { value: statuses } = parts.next();
    if (typeof statuses === 'string') return failed(failureDetail(statuses));
    const { value: reasons } = parts.next();
    assert(typeof reasons === 'string', 'a guest tells the reasons of its rejections');
    assert(statuses instanceof Uint8Array, 'a guest tells what became of each row');
    const count = statuses.filter((status) => status === ROW_STATUS.value).length;
    const values = valuesOf(this.#plan.returns.type, parts, count);
    return { kind: 'rows', statuses, values, reasons: JSON.parse(reasons) as string[] };
  }
}

function environmentPart({ nowNanos, seed }: UdfEnvironment, rowCount: number): Uint8Array {
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  view.setBigInt64(0, nowNanos, true);
  bytes.set(seed.subarray(0, 16), 8);
  view.setUint32(24, rowCount, true);
  return bytes;
}

/** A value that stands where there is none; nothing reads it. */
function zeroOf(type: DataType): Value {
  if (typeof type !== 'string') {
    return type.kind === 'vec' ? [] : new Array<Value>(type.length).fill(zeroOf(type.element));
  }
  if (type === 'STRING') return '';
  if (type === 'BYTES') return new Uint8Array(0);
  if (type === 'BOOL') return false;
  return type === 'I64' || type === 'U64' || type === 'DATETIME' ? 0n : 0;
}

function unlessStopped(run: () => UdfOutcome): UdfOutcome {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof GuestStop)) throw error;
    return failed(error.message);
  }
}

function failed(detail: string): UdfOutcome {
  return { kind: 'failed', detail };
}

function failureDetail(text: string): string {
  return text.startsWith(TRAP) ? trapped(text.slice(TRAP.length)) : text;
}

/** How the prelude begins the name of an error that code did not catch. */
const TRAP = 'trap: ';

function signature(defect: string): string {
  return `ECMAScript entry signature is invalid: ${defect}`;
}
