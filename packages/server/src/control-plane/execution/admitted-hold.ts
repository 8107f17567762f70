import {
  modelAspects,
  type PlannedStep,
  type QuiesceLevel,
  type StepDecision,
  widerLevel,
} from '@nervix/planner';
import { type AdmittedHold, NOTHING_ADMITTED } from '@nervix/runtime/data-plane';

/** A step as it was admitted, with the pause that was planned for it. */
interface AdmittedStep extends Pick<PlannedStep, 'decision' | 'moves'> {
  readonly level: QuiesceLevel;
}

/**
 * What has to be held for a step besides what its graph asks for, so that no pause is recorded that
 * was not made: its nodes are those that the planner takes for replaced, its gates the planned ones.
 */
export function admittedHold({ decision, moves, level }: AdmittedStep): AdmittedHold {
  if (decision.kind !== 'models' || level === 'DYNAMIC') return NOTHING_ADMITTED;
  const moved = moves.map(({ key }) => key.split('/'));
  const nodes = [...pausedModels(decision), ...moved].map(([kind = '', name = '']) => {
    return `${kind.toUpperCase()} ${name}`;
  });
  const gates = new Set([...decision.modelGate, ...decision.ownershipGate]);
  return { level, nodes, gates: [...gates] };
}

function pausedModels({
  transitions,
}: Extract<StepDecision, { kind: 'models' }>): readonly (readonly string[])[] {
  return transitions.flatMap(({ before, after }) => {
    const level = modelAspects(before ?? undefined, after ?? undefined)
      .map((aspect) => aspect.level)
      .reduce<QuiesceLevel>(widerLevel, 'DYNAMIC');
    return after !== null && level === 'ENTITY_PAUSE' ? [[after.kind, after.name]] : [];
  });
}
