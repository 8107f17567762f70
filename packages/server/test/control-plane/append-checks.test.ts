import { describe, expect, test } from 'vitest';
import { ALWAYS_ADMITTED } from '../../src/control-plane/command-admission.ts';
import { openWithRelay } from '../support/control-node.ts';

/** The reasons to refuse an append, in the order in which they are looked for. */
const FAULTS = [
  'position missing',
  'taken over',
  'not queueable',
  'domain unknown',
  'foreign owner',
  'domain elsewhere',
  'not open',
  'position changed',
  'statement limit',
  'byte limit',
  'preflight',
] as const;
type Fault = (typeof FAULTS)[number];

const REFUSALS: Readonly<Record<Fault, (id: string) => string>> = {
  'position missing': () => 'transaction command is missing its expected queue position',
  'taken over': (id) => `transaction '${id}' was taken over by another session`,
  'not queueable': () =>
    'CREATE DOMAIN cannot be queued in a transaction; a transaction applies to one existing ' +
    "domain and queues only that domain's configuration statements",
  'domain unknown': () => "domain 'nowhere' does not exist",
  'foreign owner': (id) => `transaction '${id}' belongs to another user`,
  'domain elsewhere': (id) =>
    `transaction '${id}' is bound to domain 'd'; the statement selected domain 'e'`,
  'not open': (id) => `transaction '${id}' is not open (state REVERTED)`,
  'position changed': (id) => `transaction '${id}' queue position changed: expected 9, found 1`,
  'statement limit': (id) => `transaction '${id}' queued statement limit 1 reached`,
  'byte limit': (id) => `transaction '${id}' queued source byte limit 80 exceeded`,
  preflight: () =>
    'transaction statement failed preflight: transaction operation 2 failed model preflight: ' +
    "model 'x' already exists in domain 'd'",
};

const holder = { kind: 'session' } as const;
const stranger = { kind: 'session' } as const;

/** Appends a statement with some faults to a transaction of a session that holds another one. */
async function append(faults: ReadonlySet<Fault>) {
  const statements = faults.has('statement limit') ? 1 : 2;
  const node = await openWithRelay({
    limits: { transactionMaxStatements: statements, transactionMaxSourceBytes: 80 },
  });
  await node.run('CREATE DOMAIN e;');
  const id = await node.begin();
  await node.run('CREATE SCHEMA x (a I64);', { transaction: id });
  if (faults.has('not open')) await node.run('REVERT;', { transaction: id });
  node.context.bindings.bind(id, faults.has('taken over') ? stranger : holder);
  const before = node.state.transaction(id);
  const position = faults.has('position changed') ? 9 : 1;
  const elsewhere = faults.has('domain elsewhere') ? 'e' : 'd';
  const reply = await node.executor.execute(
    {
      query: queryOf(faults),
      domain: faults.has('domain unknown') ? 'nowhere' : elsewhere,
      execution_reference: node.reference(),
      ...(faults.has('position missing') ? {} : { expected_transaction_position: position }),
    },
    node.principal(faults.has('foreign owner') ? 'bob' : 'ada'),
    { holder, attached: id, admission: ALWAYS_ADMITTED },
  );
  const after = node.state.transaction(id);
  await node.close();
  return { id, reply, before, after };
}

function queryOf(faults: ReadonlySet<Fault>): string {
  if (faults.has('not queueable')) return 'CREATE DOMAIN f;';
  const field = faults.has('byte limit') ? 'a'.repeat(80) : 'a';
  return `CREATE SCHEMA ${faults.has('preflight') ? 'x' : 'y'} (${field} I64);`;
}

describe('CP-53: what an append is checked for', () => {
  test('one without a fault is accepted, and moves the position', async () => {
    const { reply, after } = await append(new Set());
    expect(reply.kind).toBe('completed');
    expect(after?.accepted).toBe(2);
  });

  test.each(FAULTS)(
    '%s is told before all that comes later, and nothing changes',
    async (fault) => {
      for (const later of FAULTS.slice(FAULTS.indexOf(fault))) {
        const { id, reply, before, after } = await append(new Set([fault, later]));
        expect(reply.kind === 'failed' ? reply.error.message : '', `with ${later}`).toBe(
          REFUSALS[fault](id),
        );
        expect(after, `with ${later}`).toEqual(before);
      }
    },
  );

  test('CP-144: a missing position is no outcome, so the reference stays usable', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    const asked = { transaction, execution_reference: node.reference() };
    const query = 'CREATE SCHEMA x (a I64);';
    const refused = await node.refuse(query, { ...asked, expected_transaction_position: null });
    expect(refused.code).toBe('INVALID_REQUEST');
    expect((await node.run(query, asked)).origin).toBe('Executed');
    await node.run('COMMIT;', { transaction });
  });
});
