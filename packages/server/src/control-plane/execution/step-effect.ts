import { type Model, modelKey, unreachable } from '@nervix/model';
import type { ModelSet, PlannedStep } from '@nervix/planner';
import type { DomainRecord, GuestReset } from '../../replicated-state/records.js';
import type { DomainTarget, ModelTransition } from '../domain-write.js';
import type { Capture } from '../planning/capture.js';
import { admittedHold } from './admitted-hold.js';
import type { GraphSource } from './effects.js';
import type { FrozenStep } from './frozen-step.js';

/** What one planned step does, to records and to what runs. */
export interface StepEffect {
  readonly target: DomainTarget;
  /** The graph to run afterwards; null where nothing has to be brought up. */
  readonly graph: GraphSource | null;
  /** Whether what runs has to end. */
  readonly stops: boolean;
  /** The guests that lose their state. */
  readonly reset: GuestReset | null;
}

/** Derives the effect of a decision from the state it was planned for; null of one without effect. */
export function stepEffect(
  domain: DomainRecord,
  base: Capture,
  step: FrozenStep,
): StepEffect | null {
  const unchanged = { transitions: [], schedule: null };
  const { schedule: placed } = base.snapshot;
  const { decision } = step;
  const admitted = admittedHold(step);
  switch (decision.kind) {
    case 'models': {
      const { transitions, schedule } = decision;
      if (transitions.length === 0 && schedule === null) return null;
      const models = modelsAfter(base, transitions);
      const isReplaced = domain.status === 'running' && transitions.some(isPartOfGraph);
      const graph = isReplaced ? { domain, models, schedule: schedule ?? placed, admitted } : null;
      return { target: { domain, transitions, schedule }, graph, stops: false, reset: null };
    }
    case 'alter_domain': {
      const { placement, schedule } = decision;
      if (placement === domain.placement) return null;
      const target = { domain: { ...domain, placement }, transitions: [], schedule };
      return { target, graph: null, stops: false, reset: null };
    }
    case 'start_domain': {
      const generation = decision.startGeneration;
      const lastStart = step.startPoint ?? null;
      const started: DomainRecord = { ...domain, status: 'running', generation, lastStart };
      const models = modelsAfter(base, []);
      const graph = { domain: started, models, schedule: placed, admitted };
      return { target: { domain: started, ...unchanged }, graph, stops: false, reset: null };
    }
    case 'stop_domain': {
      const stopped: DomainRecord = { ...domain, status: 'stopped' };
      return { target: { domain: stopped, ...unchanged }, graph: null, stops: true, reset: null };
    }
    case 'create_resource': {
      const { resource, alreadyExisted } = decision;
      if (alreadyExisted) return null;
      return {
        target: { domain, ...unchanged, declares: resource },
        graph: null,
        stops: false,
        reset: null,
      };
    }
    case 'reset_wasm_state': {
      const { schedule } = decision;
      const reset = guestReset(domain.name, decision);
      return { target: { domain, transitions: [], schedule }, graph: null, stops: false, reset };
    }
    default:
      return unreachable(decision);
  }
}

/** The guests that a decision resets; null where it is about something else. */
export function guestReset(domain: string, decision: PlannedStep['decision']): GuestReset | null {
  if (decision.kind !== 'reset_wasm_state') return null;
  const { processor, generation, branches } = decision;
  const selected = branches.kind === 'SELECTED' ? branches.keys : null;
  return { domain, processor, generation, branches: selected };
}

/** Rules, and where work is placed, are no part of a running graph. */
function isPartOfGraph({ before, after }: ModelTransition): boolean {
  return (after ?? before)?.kind !== 'placement';
}

/** Whether what listeners present becomes another, whatever runs. */
export function isPresented({ before, after }: ModelTransition): boolean {
  return [before, after].some((model) => model?.kind === 'vhost' && model.tls !== null);
}

/** The models of a domain after transitions. */
export function modelsAfter(
  { models }: Pick<Capture, 'models'>,
  transitions: readonly ModelTransition[],
): ModelSet {
  const changes = new Map<string, Model | undefined>();
  for (const { before, after } of transitions) {
    const model = after ?? before;
    if (model !== null) changes.set(modelKey(model.kind, model.name), after ?? undefined);
  }
  return models.with(changes);
}

/** The transitions that take back others. */
export function reversed(transitions: readonly ModelTransition[]): readonly ModelTransition[] {
  return transitions.map(({ before, after }) => ({ before: after, after: before }));
}
