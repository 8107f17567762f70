import type { CommandOutcome, ReplyBody, ServerBody } from '@nervix/protocol/session';
import { describe, expect, test } from 'vitest';
import { until } from '../support/control-node.ts';
import { type NodeSession, openNode } from '../support/node-session.ts';
import type { SessionClient } from '../support/session-client.ts';

const failure = (code: string) => ({ t: 'RequestFailed', code });

describe('CP-45: who may work on a transaction', () => {
  test('CL-40, CP-39: BEGIN binds it, and its commands need name no transaction', async () => {
    const { node, session } = await openNode();
    const ada = await session();
    const id = await ada.begin();
    const appended = await ada.run('CREATE RELAY r2 SCHEMA s UNBRANCHED CAPACITY 8;');
    expect(appended).toMatchObject({
      disposition: { t: 'CommandCompleted', already_existed: false },
      transaction: { id, domain: 'd', state: { t: 'Open' }, accepted_operations: 1n },
      transaction_admission: { operation: 1n, preview: { transaction_id: id, position: 1n } },
    });
    expect(appended.transaction_admission?.preview.planning_basis).toHaveLength(32);
    const committed = await ada.run('COMMIT;');
    expect(committed.transaction).toMatchObject({ id, state: { t: 'Committed' } });
    expect(node.state.models('d').get('relay/r2')).toBeDefined();
    // The session has none any more.
    expect((await ada.run('REVERT;')).message).toBe('REVERT requires an active transaction');
  });

  test('CP-38: one request begins, appends and commits', async () => {
    const { session } = await openNode();
    const ada = await session();
    const outcome = await ada.run('BEGIN; CREATE RELAY r2 SCHEMA s UNBRANCHED CAPACITY 8; COMMIT;');
    expect(outcome.statements).toHaveLength(3);
    expect(outcome.transaction?.state).toEqual({ t: 'Committed' });
  });

  test('two sessions take one transaction from each other, and only its holder goes on', async () => {
    const { session } = await openNode();
    const [one, two] = [await session(), await session()];
    const id = await one.begin();
    expect(await two.attach(id)).toMatchObject({
      t: 'AttachOutcome',
      disposition: { t: 'TransactionAttached', transaction: { id, state: { t: 'Open' } } },
      message: `attached transaction '${id}'`,
      diagnostics: [],
    });
    const displaced = await one.run('CREATE SCHEMA x (a I64);');
    expect(displaced.disposition).toEqual({ t: 'TransactionTakenOver', transaction_id: id });
    expect(displaced.message).toBe(`transaction '${id}' was taken over by another session`);
    expect(displaced.transaction).toBeUndefined();
    expect((await two.run('CREATE SCHEMA y (a I64);')).transaction_admission?.operation).toBe(1n);
    await one.attach(id);
    expect((await one.run('CREATE SCHEMA x (a I64);')).transaction_admission?.operation).toBe(2n);
    const again = await two.run('COMMIT;');
    expect(again.disposition).toEqual({ t: 'TransactionTakenOver', transaction_id: id });
    expect((await one.run('COMMIT;')).transaction?.state).toEqual({ t: 'Committed' });
  });

  test('CP-144: a refusal by binding is no outcome, so the reference stays usable', async () => {
    const { session } = await openNode();
    const [one, two] = [await session(), await session()];
    const id = await one.begin();
    await two.attach(id);
    const taken = await one.run('CREATE SCHEMA x (a I64);');
    await one.attach(id);
    const repeated = await one.run('CREATE SCHEMA x (a I64);', {
      reference: taken.execution_reference,
    });
    expect(repeated).toMatchObject({ origin: 'Executed', disposition: { t: 'CommandCompleted' } });
  });

  test('a statement with a position is refused where no transaction is attached', async () => {
    const { node, session } = await openNode();
    const ada = await session();
    const outcome = await ada.run('CREATE SCHEMA x (a I64);', {
      expected_transaction_position: 3n,
    });
    expect(outcome.disposition).toEqual(failure('NO_ATTACHED_TRANSACTION'));
    expect(outcome.message).toBe('no transaction is attached to this session');
    expect(node.state.models('d').get('schema/x')).toBeUndefined();
  });

  test('CL-69: a request over HTTP that names the transaction takes it over', async () => {
    const { node, session } = await openNode();
    const ada = await session();
    const id = await ada.begin();
    await node.run('CREATE SCHEMA x (a I64);', { transaction: id });
    const outcome = await ada.run('COMMIT;');
    expect(outcome.disposition).toEqual({ t: 'TransactionTakenOver', transaction_id: id });
  });

  test('TRANSACTION_DETACHED: a transaction that the leader does not know as bound', async () => {
    const { node, session } = await openNode();
    const ada = await session();
    const id = await ada.begin();
    // As after a change of the leader, whose memory is empty.
    node.context.bindings.forget(id);
    const detached = await ada.run('CREATE SCHEMA x (a I64);', {
      expected_transaction_position: 0n,
    });
    expect(detached.disposition).toEqual({ t: 'TransactionDetached', transaction_id: id });
    expect(detached.message).toBe(
      `transaction '${id}' is not attached to this leader; attach it before continuing`,
    );
    await ada.attach(id);
    const repeated = await ada.run('CREATE SCHEMA x (a I64);', {
      reference: detached.execution_reference,
      expected_transaction_position: 0n,
    });
    expect(repeated.disposition).toEqual({ t: 'CommandCompleted', already_existed: false });
  });
});

