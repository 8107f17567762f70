import { assert, equalData, type UdfPlan } from '@nervix/model';
import type { Value } from '../column/column.js';
import { runtimeError } from '../errors.js';
import { invalidArgument, overflow, RowFault } from '../program/row-fault.js';
import type { GuestBudget } from './guest-machine.js';
import { ROW_STATUS } from './guest-prelude.js';
import { GuestStop } from './guest-stop.js';
import type { UdfCallContext, UdfCalls } from './udf-calls.js';
import { UdfGuest, type UdfOutcome, UdfRefusal } from './udf-guest.js';

/** Rows of one run at most; a longer batch is run part by part. */
const ROWS_MAX = 8192;
/** Room of the texts and octets of one run: UTF-16 units and bytes. */
const TEXT_MAX = 8 * 1024 * 1024;
/** Steps that every run may take, and as many again for each of its rows. */
const STEPS_BASE = 20_000_000;
const STEPS_PER_ROW = 100_000;
/** Longest that a run may take, in milliseconds; on a machine of ordinary speed its steps end first. */
const WATCHDOG_MS = 5_000;

const NO_SEED = new Uint8Array(16);

/** What calls are bounded by; a domain has the bounds that are the default. */
export interface UdfLimits {
  /** Rows of one run; a longer batch is run part by part. By default 8,192. */
  readonly rowsMax: number;
  /** UTF-16 units and bytes of the arguments of one run. By default 8 Mi. */
  readonly textMax: number;
  /** Steps that every run may take. By default 20 million. */
  readonly stepsBase: number;
  /** Steps for each row of a run on top of those. By default 100,000. */
  readonly stepsPerRow: number;
  /** Longest that a run may take, in milliseconds. By default 5,000. */
  readonly watchdogMs: number;
}

const LIMITS: UdfLimits = {
  rowsMax: ROWS_MAX,
  textMax: TEXT_MAX,
  stepsBase: STEPS_BASE,
  stepsPerRow: STEPS_PER_ROW,
  watchdogMs: WATCHDOG_MS,
};

interface Entry {
  readonly plan: UdfPlan;
  /** Loaded ahead, or at the first call. */
  guest: UdfGuest | undefined;
}

/** The functions of a domain, each in a guest of its own. */
export class DomainUdfs implements UdfCalls {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #limits: UdfLimits;

  /**
   * @param former those before, whose guests go on where nothing changed
   * @param limits bounds of single calls that differ from the default
   */
  constructor(plans: readonly UdfPlan[], former?: DomainUdfs, limits: Partial<UdfLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
    this.#entries = new Map(
      plans.map((plan) => {
        const known = former === undefined ? undefined : former.#entries.get(plan.name);
        const isSame = known !== undefined && equalData(known.plan, plan);
        return [plan.name, isSame ? known : { plan, guest: undefined }];
      }),
    );
  }

  /**
   * Loads functions that will be called, so that no batch has to wait for that.
   *
   * @throws RuntimeError RUNTIME_UDF_FAILED for code that cannot be loaded
   */
  load(names: Iterable<string>): void {
    for (const name of names) {
      const entry = this.#entry(name);
      entry.guest ??= load(entry.plan);
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  requiredArguments(name: string): readonly number[] {
    const { plan } = this.#entry(name);
    return plan.arguments.flatMap(({ optional }, index) => (optional ? [] : [index]));
  }

  call(
    name: string,
    columns: readonly (readonly Value[])[],
    rowCount: number,
    context: UdfCallContext,
  ): readonly (Value | RowFault)[] {
    const results: (Value | RowFault)[] = [];
    while (results.length < rowCount) {
      const from = results.length;
      const to = this.#runEnd(columns, from, rowCount);
      const part = columns.map((column) => column.slice(from, to));
      for (const result of this.#run(name, part, to - from, context)) results.push(result);
    }
    return results;
  }

  /** Where a run that begins at a row ends: at least one row behind. */
  #runEnd(columns: readonly (readonly Value[])[], from: number, rowCount: number): number {
    const end = Math.min(rowCount, from + this.#limits.rowsMax);
    let room = this.#limits.textMax;
    for (let row = from; row < end; row += 1) {
      for (const column of columns) room -= textSize(column[row] ?? null);
      if (room < 0 && row > from) return row;
    }
    return end;
  }

  #run(
    name: string,
    columns: readonly (readonly Value[])[],
    rowCount: number,
    context: UdfCallContext,
  ): readonly (Value | RowFault)[] {
    const entry = this.#entry(name);
    entry.guest ??= load(entry.plan);
    const { stepsBase, stepsPerRow, watchdogMs } = this.#limits;
    const budget: GuestBudget = { steps: stepsBase + rowCount * stepsPerRow, ms: watchdogMs };
    const seed = entry.plan.volatile ? context.randomBytes(16) : NO_SEED;
    const environment = { nowNanos: context.nowNanos, seed };
    const outcome = entry.guest.run(columns, rowCount, environment, budget);
    if (outcome.kind === 'rows') return rowResults(name, outcome);
    throw runtimeError('RUNTIME_UDF_FAILED', {
      udf: name,
      operation: 'call',
      detail: outcome.detail,
    });
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    assert(entry !== undefined, 'a plan has the UDFs that its expressions call');
    return entry;
  }
}

function load(plan: UdfPlan): UdfGuest {
  try {
    return new UdfGuest(plan);
  } catch (error) {
    if (!(error instanceof UdfRefusal) && !(error instanceof GuestStop)) throw error;
    const details = { udf: plan.name, operation: 'load', detail: error.message } as const;
    throw runtimeError('RUNTIME_UDF_FAILED', details);
  }
}

/** Room that a value takes beside its place, roughly. */
function textSize(value: Value): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  if (!Array.isArray(value)) return 0;
  return (value as readonly Value[]).reduce<number>((sum, each) => sum + 8 + textSize(each), 0);
}

/** Each row's value or null, or why it has none. */
function rowResults(
  name: string,
  { statuses, values, reasons }: Extract<UdfOutcome, { kind: 'rows' }>,
): readonly (Value | RowFault)[] {
  let nextValue = 0;
  let nextReason = 0;
  return Array.from(statuses, (status) => {
    if (status === ROW_STATUS.value) return values[nextValue++] ?? null;
    if (status === ROW_STATUS.absent) return null;
    const reason = status === ROW_STATUS.rejected ? (reasons[nextReason++] ?? '') : '';
    return rowFault(name, status, reason);
  });
}

function rowFault(name: string, status: number, reason: string): RowFault {
  switch (status) {
    case ROW_STATUS.overflow:
      return overflow('numeric overflow');
    case ROW_STATUS.divisionByZero:
      return new RowFault('division_by_zero', 'division by zero or signed overflow');
    case ROW_STATUS.notWhole:
      return invalidArgument('result is no whole number');
    case ROW_STATUS.notFinite:
      return invalidArgument('floating-point operation produced a non-finite result');
    case ROW_STATUS.notText:
      return invalidArgument('result is no well-formed text');
    default:
      return invalidArgument(`UDF '${name}' rejected the row${reason === '' ? '' : `: ${reason}`}`);
  }
}
