import { describe, expect, test } from 'vitest';
import { prepareUdf } from '../../src/udf/prepare-udf.js';
import { udfPlan } from '../support/udf-plans.js';

const prepared = (code: string, isVolatile = false) =>
  prepareUdf(udfPlan(code, ['F64'], 'F64', isVolatile));
const F = 'function f(a) { return a * 2; }';

describe('preparing a UDF (CP-31, TX-44, TYPE 8)', () => {
  test.each([
    ['a function', F],
    ['a constant function', 'const f = (a) => a;'],
    ['a class and tables beside it', `class Box {} const t = new Map([[1, 2]]); ${F}`],
    ['a test that holds', `${F} test('doubles', () => f(2) === 4);`],
    [
      'a test of a rejection',
      `const f = () => reject("never");
      test('rejects', () => { try { f(1); } catch { return true; } });`,
    ],
    ['a function whose zero row never ends', 'function f(a) { while (a < 1) a *= 2; return a; }'],
    [
      'a function of its own named like a volatile one',
      'const f = (a) => { const now = () => a; return now(); };',
    ],
  ])('%s is accepted', (_, code) => {
    expect(prepared(code)).toBe(undefined);
  });

  test.each([
    ['65,536 bytes', 65_536, undefined],
    ['65,537 bytes', 65_537, "invalid UDF 'f': UDF code exceeds the 64 KiB limit"],
  ])('code of %s has its limit here too', (_, bytes, problem) => {
    const rest = bytes - F.length - 4;
    const fill = 'é'.repeat(rest >> 1) + 'x'.repeat(rest & 1);
    expect(prepared(`${F}/*${fill}*/`)).toBe(problem);
  });

  test('a volatile function may read time and randomness, in tests too', () => {
    const code =
      'const f = (a) => a + rand_f64(); test("in range", () => f(1) < 2 && now() >= 0n);';
    expect(prepared(code, true)).toBe(undefined);
  });

  test.each([
    [
      'a defect of syntax',
      'function f(a) {\n  return a +;\n}',
      'ECMAScript compilation failed:\nSyntaxError: ',
    ],
    [
      'code that throws',
      'throw new TypeError("no table");',
      'ECMAScript compilation failed:\nTypeError: no table at line 1',
    ],
    [
      'a module',
      'export function f(a) { return a; }',
      'ECMAScript compilation failed:\nSyntaxError: ',
    ],
    [
      'an import',
      'import x from "y"; function f(a) {}',
      'ECMAScript compilation failed:\nSyntaxError: ',
    ],
    ['a wait', 'await 1; function f(a) {}', 'ECMAScript compilation failed:\nSyntaxError: '],
    [
      'no function',
      'const g = 1;',
      "ECMAScript entry signature is invalid: no function 'f' is declared",
    ],
    ['another value', 'const f = 1;', 'ECMAScript entry signature is invalid: it is no function'],
    ['a class', 'class f {}', 'ECMAScript entry signature is invalid: it is a class'],
    [
      'an asynchronous function',
      'async function f(a) {}',
      'ECMAScript entry signature is invalid: it is no ordinary function',
    ],
    [
      'a generator',
      'function* f(a) {}',
      'ECMAScript entry signature is invalid: it is no ordinary function',
    ],
    [
      'a test that fails',
      `${F} test('triples', () => f(1) === 3);`,
      'ECMAScript test block failed: triples',
    ],
    [
      'a test without an answer',
      `${F} test('silent', () => { f(1); });`,
      'ECMAScript test block failed: silent',
    ],
    [
      'a test that throws',
      `${F} test('null', () => f.x.y);`,
      'ECMAScript test block failed: null (TypeError: ',
    ],
    [
      'a test that is none',
      `${F} test('none', 1);`,
      'ECMAScript test block failed: none (TypeError: ',
    ],
    ['time in a test', `${F} test('now', () => now() > 0n);`, 'now() requires VOLATILE'],
    ['randomness', 'const f = (a) => a * rand_f64();', 'rand_f64() requires VOLATILE'],
    [
      'time while it is loaded',
      `const t = now(); ${F}`,
      'ECMAScript compilation failed:\nError: now() requires VOLATILE at line 1',
    ],
    [
      'loading without end',
      `for (;;); ${F}`,
      'ECMAScript compile and test budget of 50000000 steps was exceeded',
    ],
    [
      'a test without end',
      `${F} test('long', () => { for (;;); });`,
      'ECMAScript compile and test budget of 50000000 steps was exceeded',
    ],
    [
      'a declaration twice',
      'const f = 1; const f = 2;',
      'ECMAScript compilation failed:\nSyntaxError: ',
    ],
    [
      'code that closes what it did not open',
      '}); const f = (a) => a; (() => {',
      'ECMAScript compilation failed:\nSyntaxError: ',
    ],
  ])('%s is refused', (_, code, problem) => {
    expect(prepared(code)?.startsWith(`invalid UDF 'f': ${problem}`)).toBe(true);
  });

  test.each(['test', 'reject', 'now', 'parseInt', 'Object'])(
    'the name %s belongs to the language',
    (name) => {
      const plan = { ...udfPlan('const x = 1;', ['F64'], 'F64'), name };
      expect(prepareUdf(plan)).toContain('its name is that of a function of the language');
    },
  );

  test('long titles and messages are cut', () => {
    const titled = prepared(`${F} test('x'.repeat(1e6), () => false);`);
    const thrown = prepared(`throw new Error('x'.repeat(1e6));`);
    expect(titled?.length).toBeLessThan(400);
    expect(thrown?.length).toBeLessThan(400);
  });

  test('a name that the language reserves can have no function', () => {
    const plan = { ...udfPlan('const x = 1;', ['F64'], 'F64'), name: 'class' };
    expect(prepareUdf(plan)).toContain("no function 'class' is declared");
  });

  test('code may be as large as a definition lets it', () => {
    const table = `const t = "${'x'.repeat(60 * 1024)}";`;
    expect(prepared(`${table} const f = (a) => t.length;`)).toBe(undefined);
  });
});