describe('CP-46, CL-42: attaching', () => {
  test('an unknown transaction', async () => {
    const { session } = await openNode();
    expect(await (await session()).attach('nobody')).toEqual({
      t: 'AttachOutcome',
      disposition: failure('NOT_FOUND'),
      message: "transaction 'nobody' is unknown",
      diagnostics: [{ message: "transaction 'nobody' is unknown" }],
    });
  });

  test('the transaction of another user', async () => {
    const { session } = await openNode();
    const id = await (await session()).begin();
    expect(await (await session('bob')).attach(id)).toMatchObject({
      disposition: failure('PERMISSION_DENIED'),
      message: `transaction '${id}' belongs to another user`,
    });
  });

  test('a finished one is not attached, and its commit is told', async () => {
    const { session } = await openNode();
    const [one, two] = [await session(), await session()];
    const id = await one.begin();
    await one.run('CREATE SCHEMA x (a I64);');
    await one.run('COMMIT;');
    expect(await two.attach(id)).toMatchObject({
      disposition: { t: 'TransactionAlreadyFinished', transaction: { state: { t: 'Committed' } } },
      message: `transaction '${id}' finished with outcome COMMITTED`,
      diagnostics: [{ message: 'quiesce level: DYNAMIC' }],
    });
    expect((await two.run('COMMIT;')).message).toBe('COMMIT requires an active transaction');
  });

  test('CP-43: an overdue one is expired, also while it is bound', async () => {
    const { node, session } = await openNode();
    const [one, two] = [await session(), await session()];
    const id = await one.begin();
    node.clock.nowMs += node.context.limits.transactionIdleTimeoutMs;
    expect(await two.attach(id)).toMatchObject({
      disposition: { t: 'TransactionAlreadyFinished', transaction: { state: { t: 'Expired' } } },
      message: `transaction '${id}' finished with outcome EXPIRED`,
    });
    expect((await one.run('CREATE SCHEMA x (a I64);')).message).toBe(
      `transaction '${id}' is not open (state EXPIRED)`,
    );
  });

  test('renews its activity and lets go of the one before', async () => {
    const { node, session } = await openNode();
    const [one, two] = [await session(), await session()];
    const [first, second] = [await one.begin(), await two.begin()];
    node.clock.nowMs += 60_000;
    await one.attach(second);
    expect(node.state.transaction(second)?.activeAtMs).toBe(node.clock.nowMs);
    expect(node.context.bindings.isBound(first)).toBe(false);
    expect(node.state.transaction(first)?.state).toBe('OPEN');
  });
});

describe('CP-47, CL-44: the end of a session', () => {
  test('a clean close reverts what is open', async () => {
    const { node, session } = await openNode();
    const ada = await session();
    const id = await ada.begin();
    await ada.client.close();
    await until(() => node.state.transaction(id)?.state === 'REVERTED');
  });

  test('CP-43: a clean close finds what is overdue expired', async () => {
    const { node, session } = await openNode();
    const ada = await session();
    const id = await ada.begin();
    node.clock.nowMs += node.context.limits.transactionIdleTimeoutMs;
    await ada.client.close();
    await until(() => node.state.transaction(id)?.state === 'EXPIRED');
  });

  test.each([
    ['lost', (client: SessionClient) => client.socket.terminate()],
    ['closed with another code', (client: SessionClient) => client.socket.close(1001)],
  ])('one that is %s lets go, and another session goes on', async (_what, end) => {
    const { node, session } = await openNode();
    const ada = await session();
    const id = await ada.begin();
    await ada.run('CREATE SCHEMA x (a I64);');
    end(ada.client);
    await ada.client.closed;
    const other = await session();
    await other.attach(id);
    expect((await other.run('COMMIT;')).transaction?.state).toEqual({ t: 'Committed' });
    expect(node.state.models('d').get('schema/x')).toBeDefined();
  });

  test('a session that was displaced reverts nothing', async () => {
    const { node, session } = await openNode();
    const [one, two] = [await session(), await session()];
    const id = await one.begin();
    await two.attach(id);
    await one.client.close();
    await two.client.ask({ t: 'ListDomainsRequest' });
    expect(node.state.transaction(id)?.state).toBe('OPEN');
    expect((await two.run('COMMIT;')).transaction?.state).toEqual({ t: 'Committed' });
  });
});

