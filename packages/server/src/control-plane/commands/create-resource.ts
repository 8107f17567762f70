import type { CreateResourceStatement } from '@nervix/model';
import type { DomainRecord } from '../../replicated-state/records.js';
import { declaration } from '../../resources/resource-catalog.js';
import type { ControlContext } from '../control-context.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { referenceRecord, type Submission } from '../submission.js';

/** Declares a resource. That needs no lock: whatever else changes the domain goes on beside it. */
export async function createResource(
  context: ControlContext,
  submission: Submission,
  { name: domain }: DomainRecord,
  { name, ifNotExists }: CreateResourceStatement,
): Promise<Outcome> {
  const { state, log } = context;
  const existing = (): Outcome => {
    const message = `resource '${name}' already exists`;
    return ifNotExists ? completed(message, true) : failed('ALREADY_EXISTS', message);
  };
  for (;;) {
    if (state.domain(domain) === undefined) {
      return failed('NOT_FOUND', `domain '${domain}' does not exist`);
    }
    if (state.resources.resource(domain, name) !== undefined) return existing();
    const outcome = completed(`created resource '${name}'`);
    const reference = referenceRecord(submission, outcome, context.nowMs());
    const result = await log.write({ ...declaration(state, domain, name), reference });
    if (result.kind === 'raced') continue;
    const facts = { domain, resource: name, execution_reference: submission.reference };
    context.logger.info('resource created', facts);
    return outcome;
  }
}
