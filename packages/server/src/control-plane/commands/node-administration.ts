import { assert, type NodeStatement, unreachable } from '@nervix/model';
import { drainReport, planDrain, resolveDomain } from '@nervix/scheduler';
import { cordonKey } from '../../replicated-state/record-keys.js';
import type { ControlContext } from '../control-context.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { lastOccurrence } from '../refusal-outcome.js';
import { clusterNodes } from '../scheduling/cluster-nodes.js';
import { publishSchedules } from '../scheduling/publish-schedules.js';
import { refusedMove } from '../scheduling/refused-move.js';
import { scheduledDomain } from '../scheduling/scheduled-domain.js';
import { unsupportedMove } from '../scheduling/unsupported-move.js';
import { referenceRecord, type Submission } from '../submission.js';

/** Runs a statement about one cluster node. */
export async function administerNode(
  context: ControlContext,
  submission: Submission,
  statement: NodeStatement,
): Promise<Outcome> {
  const { node, kind } = statement;
  if (!clusterNodes(context).some(({ name }) => name === node)) {
    return unknownNode(submission, statement);
  }
  switch (kind) {
    case 'cordon_node':
      return cordon(context, submission, node);
    case 'uncordon_node':
      return uncordon(context, submission, node);
    case 'drain_node':
      return drain(context, submission, node);
    case 'drop_node':
      return notDropped(submission, node);
    default:
      return unreachable(kind);
  }
}

const VERBS: Readonly<Record<NodeStatement['kind'], string>> = {
  cordon_node: 'cordon',
  uncordon_node: 'uncordon',
  drain_node: 'drain',
  drop_node: 'drop',
};

function unknownNode({ parsed }: Submission, { kind, node }: NodeStatement): Outcome {
  const reason = `node '${node}' is not a raft member`;
  const message =
    kind === 'drain_node' ? reason : `failed to ${VERBS[kind]} node '${node}': ${reason}`;
  return located('NOT_FOUND', message, parsed, node);
}

async function cordon(
  context: ControlContext,
  submission: Submission,
  node: string,
): Promise<Outcome> {
  const outcome = completed(`cordoned node '${node}'`);
  await context.log.write({
    put: [{ kind: 'cordon', node }],
    reference: referenceRecord(submission, outcome, context.nowMs()),
  });
  context.logger.info('node cordoned', { cordoned: node });
  return outcome;
}

async function uncordon(
  context: ControlContext,
  submission: Submission,
  node: string,
): Promise<Outcome> {
  const outcome = completed(`uncordoned node '${node}'`);
  await context.log.write({
    remove: [cordonKey(node)],
    reference: referenceRecord(submission, outcome, context.nowMs()),
  });
  context.logger.info('node uncordoned', { uncordoned: node });
  // What waited for a node that may take it is waiting no longer.
  await publishSchedules(context);
  return outcome;
}

/** The cordon stays, whatever becomes of the rest. */
async function drain(
  context: ControlContext,
  submission: Submission,
  node: string,
): Promise<Outcome> {
  await context.log.write({ put: [{ kind: 'cordon', node }] });
  const domains = context.state.domains();
  const scheduled = await Promise.all(domains.map((domain) => scheduledDomain(context, domain)));
  const plan = planDrain(node, [emptyDomain(context), ...scheduled.map(({ input }) => input)]);
  if (plan.kind === 'refused') return refusedMove(plan, submission.parsed);
  if (plan.steps.length > 0) return unsupportedMove(submission.parsed);
  const run = { node, ownedCount: plan.ownedCount, outcomes: [], running: new Set<string>() };
  const outcome = completed(drainReport(run).text);
  await context.log.write({ reference: referenceRecord(submission, outcome, context.nowMs()) });
  return outcome;
}

/** A domain without graph nodes, so that a cluster without domains is judged as well. */
function emptyDomain(context: ControlContext): Parameters<typeof planDrain>[1][number] {
  const empty = resolveDomain({ domain: '', members: [], edges: [] });
  assert(empty.kind === 'resolved', 'rules that do not exist agree');
  const { placement, traits } = empty;
  return { placement, traits, nodes: clusterNodes(context), replicaCount: 0, previous: [] };
}

function notDropped({ parsed }: Submission, node: string): Outcome {
  const reason = 'removing members is not supported by this release';
  const message = `failed to drop node '${node}': ${reason}`;
  return located('UNSUPPORTED_CAPABILITY', message, parsed, node);
}

function located(
  code: 'NOT_FOUND' | 'UNSUPPORTED_CAPABILITY',
  message: string,
  parsed: Submission['parsed'],
  name: string,
): Outcome {
  const { start, end } = lastOccurrence(parsed, name) ?? parsed.span;
  return failed(code, message, [{ message, span: { start, end } }]);
}