describe('CP-48: REVERT', () => {
  test('drops what was queued, and the same reference gets the same answer', async () => {
    const { session } = await openNode();
    const ada = await session();
    const id = await ada.begin();
    await ada.run('CREATE SCHEMA x (a I64);');
    const reverted = await ada.run('REVERT;');
    expect(reverted.message).toBe(`transaction reverted: dropped 1 command(s); id '${id}'`);
    const repeated = await ada.run('REVERT;', { reference: reverted.execution_reference });
    expect(repeated).toEqual({ ...reverted, origin: 'Recovered' });
  });
});

describe('CP-49, CL-29: what is no command', () => {
  test.each([
    [
      'CREATE SUBSCRIPTION w TO r;',
      'session-scoped and client-local statements cannot be queued in a transaction',
    ],
    ["ATTACH TRANSACTION 'x';", 'client-local commands are not allowed'],
    ["UPLOAD RESOURCE certs VERSION './a';", 'client-local commands are not allowed'],
  ])('%s within a transaction', async (query, message) => {
    const { session } = await openNode();
    const ada = await session();
    await ada.begin();
    expect((await ada.run(query)).message).toBe(message);
  });

  test.each([
    [
      "ATTACH TRANSACTION 'x';",
      'client-local commands are not allowed',
      'AttachTransactionRequest',
    ],
    ['CREATE SUBSCRIPTION w TO r;', 'client-local commands are not allowed', 'SubscribeRequest'],
    ['DELETE SUBSCRIPTION w;', 'client-local commands are not allowed', 'UnsubscribeRequest'],
    ['ATTACH DOMAIN CLOCK;', 'client-local commands are not allowed', 'AttachDomainClockRequest'],
    ['DETACH DOMAIN CLOCK;', 'client-local commands are not allowed', 'DetachDomainClockRequest'],
    ['LIST DOMAINS;', 'LIST DOMAINS is a protobuf-level client command', 'ListDomainsRequest'],
    ['USE d;', "USE 'd' is a client-local command and must not be sent to the server", 'domain'],
  ])('%s by itself names the right request', async (query, message, request) => {
    const { session } = await openNode();
    const outcome = await (await session()).run(query);
    expect(outcome.message).toBe(message);
    expect(outcome.diagnostics[0]?.message).toContain(request);
  });
});

describe('CP-50: completion', () => {
  const names = (reply: ReplyBody): readonly string[] =>
    reply.t === 'SuggestOutcome' ? reply.suggestions.map(({ value }) => value) : [];

  test('offers committed names with the queued creations and drops, to the bound session alone', async () => {
    const { session } = await openNode();
    const [one, two, bob] = [await session(), await session(), await session('bob')];
    await one.begin();
    await one.run('CREATE SCHEMA queued (a I64);');
    await one.run('CREATE RELAY r2 SCHEMA queued UNBRANCHED CAPACITY 8;');
    await one.run('DROP RELAY r;');
    const input = 'CREATE RELAY r3 SCHEMA ';
    expect(names(await one.suggest(input))).toEqual(['queued', 's']);
    expect(names(await one.suggest('DESCRIBE RELAY '))).toEqual(['r2']);
    for (const other of [two, bob]) {
      expect(names(await other.suggest(input))).toEqual(['s']);
      expect(names(await other.suggest('DESCRIBE RELAY '))).toEqual(['r']);
    }
  });

  test('queued resources are offered without versions', async () => {
    const { session } = await openNode();
    const ada = await session();
    await ada.begin();
    await ada.run('CREATE RESOURCE certs;');
    expect(names(await ada.suggest('DESCRIBE RESOURCE '))).toEqual(['certs']);
    const versions = names(await ada.suggest('REBIND RESOURCE certs TO VERSION '));
    expect(versions.filter((value) => /^\d/.test(value))).toEqual([]);
  });

  test('a binding that is stale is a failure that says so', async () => {
    const { session } = await openNode();
    const [one, two] = [await session(), await session()];
    await two.attach(await one.begin());
    expect(await one.suggest('CREATE RELAY r3 SCHEMA ')).toEqual({
      t: 'SuggestOutcome',
      status: 'StaleContext',
      suggestions: [],
    });
  });

  test('CL-25: comes in pages whose edits are bytes of the input', async () => {
    const { session } = await openNode();
    const { client } = await session();
    const input = '// ä\nCREATE RELAY r3 SCHEMA ';
    const cursor = Buffer.byteLength(input);
    const asked = { t: 'SuggestRequest', input, cursor, domain: 'd', page_size: 100 } as const;
    expect(await client.ask(asked)).toEqual({
      t: 'SuggestOutcome',
      status: 'Ready',
      suggestions: [
        { value: 's', kind: 'Text', edit: { start: cursor, end: cursor, replacement: 's' } },
      ],
    });
    const all: string[] = [];
    let continuation: string | undefined;
    do {
      const page = { ...asked, input: 'CREATE ', cursor: 7, page_size: 7 };
      const reply = await client.ask(continuation === undefined ? page : { ...page, continuation });
      if (reply.t !== 'SuggestOutcome') throw new Error(`answered with ${reply.t}`);
      all.push(...names(reply));
      ({ continuation } = reply);
    } while (continuation !== undefined);
    const whole = await client.ask({ ...asked, input: 'CREATE ', cursor: 7 });
    expect(all).toEqual(names(whole));
    expect(all.length).toBeGreaterThan(7);
  });
});

