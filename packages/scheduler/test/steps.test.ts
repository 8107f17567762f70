import { test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import {
  computeSchedule,
  type DomainDefinition,
  DomainResolver,
  finish,
  resolveDomain,
  runSliced,
  type SliceHost,
  type Steps,
  scheduleSteps,
} from '../src/index.js';
import { domains } from './support/arbitrary-domains.js';
import { nodes } from './support/domain-fixture.js';

/** A host whose clock goes on by one at each look. */
function countingHost(sliceMs: number) {
  let time = 0;
  const host = {
    pauses: 0,
    sliceMs,
    now: () => {
      time += 1;
      return time;
    },
    defer: (resume: () => void) => {
      host.pauses += 1;
      setImmediate(resume);
    },
  };
  return host satisfies SliceHost;
}

/** The end of sliced work, as a promise. */
const sliced = <Result>(steps: Steps<Result>, host: SliceHost) =>
  new Promise<Result>((resolve, reject) => {
    runSliced(steps, host, (end) => {
      if (end.kind === 'done') resolve(end.result);
      else reject(end.error);
    });
  });

describe('runSliced', () => {
  function* count(steps: number) {
    for (let step = 0; step < steps; step += 1) yield;
    return steps;
  }

  test('pauses whenever a slice is used up, and never otherwise', async () => {
    const host = countingHost(10);
    expect(await sliced(count(100), host)).toBe(100);
    // A slice of 10 ms holds 10 steps of 1 ms.
    expect(host.pauses).toBe(10);
    const patient = countingHost(1_000);
    await sliced(count(100), patient);
    expect(patient.pauses).toBe(0);
  });

  test('lets other work have its turn between slices', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('other'));
    await sliced(count(20), countingHost(10)).then(() => order.push('end'));
    expect(order).toEqual(['other', 'end']);
  });

  test('hands on what the work throws', async () => {
    const definition = { domain: 'd', members: [], edges: [], rules: [] };
    const twice = { kind: 'relay', name: 'r' };
    const steps = new DomainResolver().resolveSteps({ ...definition, members: [twice, twice] });
    await expect(sliced(steps, countingHost(1))).rejects.toMatchObject({
      code: 'SCHED_INVALID_INPUT',
    });
  });
});

property.prop([domains()])(
  'PS-67 work in slices gives what work in one go gives',
  async (domain) => {
    const { nodes: members, edges, rules, defaultPolicy } = domain;
    const definition: DomainDefinition = { domain: 'd', members, edges, rules, defaultPolicy };
    const whole = resolveDomain(definition);
    const host = countingHost(5);
    const outcome = await sliced(new DomainResolver().resolveSteps(definition), host);
    expect(host.pauses).toBeGreaterThan(0);
    if (whole.kind === 'refused' || outcome.kind === 'refused') {
      expect(outcome).toEqual(whole);
      return;
    }
    const input = { nodes: nodes('n1', 'n2', 'n3'), replicaCount: 1, previous: [] };
    const schedule = await sliced(scheduleSteps({ ...outcome, ...input }), countingHost(5));
    expect(schedule).toEqual(computeSchedule({ ...whole, ...input }));
    expect(finish(scheduleSteps({ ...outcome, ...input }))).toEqual(schedule);
  },
);

test('PS-67 no step of a large domain does more than a small part of the work', () => {
  const members = Array.from({ length: 4_000 }, (_, at) => ({ kind: 'junction', name: `n${at}` }));
  const edges = members.slice(1).map((to, at) => ({ from: members[at] ?? to, to }));
  let steps = 0;
  const resolver = new DomainResolver().resolveSteps({ domain: 'd', members, edges });
  for (let step = resolver.next(); step.done !== true; step = resolver.next()) steps += 1;
  const outcome = resolveDomain({ domain: 'd', members, edges });
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  const input = { ...outcome, nodes: nodes('n1', 'n2'), replicaCount: 0, previous: [] };
  const schedule = scheduleSteps(input);
  for (let step = schedule.next(); step.done !== true; step = schedule.next()) steps += 1;
  expect(steps).toBeGreaterThan(4_000);
});
