import type { CreateDomainStatement } from '@nervix/model';
import { unsupportedDomain } from '@nervix/planner';
import { domainKey } from '../../replicated-state/record-keys.js';
import type { ControlContext } from '../control-context.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { referenceRecord, type Submission } from '../submission.js';

/** Creates a stopped domain. */
export async function createDomain(
  context: ControlContext,
  submission: Submission,
  statement: CreateDomainStatement,
): Promise<Outcome> {
  const { name } = statement;
  const unsupported = unsupportedDomain(statement);
  if (unsupported !== undefined) return failed('UNSUPPORTED_CAPABILITY', unsupported);
  const key = domainKey(name);
  if (context.state.domain(name) !== undefined) {
    const message = `domain '${name}' already exists`;
    return statement.ifNotExists ? completed(message, true) : failed('ALREADY_EXISTS', message);
  }
  const outcome = completed(`created domain '${name}'`);
  const result = await context.log.write({
    fences: [{ key, revision: 0 }],
    put: [
      {
        kind: 'domain',
        name,
        placement: statement.placement,
        status: 'stopped',
        generation: 0,
        lastStart: null,
      },
    ],
    reference: referenceRecord(submission, outcome, context.nowMs()),
  });
  if (result.kind === 'raced') return createDomain(context, submission, statement);
  context.logger.info('domain created', {
    domain: name,
    execution_reference: submission.reference,
  });
  return outcome;
}