describe('CL-45: inspection', () => {
  test('reads the whole report of the attached transaction and changes nothing', async () => {
    const { node, session } = await openNode();
    const ada = await session();
    const id = await ada.begin();
    await ada.run('CREATE SCHEMA x (a I64);');
    const before = node.state.transaction(id);
    const target = { t: 'AttachedTransaction' } as const;
    const reply = await ada.client.ask({ t: 'InspectTransactionRequest', target });
    expect(reply).toMatchObject({
      t: 'InspectionOutcome',
      disposition: { t: 'TransactionInspected', transaction: { id, accepted_operations: 1n } },
    });
    const described = await ada.run('DESCRIBE TRANSACTION FORMAT JSON;');
    const { report } = JSON.parse(described.message) as { report: unknown };
    expect(reply).toMatchObject({ disposition: { report } });
    expect(node.state.transaction(id)).toEqual(before);
  });

  test.each<[string, string | undefined, bigint | undefined, string]>([
    ['NoAttachedTransaction', undefined, undefined, 'no transaction is attached to this session'],
    ['TransactionNotFound', 'nobody', undefined, "transaction 'nobody' is unknown"],
    ['OperationNotFound', 'own', 2n, 'so operation 2 does not exist'],
    ['NotOwner', 'foreign', undefined, 'belongs to another user'],
  ])('refuses with %s', async (reason, which, operation, message) => {
    const { session } = await openNode();
    const [ada, bob] = [await session(), await session('bob')];
    const ids: Record<string, string> = { nobody: 'nobody', foreign: await bob.begin() };
    if (which === 'own') {
      ids['own'] = await ada.begin();
      await ada.run('CREATE SCHEMA x (a I64);');
    }
    const reply = await ada.client.ask({
      t: 'InspectTransactionRequest',
      target:
        which === undefined
          ? { t: 'AttachedTransaction' }
          : { t: 'TransactionById', transaction_id: ids[which] ?? '' },
      ...(operation === undefined ? {} : { operation }),
    });
    expect(reply).toMatchObject({
      disposition: { t: 'InspectionRejected', reason, message: expect.stringContaining(message) },
    });
  });
});

