import type { ErrorCode } from '@nervix/protocol';
import type { CommitProgress, CommitStep, LeaseOwner } from '../../replicated-state/records.js';
import type { WriteCommand } from '../../replicated-state/write-command.js';

/** What kept a step from being applied. */
export type StepFault =
  /** Something that it was planned from is not what it was. */
  | { readonly kind: 'inputs_changed'; readonly reason: string }
  /** Nothing of it was written. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }
  /** Its effect could not be written; what was there is in force again. */
  | { readonly kind: 'unpublished'; readonly code: ErrorCode; readonly cause: string }
  /** Its effect is written and cannot be used. */
  | {
      readonly kind: 'unusable';
      readonly cause: string;
      readonly isTakenBack: boolean;
      /** Why what was taken back may be at work all the same. */
      readonly remains?: string;
    };

/**
 * Where the steps of a transaction, or of a command that runs by itself, are recorded. Each write
 * holds only if nobody else has written the owner, and has the lease of the domain from the first on.
 */
export interface Journal {
  readonly owner: LeaseOwner;
  /** How the owner marks the domain that it pauses. */
  readonly id: string;
  readonly domain: string;
  /** As recorded last. */
  readonly progress: CommitProgress;
  /** Whether nothing of these steps remains to be done. */
  readonly isOver: boolean;
  /** Whether a START that cannot be brought up leaves the domain stopped. */
  readonly takesStartsBack: boolean;
  /** Why the owner, of which nothing is recorded yet, may not change the domain. */
  refusal(): Extract<StepFault, { kind: 'refused' }> | undefined;
  /**
   * Records progress together with other records.
   *
   * @returns whether the write took effect
   */
  write(progress: CommitProgress, command: Partial<WriteCommand>): Promise<boolean>;
  /** Records that all steps are applied. */
  complete(): Promise<void>;
  /** Records that a step failed, and what else ends with it. */
  fail(
    progress: CommitProgress,
    step: CommitStep,
    fault: StepFault,
    command: Partial<WriteCommand>,
  ): Promise<void>;
}
