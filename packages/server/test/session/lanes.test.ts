import { DEFAULT_FRAME_LIMITS } from '@nervix/protocol/session';
import { describe, expect, test } from 'vitest';
import type { CommandReply } from '../../src/control-plane/control-plane.ts';
import type { FakeControlPlane } from '../support/fake-control-plane.ts';
import { startSession } from '../support/session.ts';
import { SessionClient } from '../support/session-client.ts';

const LIST = { t: 'ListDomainsRequest' } as const;
const command = (query: string) =>
  ({ t: 'CommandRequest', query, execution_reference: `reference-of-${query}` }) as const;

function done(message: string): CommandReply {
  return {
    kind: 'completed',
    outcome: {
      execution_reference: 'r',
      origin: 'Executed',
      disposition: { t: 'CommandCompleted', already_existed: false },
      message,
      diagnostics: [],
    },
  };
}

/** Commands that end when the test says so; `admit` is asked when they begin to have effect. */
function heldCommands(plane: FakeControlPlane) {
  const started: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const gate = (query: string): PromiseWithResolvers<void> => {
    const known = gates.get(query) ?? Promise.withResolvers<void>();
    gates.set(query, known);
    return known;
  };
  plane.onExecute = async ({ query }) => {
    started.push(query);
    await gate(query).promise;
    return done(query);
  };
  return { started, release: (query: string) => gate(query).resolve() };
}

describe('CL-17: two service lanes', () => {
  test('commands run one at a time in written order, reads beside them', async () => {
    const { port, plane } = await startSession();
    const { started, release } = heldCommands(plane);
    const client = await SessionClient.connect(port);
    const [first, second] = [client.send(command('one')), client.send(command('two'))];
    expect(await client.ask(LIST)).toMatchObject({ t: 'DomainList' });
    expect(started).toEqual(['one']);
    release('two');
    release('one');
    expect(await client.reply(second)).toMatchObject({ message: 'two' });
    const ids = client.bodies.flatMap((body) => (body.t === 'Reply' ? [body.request_id] : []));
    expect(ids.indexOf(first)).toBeLessThan(ids.indexOf(second));
    expect(started).toEqual(['one', 'two']);
  });

  test('CL-26: a reply names the reference as it was sent', async () => {
    const { port } = await startSession();
    const client = await SessionClient.connect(port);
    const reply = await client.ask({ ...command('x'), execution_reference: 'MIXED-Case_1.0' });
    expect(reply).toEqual({
      t: 'CommandOutcome',
      execution_reference: 'MIXED-Case_1.0',
      origin: 'Executed',
      disposition: { t: 'CommandCompleted', already_existed: false },
      message: 'done',
      diagnostics: [],
    });
  });
});

describe('CL-18: requests in flight', () => {
  test('the 65th is refused, and a reply makes room', async () => {
    const { port, plane } = await startSession();
    const { started, release } = heldCommands(plane);
    const client = await SessionClient.connect(port);
    for (let index = 0; index < 64; index += 1) client.send(command(`c${index}`));
    const refused = await client.ask(LIST);
    expect(refused).toMatchObject({
      t: 'RequestRejected',
      rejection: 'TooManyRequestsInFlight',
      message: '64 requests are in flight already',
    });
    release('c0');
    await client.reply(1n);
    expect(await client.ask(LIST)).toMatchObject({ t: 'DomainList' });
    expect(started).toEqual(['c0', 'c1']);
  });

  test('an id in flight is refused, and the request that has it goes on', async () => {
    const { port, plane } = await startSession();
    const { release } = heldCommands(plane);
    const client = await SessionClient.connect(port);
    client.send(command('one'), 9n);
    client.send(LIST, 9n);
    expect(await client.reply(9n)).toMatchObject({ rejection: 'DuplicateRequestId' });
    release('one');
    await client.find(
      (body) => body.t === 'Reply' && body.request_id === 9n && body.body.t === 'CommandOutcome',
    );
  });
});

