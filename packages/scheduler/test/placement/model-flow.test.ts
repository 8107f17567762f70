import { describe, expect, test } from 'vitest';
import { flowEdges, graphKeyOf } from '../../src/placement/model-flow.js';
import { ingestor, model, reading, relay, route } from '../support/models.js';

function edgesOf(...models: readonly Parameters<typeof flowEdges>[0][]) {
  return models.flatMap((each) =>
    flowEdges(each).map(({ from, to }) => `${from.kind} ${from.name} > ${to.kind} ${to.name}`),
  );
}

describe('PS-6 flow between models', () => {
  test('routes and message errors of a consumer; its inputs and the state it reads', () => {
    const routes = [route('out', 'failed'), route('rest')];
    for (const kind of [
      'reingestor',
      'junction',
      'deduplicator',
      'reorderer',
      'window_processor',
      'inferencer',
      'wasm_processor',
    ] as const) {
      expect(edgesOf(model(kind, 'x', { ...reading(['a', 'b'], ['rates']), routes }))).toEqual([
        `${kind} x > relay out`,
        `${kind} x > relay failed`,
        `${kind} x > relay rest`,
        `relay a > ${kind} x`,
        `relay b > ${kind} x`,
        `relay rates > ${kind} x`,
      ]);
    }
  });

  test('decode errors of an ingestor', () => {
    const decodeError = { kind: 'send_to', relay: 'unread', set: [] };
    expect(edgesOf({ ...ingestor('in', 'kafka'), decodeError } as never)).toEqual([
      'ingestor in > relay raw',
      'ingestor in > relay unread',
    ]);
  });

  test('both sides and both timeouts of a correlator', () => {
    const { inputs: left, dependencies } = reading(['a'], ['rates']);
    const { inputs: right } = reading(['b']);
    const onTimeout = { left: { kind: 'send_to', relay: 'late' }, right: { kind: 'drop' } };
    const parts = { left, right, dependencies, onTimeout, routes: [route('out')] };
    expect(edgesOf(model('correlator', 'x', parts))).toEqual([
      'correlator x > relay out',
      'correlator x > relay late',
      'relay a > correlator x',
      'relay b > correlator x',
      'relay rates > correlator x',
    ]);
  });

  test("a generator's source and an emitter's errors", () => {
    const generator = model('generator', 'g', { state: 'rates', routes: [route('out')] });
    const messageError = { kind: 'send_to', relay: 'failed', set: [] };
    const emitter = model('emitter', 'e', { ...reading(['out'], ['rates']), messageError });
    expect(edgesOf(generator, emitter)).toEqual([
      'generator g > relay out',
      'relay rates > generator g',
      'emitter e > relay failed',
      'relay out > emitter e',
      'relay rates > emitter e',
    ]);
  });

  test('PS-7 a hash map is a vertex without edges; configuration is neither', () => {
    const models = [
      model('hash_map', 'codes', { decodeUsing: 'c' }),
      model('codec', 'c', { schema: 'event' }),
      model('schema', 'event'),
      model('branch', 'by_city', { schema: 'event' }),
      relay('raw', true),
    ];
    expect(models.flatMap((each) => graphKeyOf(each) ?? [])).toEqual([
      { kind: 'lookup', name: 'codes' },
      { kind: 'relay', name: 'raw' },
    ]);
    expect(models.flatMap(flowEdges)).toEqual([]);
  });
});
