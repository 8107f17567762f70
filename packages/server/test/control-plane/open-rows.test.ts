import { describe, expect, test } from 'vitest';
import type { RowsSink } from '../../src/control-plane/control-plane.ts';
import { type ControlNode, openWithRelay, until } from '../support/control-node.ts';
import { RecordingSink } from '../support/recording-sink.ts';
import { identityOf } from '../support/users.ts';

async function openRunning(): Promise<ControlNode> {
  const node = await openWithRelay();
  await node.run('START;');
  return node;
}

function open(node: ControlNode, sink: RowsSink, relay = 'r', where: string | null = null) {
  const request = { domain: 'd', relay, where, sampleRate: 1, delivery: 'BLOCKING' } as const;
  return node.plane.openRows(request, sink, identityOf('ada'));
}

describe('CL-50: a row stream opens', () => {
  test.each<[string, (node: ControlNode) => void]>([
    ['the data plane refuses it', (node) => (node.dataPlane.onSubscribe = fail)],
    ['the data plane runs no such domain', (node) => node.dataPlane.plans.clear()],
  ])('not at all when %s: nothing is written', async (_name, arrange) => {
    const node = await openRunning();
    arrange(node);
    const sink = new RecordingSink();
    const answer = await open(node, sink);
    expect(answer).toMatchObject({ kind: 'refused', error: { code: 'INTERNAL' } });
    expect(sink.records).toEqual([]);
    expect(sink.isEnded).toBe(false);
  });

  test.each([
    ['nothing', null, 'NOT_FOUND'],
    ['r', 'input.', 'PARSE_FAILED'],
    ['r', 'input.no_such_field = 1', 'INVALID_MODEL'],
  ])('not of relay %s with filter %j', async (relay, where, code) => {
    const node = await openRunning();
    const sink = new RecordingSink();
    expect(await open(node, sink, relay, where)).toMatchObject({ error: { code } });
    expect(sink.records).toEqual([]);
  });

  test('with the opened record before events that the subscription had at once', async () => {
    const node = await openRunning();
    const room = Promise.withResolvers<void>();
    const sink = new RecordingSink();
    sink.room = room.promise;
    node.dataPlane.onSubscribe = (_request, reader) => {
      void reader({ kind: 'lost', rowCount: 1 });
      void reader({ kind: 'skipped', rowCount: 2 });
      void reader({ kind: 'ended', reason: 'relay_removed' });
    };
    const answer = open(node, sink);
    await until(() => sink.records.length > 0);
    expect(sink.kinds).toEqual(['opened']);
    room.resolve();
    expect((await answer).kind).toBe('found');
    await until(() => sink.isEnded);
    expect(sink.kinds).toEqual(['opened', 'lost', 'skipped', 'ended']);
  });
});

function fail(): never {
  throw new Error('no room for another subscription');
}