describe('CL-23: cancelling', () => {
  const cancel = (target: bigint) => ({ t: 'CancelRequest', target_request_id: target }) as const;

  test('what waits for its turn never starts', async () => {
    const { port, plane } = await startSession();
    const { started, release } = heldCommands(plane);
    const client = await SessionClient.connect(port);
    client.send(command('one'));
    const second = client.send(command('two'));
    expect(await client.ask(cancel(second))).toEqual({
      t: 'CancelOutcome',
      target_request_id: second,
      state: 'Requested',
    });
    const expected = { t: 'RequestCancelled', stage: 'BeforeAdmission' };
    expect(await client.reply(second)).toEqual(expected);
    release('one');
    release('three');
    await client.ask(command('three'));
    expect(started).toEqual(['one', 'three']);
  });

  test('what has no effect yet has none later', async () => {
    const { port, plane } = await startSession();
    const begun = Promise.withResolvers<void>();
    const planned = Promise.withResolvers<void>();
    let mayHaveEffect: boolean | undefined;
    plane.onExecute = async (_request, session) => {
      begun.resolve();
      await planned.promise;
      mayHaveEffect = session?.admission.admit();
      return done('written');
    };
    const client = await SessionClient.connect(port);
    const id = client.send(command('one'));
    await begun.promise;
    await client.ask(cancel(id));
    expect(await client.reply(id)).toEqual({ t: 'RequestCancelled', stage: 'BeforeAdmission' });
    planned.resolve();
    plane.onExecute = async () => done('next');
    await client.ask(command('two'));
    expect(mayHaveEffect).toBe(false);
    expect(
      client.bodies.filter((body) => body.t === 'Reply' && body.request_id === id),
    ).toHaveLength(1);
  });

  test('what has had its first effect goes on; only the wait ends', async () => {
    const { port, plane } = await startSession();
    const written = Promise.withResolvers<void>();
    const admitted = Promise.withResolvers<void>();
    let isOver = false;
    plane.onExecute = async (_request, session) => {
      session?.admission.admit();
      admitted.resolve();
      await written.promise;
      isOver = true;
      return done('written');
    };
    const client = await SessionClient.connect(port);
    const id = client.send(command('one'));
    await admitted.promise;
    await client.ask(cancel(id));
    expect(await client.reply(id)).toEqual({ t: 'RequestCancelled', stage: 'AfterAdmission' });
    const next = client.send(command('two'));
    written.resolve();
    await client.reply(next);
    expect(isOver).toBe(true);
  });

  test('what was answered is not in flight', async () => {
    const { port } = await startSession();
    const client = await SessionClient.connect(port);
    await client.ask(command('one'));
    expect(await client.ask(cancel(1n))).toMatchObject({ state: 'NotInFlight' });
    expect(await client.ask(cancel(99n))).toMatchObject({ state: 'NotInFlight' });
  });

  test('withdrawn requests keep their places until nothing works on them', async () => {
    const { port, plane } = await startSession();
    const { release } = heldCommands(plane);
    const client = await SessionClient.connect(port);
    client.send(command('held'));
    for (let index = 1; index < 64; index += 1) {
      const id = client.send(command(`c${index}`));
      await client.ask(cancel(id));
      await client.reply(id);
    }
    expect(await client.ask(LIST)).toMatchObject({ rejection: 'TooManyRequestsInFlight' });
    release('held');
    await client.reply(1n);
    expect(await client.ask(LIST)).toMatchObject({ t: 'DomainList' });
  });
});

describe('CL-15: large replies', () => {
  const limits = { ...DEFAULT_FRAME_LIMITS, frameBytes: 4_096, transferBytes: 65_536 };

  test('come in parts and whole at the client', async () => {
    const { port, plane } = await startSession({ listener: { frameLimits: limits } });
    const message = 'x'.repeat(30_000);
    plane.onExecute = async () => done(message);
    const client = await SessionClient.connect(port, { limits });
    expect(await client.ask(command('big'))).toMatchObject({ t: 'CommandOutcome', message });
    expect(client.frames).toBeGreaterThan(8);
  });

  test('above the transfer limit are refused by name', async () => {
    const { port, plane } = await startSession({ listener: { frameLimits: limits } });
    plane.onExecute = async () => done('x'.repeat(70_000));
    const client = await SessionClient.connect(port, { limits });
    expect(await client.ask(command('big'))).toEqual({
      t: 'RequestRejected',
      rejection: 'ReplyTooLarge',
      message: 'the reply is longer than 65536 bytes',
    });
  });
});

test('a fault of the node leaves the outcome open, and the session goes on', async () => {
  const { port, plane, logLines } = await startSession();
  plane.onExecute = async () => {
    throw new Error('disk on fire');
  };
  const client = await SessionClient.connect(port);
  expect(await client.ask(command('one'))).toMatchObject({
    t: 'CommandOutcome',
    disposition: { t: 'OutcomeUnknown', cause: 'StillApplying' },
  });
  expect(logLines.join('')).toContain('disk on fire');
  plane.onExecute = async () => done('again');
  expect(await client.ask(command('two'))).toMatchObject({ message: 'again' });
});
