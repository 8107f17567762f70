/** One thing that is wrong with an expression. */
export interface ExpressionFault {
  readonly reason: string;
  /** The node at fault: look its source range up by identity. */
  readonly subject: object;
  /** Advice, such as the name that was probably meant; a sentence without a full stop. */
  readonly hint?: string;
}

/** At least one fault, in the order in which the parts of the expression are evaluated. */
export type ExpressionFaults = readonly [ExpressionFault, ...ExpressionFault[]];

/** A refusal with one fault. */
export function refusedFor(
  reason: string,
  subject: object,
): { readonly kind: 'refused'; readonly faults: ExpressionFaults } {
  return { kind: 'refused', faults: [{ reason, subject }] };
}
