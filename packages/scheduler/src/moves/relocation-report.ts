import type { RelocationStrategy } from '@nervix/model';
import { printedNames } from '../explanation/printed-names.js';
import { isPrimaryMove, nameList } from './moved-member.js';
import type { RelocationMember, RelocationPlan } from './relocation-plan.js';
import type { PairCoverage } from './relocation-selection.js';

/** The block that describes a relocation, byte for byte the same before and after it. */
export function relocationBlock(plan: RelocationPlan): string {
  const print = printedNames(plan.unsatisfied.flatMap(({ left, right }) => [left, right]));
  const preferences = plan.unsatisfied.map(({ policy, left, right, rules }) => {
    const source = rules.join(', ') || 'domain default';
    return `- ${policy.toLowerCase()} ${print(left)} <-> ${print(right)} (${source})`;
  });
  return [
    `relocation onto node '${plan.node}'`,
    `quiesce level: ${plan.level}`,
    `gated relays: ${plan.gatedRelays.join(', ') || '-'}`,
    ...(plan.coverage.length === 0 ? [] : ['coverage:', ...plan.coverage.map(coverageLine)]),
    'unit:',
    ...plan.members.map(memberLine),
    `unsatisfied preferences: ${preferences.length}`,
    ...preferences,
  ].join('\n');
}

/**
 * The result of an executed relocation.
 *
 * @param holdDuration how long the hold lasted, as printed; absent when none was taken
 */
export function relocationResult(plan: RelocationPlan, holdDuration?: string): string {
  const moved = plan.members.filter(isPrimaryMove).length;
  const counts = `relocated ${moved} of ${plan.members.length} runtime node(s)`;
  const result = `${counts} onto node '${plan.node}'\n${relocationBlock(plan)}`;
  return holdDuration === undefined ? result : `${result}\nhold duration: ${holdDuration}`;
}

function coverageLine({ from, to, isConnected, covered }: PairCoverage): string {
  const pair = `${from.kind} ${from.name} -> ${to.kind} ${to.name}`;
  return `- ${pair} connected=${isConnected ? 'yes' : 'no'} covered=${covered}`;
}

function memberLine(member: RelocationMember): string {
  const { kind, name, group, strategy, reason, from } = member;
  const subject = `- kind=${kind} name=${name} group=${group} strategy=${strategyWord(strategy)}`;
  const isMoved = isPrimaryMove(member);
  const move = `reason=${reason} owner=${from} moves=${isMoved ? 'yes' : 'no'}`;
  const line = `${subject} ${move} replicas=${nameList(member.replicas)}`;
  return isMoved ? `${line} promoted_replica=${member.isPromotedReplica ? 'yes' : 'no'}` : line;
}

function strategyWord(strategy: RelocationStrategy): string {
  return strategy === 'FOLLOW PREFERENCES' ? 'follow' : 'ignore';
}
