import {
  type ActualImpact,
  NO_EFFECTS,
  type Pause,
  type ReportDiagnostic,
  type ReportedStep,
  type TransactionReport,
} from '@nervix/planner';
import type {
  CommitStep,
  EngagementAttempt,
  TransactionRecord,
} from '../../replicated-state/records.js';

/** A frozen report with what its commit has recorded so far. */
export function withActuals(
  report: TransactionReport,
  { progress, error }: Pick<TransactionRecord, 'progress' | 'error'>,
): TransactionReport {
  const steps = new Map(progress?.steps.map((step) => [step.first, step] as const));
  const execution_steps = report.execution_steps.map((reported) => {
    const step = steps.get(reported.operations.first);
    return step === undefined
      ? reported
      : { ...reported, actual: actualImpact(reported, step, report.domain, error?.message ?? '') };
  });
  return { ...report, execution_steps };
}

function actualImpact(
  reported: ReportedStep,
  step: CommitStep,
  domain: string,
  failure: string,
): ActualImpact {
  const { outcome, attempts, first } = step;
  return {
    outcome:
      outcome === 'FAILED'
        ? { status: outcome, diagnostic: diagnosticOf(step, failure, first) }
        : { status: outcome },
    quiescence: attempts.map(({ scope, outcomes }) => ({
      requirement: scope === 'PLANNED' ? reported.planned.pause : wholeDomain(domain),
      outcomes: outcomes.map(({ kind, message }) =>
        message === undefined
          ? { kind }
          : { kind, diagnostic: { kind: 'QUIESCENCE', operation: first, message } },
      ),
    })),
    effects: step.hasEffect ? actualEffects(reported, attempts) : NO_EFFECTS,
  };
}

function wholeDomain(domain: string): Pause {
  return { kind: 'DOMAIN', domain };
}

/** Before its effect a step fails to engage or to apply, behind it to become usable. */
function diagnosticOf(step: CommitStep, message: string, operation: number): ReportDiagnostic {
  if (step.hasEffect) return { kind: 'ACTIVATION', operation, message };
  const isEngagement = step.attempts.some(({ outcomes }) => outcomes.at(-1)?.kind === 'FAILED');
  return { kind: isEngagement ? 'QUIESCENCE' : 'APPLICATION', operation, message };
}

/** The planned effects; a graph that was replaced as a whole in place of a part was rebuilt. */
function actualEffects(
  { planned: { effects } }: ReportedStep,
  attempts: readonly EngagementAttempt[],
): ActualImpact['effects'] {
  if (!attempts.some(({ scope }) => scope === 'DOMAIN')) return effects;
  const known = new Set(effects.rebuilds.map(({ node }) => JSON.stringify(node)));
  const recovered = effects.topology.after.nodes
    .filter(({ coverage }) => coverage.branches !== null && !known.has(JSON.stringify(coverage)))
    .map(({ coverage, attribution }) => ({
      node: coverage,
      reason: 'RECOVERY' as const,
      attribution,
    }));
  return { ...effects, rebuilds: [...effects.rebuilds, ...recovered] };
}