describe('CL-33: dispositions', () => {
  test.each([
    ['Content', {}, 'CREATE SCHEMA z (a I64);'],
    ['Domain', { domain: 'other' }, 'CREATE SCHEMA x (a I64);'],
    ['Position', { expected_transaction_position: 1n }, 'CREATE SCHEMA x (a I64);'],
  ])('a reference that was used is a conflict of %s', async (kind, rest, query) => {
    const { session } = await openNode();
    const ada = await session();
    if (kind === 'Position') await ada.begin();
    const first = await ada.run('CREATE SCHEMA x (a I64);');
    const again = await ada.run(query, { reference: first.execution_reference, ...rest });
    expect(again.disposition).toEqual({ t: 'ExecutionReferenceConflict', kind });
  });

  test('a reference of another owner is a conflict', async () => {
    const { session } = await openNode();
    const first = await (await session()).run('CREATE SCHEMA x (a I64);');
    const bob = await session('bob');
    const again = await bob.run('CREATE SCHEMA x (a I64);', {
      reference: first.execution_reference,
    });
    expect(again.disposition).toEqual({ t: 'ExecutionReferenceConflict', kind: 'Owner' });
  });

  test('a stale preview names both', async () => {
    const { node, session } = await openNode();
    const ada = await session();
    const id = await ada.begin();
    const appended = await ada.run('CREATE SCHEMA x (a I64);');
    await node.run('CREATE SCHEMA unrelated (a I64);');
    const preview = appended.transaction_admission?.preview;
    if (preview === undefined) throw new Error('no preview');
    const stale = await ada.client.ask({
      t: 'CommandRequest',
      query: 'COMMIT;',
      domain: 'd',
      execution_reference: node.reference(),
      expected_preview: preview,
    });
    expect(stale).toMatchObject({
      disposition: { t: 'PreviewStale', expected: preview, current: { transaction_id: id } },
      transaction: { state: { t: 'Open' } },
    });
  });

  test('CL-35: replies that were lost are asked for again and come from the record', async () => {
    const { node, session } = await openNode();
    const one = await session();
    const references = [node.reference(), node.reference(), node.reference()] as const;
    const begun = await one.run('BEGIN;', { reference: references[0] });
    const appended = await one.run('CREATE SCHEMA x (a I64);', { reference: references[1] });
    one.client.socket.terminate();
    await one.client.closed;
    const two = await session();
    const id = begun.transaction?.id ?? '';
    const begunAgain = await two.run('BEGIN;', { reference: references[0] });
    expect(begunAgain).toMatchObject({ origin: 'Recovered', transaction: { id } });
    const again = await two.run('CREATE SCHEMA x (a I64);', { reference: references[1] });
    expect(again).toMatchObject({
      origin: 'Recovered',
      transaction: { accepted_operations: 1n },
      transaction_admission: appended.transaction_admission,
    });
    const committed = await two.run('COMMIT;', { reference: references[2] });
    two.client.socket.terminate();
    const three = await session();
    const committedAgain = await three.run('COMMIT;', { reference: references[2] });
    expect(committedAgain).toEqual({ ...committed, origin: 'Recovered' });
  });
});

test('CL-28: a domain that is created is observed', async () => {
  const { node, session } = await openNode();
  const { client } = await session();
  await node.run('CREATE DOMAIN later;');
  const isListed = (body: ServerBody): boolean =>
    body.t === 'DomainsObserved' && body.domains.some(({ domain }) => domain === 'later');
  await client.find(isListed);
  expect(await client.ask({ t: 'SelectDomainRequest', domain: 'LATER' })).toMatchObject({
    disposition: { t: 'DomainSelected', domain: { domain: 'later', status: 'Stopped' } },
  });
  expect(await client.ask({ t: 'SelectDomainRequest', domain: 'never' })).toMatchObject({
    disposition: { t: 'DomainNotFound', message: "domain 'never' does not exist" },
  });
});

describe('CL-32, CL-108: a socket that is lost in any step', () => {
  const steps = [
    'BEGIN;',
    'CREATE SCHEMA x (a I64);',
    'CREATE RELAY y SCHEMA x UNBRANCHED CAPACITY 8;',
    'COMMIT;',
  ];

  test.each(
    steps.flatMap((query, step) =>
      (['before its reply', 'behind its reply'] as const).map((when) => ({ step, when, query })),
    ),
  )(
    'step $step, $when: $query — the same references, the same end, once',
    async ({ step, when }) => {
      const { node, session } = await openNode();
      const references = steps.map(() => node.reference());
      const run = (each: NodeSession, index: number): Promise<CommandOutcome> =>
        each.run(steps[index] ?? '', {
          reference: references[index] ?? '',
          ...(index === 1 || index === 2
            ? { expected_transaction_position: BigInt(index - 1) }
            : {}),
        });
      const first = await session();
      for (let index = 0; index < step; index += 1) await run(first, index);
      const last = run(first, step).catch(() => undefined);
      if (when === 'behind its reply') await last;
      first.client.socket.terminate();
      await Promise.all([last, first.client.closed]);
      const second = await session();
      const begun = await run(second, 0);
      const id = begun.transaction?.id ?? references[0] ?? '';
      await second.attach(id);
      for (let index = 1; index < steps.length; index += 1) await run(second, index);
      expect(node.state.transaction(id)).toMatchObject({ state: 'COMMITTED', accepted: 2 });
      expect(node.state.transactions()).toHaveLength(1);
      expect(node.state.models('d').get('relay/y')).toBeDefined();
    },
  );
});
