import type { ExecutionPlan } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import type { AdmittedHold } from '../../src/index.js';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness({ alterationDrainMs: 300 });

/** `in` to `events`, `j` to `copies`; `other_in` to `others`, which nothing joins with these. */
const pipeline = (revision: number, rest: Partial<ExecutionPlan> = {}): ExecutionPlan =>
  p.plan({
    revision,
    clients: harness.clients(),
    endpoints: ['in', 'other_in'].map((name) => ({
      name,
      vhost: 'main',
      hostnames: ['shop.test'],
      path: `/${name}`,
      type: 'HTTP',
    })),
    ingestors: [
      p.ingestor('in', { endpoint: 'in' }),
      p.ingestor('other_in', {
        endpoint: 'other_in',
        routes: [{ ...p.route('others'), branch: null }],
      }),
    ],
    relays: [p.relay('events'), p.relay('copies'), p.relay('others')],
    processors: [p.junction('j', ['events'], [p.route('copies')])],
    emitters: [p.emitter('out', 'copies', '/out'), p.emitter('side', 'others', '/side')],
    ...rest,
  });
const attached = (isAttached: boolean): Partial<ExecutionPlan> => ({
  processors: [p.junction('j', ['events'], [p.route('copies')], { attached: isAttached })],
});
const unused = (): Partial<ExecutionPlan> => ({
  schemas: [...pipeline(1).schemas, { name: 'unused', fields: [p.field('a', 'STRING')] }],
});
const DOMAIN: AdmittedHold = { level: 'DOMAIN_PAUSE', nodes: [], gates: [] };
const NODE: AdmittedHold = { level: 'ENTITY_PAUSE', nodes: ['JUNCTION j'], gates: ['events'] };
const sent = (path: string) => harness.receiver.rows(path).map(({ id }) => id);
const send = async (path: string, id: number) =>
  (await post(harness.plane, event(id), { path })).status;

describe('CP-105, CP-106, RT-205: what was admitted is held even if the plan replaces less', () => {
  test.each<[string, () => Partial<ExecutionPlan>]>([
    ['the same graph', () => ({})],
    ['another definition that nothing uses', unused],
    [
      'another capacity',
      () => ({ relays: pipeline(1).relays.map((r) => ({ ...r, capacity: 9 })) }),
    ],
    ['some other nodes', () => attached(false)],
  ])('the whole domain, until a plan of %s is installed', async (_, rest) => {
    const { plane } = harness;
    await plane.install(pipeline(1));
    await plane.prepare(pipeline(2, rest()), DOMAIN);
    expect((await plane.nodeStatus('shop')).state).toBe('paused');
    expect([await send('/in', 1), await send('/other_in', 1)]).toEqual([503, 503]);
    await plane.install(pipeline(2, rest()));
    expect(await plane.nodeStatus('shop')).toMatchObject({ state: 'running', revision: 2 });
    expect([await send('/in', 2), await send('/other_in', 3)]).toEqual([202, 202]);
    await until('both arrive', () => sent('/out').length + sent('/side').length === 2);
  });

  test('the whole domain, until it is let go', async () => {
    const { plane } = harness;
    await plane.install(pipeline(1));
    await plane.prepare(pipeline(2), DOMAIN);
    expect(await send('/in', 1)).toBe(503);
    await plane.release('shop');
    expect(await send('/in', 2)).toBe(202);
    await until('it arrives', () => sent('/out').length === 1);
  });

  test.each<[string, 'install' | 'release', () => Partial<ExecutionPlan>]>([
    ['the same graph is installed', 'install', () => ({})],
    ['other nodes are replaced', 'install', () => ({ emitters: otherSide() })],
    ['it is let go', 'release', () => ({})],
  ])('some nodes and relays, until %s, beside what goes on', async (_, end, rest) => {
    const { plane } = harness;
    await plane.install(pipeline(1));
    await plane.prepare(pipeline(2, rest()), NODE);
    expect((await plane.nodeStatus('shop')).state).toBe('running');
    expect(await send('/in', 1)).toBe(202);
    await until('a publisher waits at the gate', async () => {
      const { relays } = await plane.nodeStatus('shop');
      return relays.find(({ name }) => name === 'events')?.waiting === 1;
    });
    expect(sent('/out')).toEqual([]);
    if (end === 'install') await plane.install(pipeline(2, rest()));
    else await plane.release('shop');
    await until('what waited goes on', () => sent('/out').length === 1);
    expect(await send('/other_in', 2)).toBe(202);
    await until('the other path has its own', () => sent('/side').length === 1);
  });

  test('a relay that does not run is left out', async () => {
    const { plane } = harness;
    await plane.install(pipeline(1));
    await plane.prepare(pipeline(2), { ...NODE, gates: ['events', 'gone'] });
    await plane.install(pipeline(2));
    expect(await send('/in', 1)).toBe(202);
  });

  test('a drain that takes too long refuses the plan, and nothing is held (RT-206)', async () => {
    const { plane, receiver } = harness;
    receiver.answer = () => 500;
    await plane.install(pipeline(1));
    expect(await send('/in', 1)).toBe(202);
    await until('the sink refuses', async () => {
      return (await plane.nodeStatus('shop')).emitters[0]?.status === 'ERROR';
    });
    for (const admitted of [DOMAIN, NODE]) {
      await expect(plane.prepare(pipeline(2), admitted)).rejects.toMatchObject({
        code: 'RUNTIME_DRAIN_TIMEOUT',
      });
      expect(await plane.nodeStatus('shop')).toMatchObject({ state: 'running', revision: 1 });
    }
    receiver.answer = () => 204;
    expect(await send('/in', 2)).toBe(202);
    await until('both arrive', () => sent('/out').includes(2));
  });
});

function otherSide(): ExecutionPlan['emitters'] {
  const [out] = pipeline(1).emitters;
  return out === undefined ? [] : [out, p.emitter('side', 'others', '/side', { attached: false })];
}
