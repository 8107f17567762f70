import type { SourceSpan } from '@nervix/model';
import type { FailureKind } from './row-set.js';

/** Thrown inside the evaluation of one row and caught by the loop over rows. */
export class RowFault extends Error {
  override readonly name = 'RowFault';
  readonly kind: FailureKind;
  /** Says what failed; an operation made of others tells its own failure. */
  detail: string;
  /** Where the failing expression stands; set by the innermost expression that knows. */
  span: SourceSpan | undefined;

  constructor(kind: FailureKind, detail: string) {
    super(detail);
    this.kind = kind;
    this.detail = detail;
  }
}

export function overflow(detail: string): RowFault {
  return new RowFault('overflow', detail);
}

export function invalidArgument(detail: string): RowFault {
  return new RowFault('invalid_argument', detail);
}
