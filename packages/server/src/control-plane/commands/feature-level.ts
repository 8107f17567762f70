import { isRaftError } from '@nervix/consensus';
import type { AlterClusterStatement } from '@nervix/model';
import type { ControlContext } from '../control-context.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { lastOccurrence } from '../refusal-outcome.js';
import { referenceRecord, type Submission } from '../submission.js';

/**
 * Activates a feature level of the cluster. The activation is an entry of the log by itself, so a node
 * that ends between it and the outcome finds the level activated when the command is repeated.
 */
export async function activateFeatureLevel(
  { log, logger, nowMs }: ControlContext,
  submission: Submission,
  { featureLevel: level }: AlterClusterStatement,
): Promise<Outcome> {
  const activated = log.status().level;
  const isActivated = level === String(activated);
  const refusal = isActivated ? undefined : await refusalOf(log, level, activated);
  if (refusal !== undefined) return refused(submission, level, refusal);
  const outcome = completed(`activated feature level ${level}`);
  await log.write({ reference: referenceRecord(submission, outcome, nowMs()) });
  logger.info('feature level activated', { level });
  return outcome;
}

/** Why the level cannot be activated; undefined once it is. */
async function refusalOf(
  log: ControlContext['log'],
  level: string,
  activated: number,
): Promise<string | undefined> {
  const next = activated + 1;
  if (level !== String(next)) {
    return `cannot activate feature level ${level}: the cluster has activated level ${activated}`;
  }
  try {
    await log.activateLevel(next);
    return undefined;
  } catch (error) {
    if (isRaftError(error, 'RAFT_INVALID_CHANGE')) return error.details.problem;
    throw error;
  }
}

function refused({ parsed }: Submission, level: string, message: string): Outcome {
  const { start, end } = lastOccurrence(parsed, level) ?? parsed.span;
  return failed('UNSUPPORTED_LEVEL', message, [{ message, span: { start, end } }]);
}
