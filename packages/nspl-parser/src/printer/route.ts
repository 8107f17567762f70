import type {
  Assignment,
  Branching,
  Collect,
  Construction,
  Flush,
  Inherit,
  InputRelay,
  Inputs,
  Invocation,
  MaterializedDependency,
  MessageErrorPolicy,
  RouteBranch,
} from '@nervix/model';
import { printExpression } from './expression.js';
import { aligned, group, type Lines } from './layout.js';
import { fieldName, functionName, qualifiedName } from './lexical.js';

export function printAssignment({ target, value }: Assignment): string {
  const field =
    target.scope === null
      ? fieldName(target.field)
      : `${target.scope}.${qualifiedName(target.field)}`;
  return `${field} = ${printExpression(value)}`;
}

/** `a = x, b = y`. */
export function printAssignments(assignments: readonly Assignment[]): string {
  return assignments.map(printAssignment).join(', ');
}

function printInherit(inherit: Inherit): string {
  if (inherit.kind === 'all') {
    const except = inherit.except.map(fieldName).join(', ');
    return except === '' ? 'INHERIT ALL' : `INHERIT ALL EXCEPT ${except}`;
  }
  const fields = inherit.fields.map(
    ({ name, leakSensitive }) => fieldName(name) + (leakSensitive ? ' LEAK SENSITIVE' : ''),
  );
  return `INHERIT ${fields.join(', ')}`;
}

function printInvocation(invocation: Invocation): string {
  const values = invocation.arguments.map(printExpression).join(', ');
  return `${functionName(invocation.function)}(${values})`;
}

/** The clauses of a construction, a line each. */
export function constructionLines(construction: Construction): Lines {
  const { inherit, set, where, invoke } = construction;
  return [
    ...(inherit === null ? [] : [printInherit(inherit)]),
    ...aligned('SET', set.map(printAssignment)),
    ...(where === null ? [] : [`WHERE ${printExpression(where)}`]),
    ...(invoke.length === 0 ? [] : [`INVOKE ${invoke.map(printInvocation).join(', ')}`]),
  ];
}

export function printBranching(branching: Branching): string {
  return branching.kind === 'unbranched' ? 'UNBRANCHED' : `BRANCHED BY ${branching.branch}`;
}

export function printRouteBranch(branch: RouteBranch): string {
  if (branch.kind === 'unbranched') return 'UNBRANCHED';
  const set = branch.set.length === 0 ? '' : ` SET ${printAssignments(branch.set)}`;
  return `BRANCHED BY ${branch.branch}${set}`;
}

export function printFlush(flush: Flush): string {
  if (flush.kind === 'immediate') return 'FLUSH IMMEDIATE';
  return `FLUSH EACH ${flush.interval} MAX BATCH SIZE ${flush.maxBatchSize}`;
}

/** `ON MESSAGE ERROR …`. */
export function printMessageError(policy: MessageErrorPolicy): string {
  return `ON MESSAGE ERROR ${printPolicy(policy)}`;
}

/** An error policy without the words before it. */
export function printPolicy(policy: MessageErrorPolicy | { readonly kind: 'retry' }): string {
  if (policy.kind !== 'send_to') return policy.kind.toUpperCase();
  return `SEND TO ${policy.relay} SET ${printAssignments(policy.set)}`;
}

/** `a WHERE …, b COLLECT FOR …`, without FROM. */
export function printInputs({ relays, collect }: Inputs): string {
  const list = relays.map(printInput).join(', ');
  return collect === null ? list : `${list} ${printCollect(collect)}`;
}

/** `a WHERE …`. */
export function printInput({ relay, where }: InputRelay): string {
  return where === null ? relay : `${relay} WHERE ${printExpression(where)}`;
}

/** `COLLECT FOR …`. */
export function printCollect({ interval, maxBatchSize }: Collect): string {
  const size = maxBatchSize === null ? '' : ` MAX BATCH SIZE ${maxBatchSize}`;
  return `COLLECT FOR ${interval}${size}`;
}

export function printDependency({ relay, policy }: MaterializedDependency): string {
  return `USING MATERIALIZED STATE ${relay} ${printDependencyPolicy(policy)}`;
}

/** What a node does while a materialized state has no record. */
export function printDependencyPolicy(policy: MaterializedDependency['policy']): string {
  switch (policy.kind) {
    case 'required_skip':
      return 'REQUIRED SKIP';
    case 'required_wait':
      return 'REQUIRED WAIT';
    default:
      return `DEFAULT { ${printAssignments(policy.values)} }`;
  }
}

/** The parts a route may have, whatever node it belongs to. */
interface RouteShape {
  readonly relay: string;
  readonly construction: Construction;
  readonly messageError: MessageErrorPolicy;
  readonly branch?: RouteBranch;
  readonly flush?: Flush;
}

/** A route on one line. */
export function printRoute(route: RouteShape): string {
  return routeLines(route)
    .map((line) => line.trimStart())
    .join(' ');
}

/** A route, a line for each of its clauses. */
export function routeLines(route: RouteShape): Lines {
  return group(`TO ${route.relay}`, [
    ...constructionLines(route.construction),
    ...(route.branch === undefined ? [] : [printRouteBranch(route.branch)]),
    ...(route.flush === undefined ? [] : [printFlush(route.flush)]),
    printMessageError(route.messageError),
  ]);
}
