/** The rule that a run broke: an invariant by its number, or what else a run must show. */
export type ViolatedRule =
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I5'
  | 'I6'
  | 'I7'
  | 'I8'
  | 'I9'
  | 'I10'
  | 'I11'
  | 'I12'
  | 'I13'
  /** A command whose refusal said that it has no effect had one. */
  | 'refusal'
  /** The history of the clients has no order that explains it. */
  | 'linearizability'
  /** Something has the shape of another feature level than it must have. */
  | 'level'
  /** A member halted that had no reason to. */
  | 'halt'
  /** The code under test threw. */
  | 'assertion'
  /** With all faults gone the cluster did not come together again. */
  | 'heal'
  /** A healthy leader was lost, or a useless one stayed. */
  | 'stability';

/** What went wrong in a run first. */
export interface Violation {
  readonly rule: ViolatedRule;
  readonly text: string;
}
