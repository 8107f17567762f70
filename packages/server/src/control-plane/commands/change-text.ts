import type { PlannedStep, QueueableStatement, QuiesceLevel } from '@nervix/planner';
import { alteredLabel } from '../planning/supported-statement.js';
import { type RebindReport, rebindText } from '../planning/version-texts.js';

/** What a statement that ran by itself came to. */
export interface ChangeFacts {
  readonly domain: string;
  readonly step: Pick<PlannedStep, 'moves'>;
  /** Of a rebinding what its plan tells of it. */
  readonly rebinding: RebindReport | null;
  /** Versions that `LATEST` stands for, as results tell them. */
  readonly resolved: readonly string[];
  /** What was really held. */
  readonly level: QuiesceLevel;
  readonly alreadyExisted: boolean;
  /** False where everything was as the statement wants it. */
  readonly hasEffect: boolean;
}

/** The result text of a statement that changed a domain by itself. */
export function changeText(statement: QueueableStatement, facts: ChangeFacts): string {
  const { domain, step, rebinding, resolved, level, alreadyExisted, hasEffect } = facts;
  const relocations = `planned relocations: ${step.moves.length}`;
  const effect = `quiesce level: ${level}; ${relocations}`;
  switch (statement.kind) {
    case 'create_model':
      return alreadyExisted
        ? `model '${statement.model.name}' already exists in domain '${domain}'`
        : [effect, ...resolved].join('; ');
    case 'alter_model': {
      const subject = `${alteredLabel(statement)} '${statement.name}'`;
      return `altered ${subject} in domain '${domain}'; ${effect}`;
    }
    case 'drop_model':
      return `dropped model '${statement.name}' from domain '${domain}'; ${effect}`;
    case 'alter_domain': {
      const { policy } = statement.setting;
      const what = hasEffect
        ? `set domain '${domain}' placement to ${policy}`
        : `domain '${domain}' placement is already ${policy}`;
      return `${what}; quiesce level: ${level}\n${relocations}`;
    }
    case 'start':
      return `starting domain '${domain}'`;
    case 'stop':
      return `stopped domain '${domain}'`;
    case 'create_resource':
      return alreadyExisted
        ? `resource '${statement.name}' already exists`
        : `created resource '${statement.name}'`;
    case 'rebind_resource':
      return rebinding === null
        ? effect
        : rebindText(rebinding, 1, { level, isProvisional: false, relocations: step.moves.length });
    case 'reset_wasm_processor':
      return effect;
  }
}
