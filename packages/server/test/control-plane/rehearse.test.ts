import { modelKey } from '@nervix/model';
import { parseScript } from '@nervix/nspl-parser';
import type { DomainModels } from '@nervix/planner';
import { describe, expect, test } from 'vitest';
import type { DomainBasis } from '../../src/control-plane/scheduling/domain-basis.ts';
import { commitSteps } from '../../src/control-plane/transactions/commit-steps.ts';
import { rehearse } from '../../src/control-plane/transactions/rehearse.ts';
import type {
  DomainRecord,
  QueuedStatement,
  TransactionOperation,
} from '../../src/replicated-state/records.ts';

function operations(script: string): readonly TransactionOperation[] {
  return parseScript(script).statements.map(({ statement, text }) => ({
    text,
    statement: statement as QueuedStatement,
    reference: '',
    message: '',
    alreadyExisted: false,
  }));
}

const stopped: DomainRecord = {
  kind: 'domain',
  name: 'd',
  placement: 'NEUTRAL',
  status: 'stopped',
  generation: 0,
};
const running: DomainRecord = { ...stopped, status: 'running', generation: 1 };
const S = 'CREATE SCHEMA s (id I64);';
const R = 'CREATE RELAY r SCHEMA s UNBRANCHED CAPACITY 8;';

function basisOf(domain: DomainRecord, models: DomainModels = new Map()): DomainBasis {
  const nodes = [{ name: 'n1', isLive: true, isCordoned: false, isTerminating: false }];
  return { domain, models, scheduling: { nodes, replicaCount: 0, previous: [] } };
}

function rehearsed(script: string, domain = stopped, allowIncomplete = false) {
  return rehearse(basisOf(domain), operations(script), allowIncomplete);
}

describe('steps', () => {
  test.each([
    ['', []],
    [S, ['models 1-1']],
    [`${S}${R}`, ['models 1-2']],
    [`START;${S}${R}STOP;START;`, ['start 1-1', 'models 2-3', 'stop 4-4', 'start 5-5']],
    [`${S}START;${R}`, ['models 1-1', 'start 2-2', 'models 3-3']],
  ])('CP-98: %s', (script, expected) => {
    const steps = commitSteps(operations(script));
    expect(steps.map(({ kind, first, last }) => `${kind} ${first}-${last}`)).toEqual(expected);
  });
});

describe('rehearsal', () => {
  test('follows models and status from step to step', () => {
    const result = rehearsed(`${S}START;${R}STOP;DROP RELAY r;`);
    expect(result).toMatchObject({
      kind: 'accepted',
      levels: ['DYNAMIC', 'DYNAMIC', 'DOMAIN_PAUSE', 'DYNAMIC', 'DYNAMIC'],
    });
  });

  test.each([
    ['START;START;', stopped, 2, "domain 'd' is already running"],
    ['STOP;', stopped, 1, "domain 'd' is already stopped"],
    ['START;', running, 1, "domain 'd' is already running"],
    ['STOP;STOP;', running, 2, "domain 'd' is already stopped"],
  ])('CP-57: %s fails at operation', (script, domain, operation, message) => {
    expect(rehearsed(script, domain)).toMatchObject({
      kind: 'refused',
      operation,
      isIncomplete: false,
      outcome: { message },
    });
  });

  test('CP-58: what is missing is provisional in the last run only', () => {
    expect(rehearsed(R, stopped, true)).toMatchObject({ kind: 'accepted', levels: ['DYNAMIC'] });
    expect(rehearsed(`${R}START;`, stopped, true)).toMatchObject({
      kind: 'refused',
      operation: 1,
      isIncomplete: true,
    });
    expect(rehearsed(R)).toMatchObject({ kind: 'refused', operation: 1, isIncomplete: true });
    expect(rehearsed(`${S}START;${R}`, stopped, true).kind).toBe('accepted');
  });

  test('CP-58: a duplicate is not provisional, and names its own operation', () => {
    expect(rehearsed(`${S}${R}${S}`, stopped, true)).toMatchObject({
      kind: 'refused',
      operation: 3,
      isIncomplete: false,
    });
  });

  test('CP-67: an incomplete graph names the operation that made the model', () => {
    const late = 'CREATE RELAY q SCHEMA gone UNBRANCHED CAPACITY 8;';
    expect(rehearsed(`${S}${late}${R}`)).toMatchObject({ kind: 'refused', operation: 2 });
  });

  test('CP-34: IF NOT EXISTS is told per operation', () => {
    const again = 'CREATE IF NOT EXISTS SCHEMA s (other BOOL);';
    expect(rehearsed(`${S}START;${again}${R}`)).toMatchObject({
      kind: 'accepted',
      alreadyExisted: [false, false, true, false],
    });
  });

  test('takes the given models as its base and leaves them alone', () => {
    const [create] = operations(S);
    const model = create?.statement.kind === 'create_model' ? create.statement.model : undefined;
    const base = new Map(model === undefined ? [] : [[modelKey('schema', 's'), model]]);
    const result = rehearse(
      basisOf(stopped, base),
      operations(`${R}DROP RELAY r;DROP SCHEMA s;`),
      false,
    );
    expect(result.kind).toBe('accepted');
    expect([...base.keys()]).toEqual(['schema/s']);
  });
});
