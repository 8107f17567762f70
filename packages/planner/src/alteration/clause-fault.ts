/** Why a clause of an ALTER cannot be applied to the model as the clauses before it left it. */
export class ClauseFault {
  /** In words that name the part at fault; no sentence. */
  readonly reason: string;
  /** Whether the reason stands alone as a message, as those about fields do. */
  readonly isWhole: boolean;

  constructor(reason: string, isWhole = false) {
    this.reason = reason;
    this.isWhole = isWhole;
  }
}

/** What a clause leads to. */
export type Altered<Part> = Part | ClauseFault;

/** Continues with what a clause led to, unless that is a fault. */
export function andThen<Part extends object, Next>(
  part: Altered<Part>,
  next: (part: Part) => Next,
): Next | ClauseFault {
  return part instanceof ClauseFault ? part : next(part);
}
