import { describe, expect, test } from 'vitest';
import { DomainUdfs } from '../../src/udf/domain-udfs.js';
import { callsOf, callUdf, UDF_CONTEXT, udfPlan } from '../support/udf-plans.js';

const twice = udfPlan('function f(a) { return a * 2; }', ['F64'], 'F64');

describe('batches (TYPE 8)', () => {
  test.each([0, 1, 2, 8_191, 8_192, 8_193, 65_536])('of %i rows', (count) => {
    const rows = Array.from({ length: count }, (_, row) => [row / 4]);
    expect(callUdf(twice, rows)).toEqual(rows.map(([value = 0]) => value * 2));
  });

  test('a run holds as many rows as their texts have room', () => {
    const code = 'let rows = 0; function f(a) { rows += 1; return rows; }';
    const plan = udfPlan(code, ['STRING'], 'I32');
    const rows = [['aaaa'], ['bb'], ['cccccccccccc'], ['d'], ['e']];
    expect(callUdf(plan, rows, { textMax: 6 })).toEqual([1, 2, 1, 1, 2]);
  });

  test('failures of rows stand between results, in every run', () => {
    const code =
      'function f(a) { if (a % 3n === 0n) reject("a third"); return a % 3n === 1n ? null : a; }';
    const plan = udfPlan(code, ['I64'], { optional: 'I64' });
    const rows = Array.from({ length: 7 }, (_, row) => [BigInt(row)]);
    const rejected = "invalid_argument: UDF 'f' rejected the row: a third";
    const expected = [rejected, null, 2n, rejected, null, 5n, rejected];
    expect(callUdf(plan, rows)).toEqual(expected);
    expect(callUdf(plan, rows, { rowsMax: 2 })).toEqual(expected);
  });
});

describe('two instances (TYPE 8)', () => {
  const code = `const table = Array.from({ length: 64 }, (_, i) => Math.sin(i) * 1e6);
    function f(a) {
      const parts = [Math.cos(a), Math.exp(a / 100), Math.tan(a), Math.pow(a, 1.7), Math.atan2(a, 3)];
      const keys = Object.keys({ z: 1, 2: 1, a: 1, 1: 1 }).join();
      const sorted = [...table].sort((x, y) => (Math.abs(x) % 7) - (Math.abs(y) % 7)).slice(0, 3);
      return [...parts, ...sorted].map(String).join() + keys + 'ß'.toUpperCase() + 'é'.normalize('NFD')
        + [3, 20, 100].toSorted() + (1234567.891).toLocaleString() + 'a'.localeCompare('b');
    }`;
  const plan = udfPlan(code, ['F64'], 'STRING');
  const rows = Array.from({ length: 200 }, (_, row) => [row * 1.37]);

  test('give the same results, whatever they did before', () => {
    const first = new DomainUdfs([plan]);
    callsOf(first, [[5], [6]]);
    expect(callsOf(first, rows)).toEqual(callsOf(new DomainUdfs([plan]), rows));
  });

  test('give the same results however rows are divided', () => {
    expect(callUdf(plan, rows, { rowsMax: 7 })).toEqual(callUdf(plan, rows));
  });

  test('are stopped by the same row', () => {
    const loop = udfPlan(
      'function f(a) { for (let i = 0; i < a; i++); return a; }',
      ['F64'],
      'F64',
    );
    const limits = { stepsBase: 100_000, stepsPerRow: 0 };
    const lasts = (turns: number): boolean => {
      try {
        callUdf(loop, [[turns]], limits);
        return true;
      } catch {
        return false;
      }
    };
    let low = 0;
    let high = 100_000;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (lasts(middle)) low = middle;
      else high = middle;
    }
    expect([lasts(low), lasts(high), lasts(low), lasts(high)]).toEqual([true, false, true, false]);
  });
});

describe('volatile functions (TYPE 8)', () => {
  const code = 'function f(a) { return [now(), rand_f64(), uuid_v4()].map(String).join("|"); }';
  const plan = udfPlan(code, ['I32'], 'STRING', true);

  test('read the time of the unit of work, and random values that differ row by row', () => {
    const [first, second] = callUdf(plan, [[1], [2]]) as [string, string];
    const [instant, random, uuid] = first.split('|') as [string, string, string];
    expect(instant).toBe('1000000000000000000');
    expect(Number(random)).toBeGreaterThanOrEqual(0);
    expect(Number(random)).toBeLessThan(1);
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(second.split('|')[0]).toBe(instant);
    expect(second).not.toBe(first);
  });

  test('follow from the seed alone', () => {
    expect(callUdf(plan, [[1], [2]])).toEqual(callUdf(plan, [[1], [2]]));
    const other = { ...UDF_CONTEXT, randomBytes: (count: number) => new Uint8Array(count).fill(9) };
    const [result] = new DomainUdfs([plan]).call('f', [[1]], 1, other);
    expect(result).not.toEqual(callUdf(plan, [[1]])[0]);
  });

  test('random values spread over their range', () => {
    const random = udfPlan('const f = () => rand_f64();', ['I32'], 'F64', true);
    const values = callUdf(
      random,
      Array.from({ length: 4_000 }, () => [0]),
    ) as number[];
    const tenths = new Array<number>(10).fill(0);
    for (const value of values) tenths[Math.floor(value * 10)]! += 1;
    for (const count of tenths) expect(count).toBeGreaterThan(300);
    expect(new Set(values).size).toBe(values.length);
  });

  test.each(['now', 'rand_f64', 'uuid_v4'])('%s() requires VOLATILE', (name) => {
    const still = udfPlan(
      `function f(a) { try { ${name}(); } catch {} return a.x.y; }`,
      ['I32'],
      'I32',
    );
    expect(() => callUdf(still, [[1]])).toThrow(
      `UDF 'f': call failed: ${name}() requires VOLATILE`,
    );
  });
});

describe('plans that follow one another', () => {
  test('a function that stays the same keeps its guest, one that changed gets another', () => {
    const first = new DomainUdfs([twice]);
    expect(callsOf(first, [[1]])).toEqual([2]);
    const thrice = { ...twice, code: 'function f(a) { return a * 3; }' };
    expect(callsOf(new DomainUdfs([thrice], first), [[1]])).toEqual([3]);
    expect(callsOf(new DomainUdfs([twice], first), [[1]])).toEqual([2]);
  });

  test('code that cannot be loaded fails the batch', () => {
    const broken = { ...twice, code: 'function f( {' };
    expect(() => callUdf(broken, [[1]])).toThrow(
      "UDF 'f': load failed: ECMAScript compilation failed:\nSyntaxError",
    );
  });
});
