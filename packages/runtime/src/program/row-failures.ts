import type { ErrorOperation, SourceSpan } from '@nervix/model';
import { identityRows } from './identity-rows.js';
import type { FailureKind, RowFailure } from './row-set.js';

/** What an expression belongs to; every failure of it says so. */
export interface OperationContext {
  readonly operation: ErrorOperation;
  readonly operationIndex: number | null;
  readonly paths: readonly string[];
}

/** A way in which an expression can fail. */
export interface FailureSite {
  readonly kind: FailureKind;
  readonly detail: string;
  readonly span: SourceSpan | undefined;
}

/** Failures of one run over rows: at most one a row, the first. */
export class RowFailures {
  /** Non-zero for the rows that failed, which loops skip; null as long as none has. */
  marks: Uint8Array | null = null;
  readonly #rowCount: number;
  readonly #failures: RowFailure[] = [];
  #context: OperationContext;

  constructor(rowCount: number, context: OperationContext) {
    this.#rowCount = rowCount;
    this.#context = context;
  }

  get count(): number {
    return this.#failures.length;
  }

  /** Later failures belong to this operation. */
  enter(context: OperationContext): void {
    this.#context = context;
  }

  add(row: number, { kind, detail, span }: FailureSite): void {
    this.failed[row] = 1;
    this.#failures.push({
      row,
      ...this.#context,
      kind,
      detail,
      ...(span === undefined ? {} : { span }),
    });
  }

  /** The failures in row order. */
  list(): readonly RowFailure[] {
    return this.#failures.sort((left, right) => left.row - right.row);
  }

  /** The marks of all rows, for those who set them. */
  get failed(): Uint8Array {
    this.marks ??= new Uint8Array(this.#rowCount);
    return this.marks;
  }

  isFailed(row: number): boolean {
    return this.marks !== null && this.marks[row] !== 0;
  }

  /** Rows without a failure, in order. */
  survivors(): Int32Array {
    if (this.#failures.length === 0) return identityRows(this.#rowCount);
    const rows = new Int32Array(this.#rowCount - this.#failures.length);
    let count = 0;
    for (let row = 0; row < this.#rowCount; row += 1) {
      if (!this.isFailed(row)) rows[count++] = row;
    }
    return rows;
  }
}
