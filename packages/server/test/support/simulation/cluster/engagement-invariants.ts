import { widerLevel } from '@nervix/planner';
import type { PauseLevel } from '@nervix/runtime/data-plane';
import type {
  CommitStep,
  ExecutionRecord,
  TransactionRecord,
} from '../../../../src/replicated-state/records.ts';
import type { WriteCommand } from '../../../../src/replicated-state/write-command.ts';
import { LEASE_MS, type SimulatedDataPlane } from './simulated-data-plane.ts';
import type { LogProcess } from './simulated-log.ts';

/** Looks at every write of a leader, before it takes its course, for what its data plane holds then. */
export class EngagementInvariants {
  /** Effects that were proposed under gates. */
  margins = 0;

  /** CP-99, CP-106: what is written as confirmed is held at that moment, and for long enough. */
  proposed(dataPlane: SimulatedDataPlane, { put }: WriteCommand): readonly string[] {
    return put.flatMap((record) => {
      if (record.kind !== 'transaction' && record.kind !== 'execution') return [];
      const { domain } = record;
      const step = underWay(record);
      const last = step?.attempts.at(-1)?.outcomes.at(-1)?.kind;
      // What was let go before is another matter.
      if (last === 'REQUESTED') {
        dataPlane.letGo.delete(domain);
        dataPlane.gated.delete(domain);
      }
      if (step === undefined || last !== 'CONFIRMED') return [];
      const isHeld = !dataPlane.letGo.has(domain);
      const held = isHeld ? [] : [`CP-99: '${domain}' is let go before its effect`];
      return [...held, ...this.#leased(dataPlane, domain, step)];
    });
  }

  /** An effect finds its gates closed for another tenth of their lease at least. */
  #leased(
    dataPlane: SimulatedDataPlane,
    domain: string,
    { attempts }: CommitStep,
  ): readonly string[] {
    const isOfGates = attempts.every(({ level }) => level === 'ENTITY_PAUSE');
    if (!isOfGates || !dataPlane.gated.has(domain)) return [];
    this.margins += 1;
    const leftMs = dataPlane.leaseLeftMs(domain);
    const isLong = leftMs !== undefined && leftMs >= LEASE_MS / 10;
    return isLong ? [] : [`CP-106: gates of '${domain}' open in ${leftMs} ms`];
  }
}

/** CP-106: what is held of a running domain was asked for in a record before. */
export function engagementViolations(
  { state, isAdmitted }: LogProcess,
  domain: string,
  level: PauseLevel,
): readonly string[] {
  const owner = state.lease(domain)?.owner;
  // Who was deposed meanwhile writes no effect, and an admission only looks whether a START may be.
  if (owner === undefined || !isAdmitted) return [];
  const record =
    owner.kind === 'transaction' ? state.transaction(owner.id) : state.execution(owner.reference);
  const step = record && underWay(record);
  const asked = step?.attempts.filter(({ outcomes }) => outcomes.at(-1)?.kind === 'REQUESTED');
  if (asked?.some((attempt) => widerLevel(attempt.level, level) === attempt.level)) return [];
  return [`CP-106: '${domain}' is held at ${level} without a record`];
}

/** The step that a commit, or a command by itself, is at. */
function underWay({
  progress,
}: Pick<TransactionRecord | ExecutionRecord, 'progress'>): CommitStep | undefined {
  return progress?.steps.find(({ outcome }) => outcome !== 'APPLIED');
}
