import type { ConstraintCheck } from '../feasibility/constraint-check.js';
import { unitWords } from '../placement/key-words.js';
import type { UnitExplanation } from './unit-explanation.js';

/** The block of `EXPLAIN PLACEMENT` about one unit. Scores are such that more is better. */
export function placementBlock(explanation: UnitExplanation): string {
  const { domain, members, chosen, cause, policy, candidates, rejected } = explanation;
  const ranked = candidates.map(({ node, scores }) => {
    const terms = Object.entries(scores).map(([name, score]) => `${name}=${score}`);
    return `- ${node} ${terms.join(' ')}`;
  });
  const refused = rejected.map(
    ({ node, checks }) => `- ${node} ${checks.map(checkText).join('; ')}`,
  );
  return [
    `placement of ${unitWords(members)} in domain '${domain}'`,
    `policy: ${policy}`,
    `node: ${chosen ?? '-'} (${cause})`,
    'candidates:',
    ...(ranked.length === 0 ? ['- none'] : ranked),
    'rejected:',
    ...(refused.length === 0 ? ['- none'] : refused),
  ].join('\n');
}

function checkText({ constraint, verdict, evidence, ageMs }: ConstraintCheck): string {
  const age = ageMs === null ? '' : `, ${ageMs} ms old`;
  return `${constraint}=${verdict} (${evidence}${age})`;
}
