import { isDeepStrictEqual } from 'node:util';
import type { ExecutionPlan } from '@nervix/model';
import { GraphCompiler } from '../../../../src/control-plane/activation/graph-compiler.ts';
import { ownPart } from '../../../../src/control-plane/activation/own-part.ts';
import type { ReplicatedState } from '../../../../src/replicated-state/replicated-state.ts';
import type { ControlNode } from '../../control-node.ts';
import { BAD } from '../catalogue.ts';

/** Keeps what it compiled of each model. */
const compiler = new GraphCompiler();

/** What a node owns of a domain by its schedule, as `kind name`, sorted. */
export function ownedNodes(
  state: ReplicatedState,
  domain: string,
  node: string,
): readonly string[] {
  const owned = state.schedule(domain).filter(({ kind, nodes }) => {
    return kind === 'ingestor' ? nodes.includes(node) : nodes[0] === node;
  });
  return owned.map(({ kind, name }) => `${kind} ${name}`).sort();
}

/** What a plan consists of, as `kind name`, sorted. */
export function nodesOf(plan: ExecutionPlan | undefined): readonly string[] {
  if (plan === undefined) return [];
  const relays = plan.relays.map(({ name }) => `relay ${name}`);
  const nodes = [...plan.ingestors, ...plan.processors, ...plan.emitters];
  return [...relays, ...nodes.map(({ kind, name }) => `${kind} ${name}`)].sort();
}

/** A node runs what it owns of a domain as it is stored; a domain that cannot run is left out. */
export function partViolation(
  { dataPlane, context }: ControlNode,
  state: ReplicatedState,
  domain: string,
): string | undefined {
  const schedule = state.schedule(domain);
  if (schedule.some(({ name }) => name.startsWith(BAD))) return undefined;
  // A listener runs on several nodes, but no relay does: then nobody starts what is published.
  const listens = schedule.some(({ kind, nodes }) => kind === 'ingestor' && nodes.length > 1);
  if (listens && state.domain(domain)?.status === 'running') return undefined;
  // A part that waits for an owner keeps the others from starting.
  if (schedule.some(({ nodes }) => nodes.length === 0)) return undefined;
  const isRunning = state.domain(domain)?.status === 'running';
  const expected = isRunning ? ownedNodes(state, domain, context.nodeId) : [];
  const plan = dataPlane.plans.get(domain);
  const running = nodesOf(plan);
  const place = `${context.nodeId} runs [${running}] of '${domain}'`;
  if (!isDeepStrictEqual(running, expected)) return `${place}, not [${expected}]`;
  const part = partOf(state, domain, context.nodeId);
  const isCurrent = isDeepStrictEqual(withoutRevision(plan), withoutRevision(part));
  return isCurrent || plan === undefined ? undefined : `${place} as it was before`;
}

function partOf(state: ReplicatedState, domain: string, node: string): ExecutionPlan | undefined {
  const record = state.domain(domain);
  if (record === undefined) return undefined;
  const compiled = compiler.plan(record, state.models(domain), 0);
  if (compiled.kind === 'rejected') return undefined;
  const part = ownPart(compiled.plan, state.schedule(domain), node);
  return part.kind === 'part' ? part.plan : undefined;
}

function withoutRevision(plan: ExecutionPlan | undefined): unknown {
  return plan === undefined ? undefined : { ...plan, revision: 0 };
}
