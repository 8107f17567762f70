import type {
  PlannedStep,
  QueueableStatement,
  QuiesceLevel,
  TransactionReport,
} from '@nervix/planner';
import { alteredLabel } from '../planning/supported-statement.js';
import { latestVersions, rebindText } from '../planning/version-texts.js';

/** What a statement that ran by itself came to. */
export interface ChangeFacts {
  readonly domain: string;
  readonly step: PlannedStep;
  readonly report: TransactionReport;
  /** What was really held. */
  readonly level: QuiesceLevel;
  readonly alreadyExisted: boolean;
  /** False where everything was as the statement wants it. */
  readonly hasEffect: boolean;
}

/** The result text of a statement that changed a domain by itself. */
export function changeText(statement: QueueableStatement, facts: ChangeFacts): string {
  const { domain, step, report, level, alreadyExisted, hasEffect } = facts;
  const relocations = `planned relocations: ${step.moves.length}`;
  const effect = `quiesce level: ${level}; ${relocations}`;
  switch (statement.kind) {
    case 'create_model':
      return alreadyExisted
        ? `model '${statement.model.name}' already exists in domain '${domain}'`
        : [effect, ...latestVersions(report, 1)].join('; ');
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
      return rebindText(report, 1, {
        level,
        isProvisional: false,
        relocations: step.moves.length,
      });
    case 'reset_wasm_processor':
      return effect;
  }
}
