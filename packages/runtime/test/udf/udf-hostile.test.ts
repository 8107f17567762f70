import type { DataType } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { DomainUdfs } from '../../src/udf/domain-udfs.js';
import { callsOf, callUdf, udfPlan } from '../support/udf-plans.js';

const vec = (element: DataType): DataType => ({ kind: 'vec', element });

const GLOBALS = `
AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Error EvalError
Float32Array Float64Array Infinity Int16Array Int32Array Int8Array Iterator JSON Map Math NaN Number
Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError
URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakSet decodeURI
decodeURIComponent encodeURI encodeURIComponent f globalThis isFinite isNaN now parseFloat parseInt
rand_f64 reject test undefined uuid_v4`;

/** Result of a body for the one argument `a`. */
function result(body: string, returns: DataType = 'STRING') {
  const plan = udfPlan(`function f(a) { ${body} }`, ['I32'], returns);
  return callUdf(plan, [[1]], { stepsBase: 30_000_000, stepsPerRow: 0, watchdogMs: 60_000 })[0];
}

const failure = (body: string): string => {
  try {
    return `no failure but ${String(result(body))}`;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('what never ends is ended by its steps (TYPE 8)', () => {
  test.each([
    ['a loop', 'for (;;);'],
    ['mutual recursion that fans out', 'const g = (n) => n < 1 ? 0 : g(n - 1) + g(n - 1); g(60);'],
    ['a loop that catches everything', 'for (;;) { try { for (;;); } catch {} }'],
    ['a finally that loops', 'try { for (;;); } finally { for (;;); }'],
    [
      'a built-in function over a huge length',
      'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);',
    ],
    ['a generic join', 'Array.prototype.join.call({ length: 2 ** 32 });'],
    ['a backtracking expression', '/^(a+)+$/.test("a".repeat(40) + "b");'],
    ['a power of big integers', 'return String(3n ** (2n ** 26n) % 7n);'],
    ['repeated large copies', 'const s = "x".repeat(2 ** 24); for (;;) s.toUpperCase();'],
    ['a sort whose order changes', 'for (;;) [3, 1, 2].sort(() => { for (;;); });'],
    ['an iterator without end', 'new Set((function* () { for (;;) yield 1; })());'],
    [
      'a length that lies',
      'return new Proxy([], { get: (_, k) => k === "length" ? 2 ** 53 - 1 : 1 });',
    ],
    ['a text conversion without end', 'return "" + { toString() { for (;;); } };'],
  ])('%s', (_, body) => {
    const message = failure(body);
    expect(message).toMatch(/^UDF 'f': call failed: (more than 30000000 steps|result: no STRING)$/);
  });

  test('a list whose length lies is read no further than the steps last', () => {
    const code = `const f = () =>
      new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 53 - 1 : 1) });`;
    const plan = udfPlan(code, ['I32'], vec('U8'));
    expect(() => callUdf(plan, [[1]], { stepsBase: 10_000_000 })).toThrow('more than');
  });

  test('the clock ends what its steps would let go on', () => {
    const plan = udfPlan('function f(a) { for (;;); }', ['I32'], 'I32');
    const limits = { stepsBase: 1e15, watchdogMs: 20 };
    expect(() => callUdf(plan, [[1]], limits)).toThrow(
      "UDF 'f': call failed: watchdog expired after 20ms",
    );
  });

  test('the next batch finds the guest sound', () => {
    const code = 'function f(a) { if (a === 0) for (;;); return a; }';
    const udfs = new DomainUdfs([udfPlan(code, ['I32'], 'I32')], undefined, {
      stepsBase: 1_000_000,
      stepsPerRow: 0,
    });
    expect(() => callsOf(udfs, [[1], [0]])).toThrow('more than 1000000 steps');
    expect(callsOf(udfs, [[1], [2]])).toEqual([1, 2]);
  });
});

describe('memory and stack have bounds (TYPE 8)', () => {
  test.each([
    ['a text that doubles', 'let s = "x"; for (;;) s += s;'],
    ['a list that grows', 'const l = []; for (;;) l.push(new Float64Array(1e6));'],
    ['one huge buffer', 'new ArrayBuffer(2 ** 31);'],
    ['a huge list', 'new Array(2 ** 32 - 1).fill(0);'],
    ['a repeated text', '"x".repeat(2 ** 29).split("");'],
    ['a closure that keeps all', 'let c = null; for (;;) { const p = c; c = () => p; }'],
  ])('%s', (_, body) => {
    expect(failure(body)).toMatch(
      /call failed: (ECMAScript execution trapped: |more than 30000000 steps)/,
    );
  });

  test.each([
    ['recursion', 'const g = () => g() + 1; g();'],
    ['recursion by toString', 'const o = { toString: () => "" + o }; "" + o;'],
    ['recursion by getters', 'const o = { get x() { return this.x; } }; o.x;'],
    ['recursion by a proxy', 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x;'],
    ['nested JSON', 'JSON.parse("[".repeat(1e5));'],
    ['nested groups', 'new RegExp("(".repeat(1e5) + ")".repeat(1e5));'],
    [
      'nested lists',
      'let l = []; for (let i = 0; i < 1e5; i++) l = [l]; String(l.flat(Infinity));',
    ],
  ])('%s ends in a trap', (_, body) => {
    expect(failure(body)).toMatch(
      /^UDF 'f': call failed: ECMAScript execution trapped: ([A-Z]\w+Error|the engine cannot go on)/,
    );
  });

  test('a lack of memory cannot be caught', () => {
    const body = 'try { new ArrayBuffer(2 ** 30); } catch {} return "caught";';
    expect(failure(body)).toBe("UDF 'f': call failed: ECMAScript execution trapped: InternalError");
  });

  test('what one batch takes is there for the next', () => {
    const code = 'function f(a) { return new Uint8Array(9e7).length; }';
    const udfs = new DomainUdfs([udfPlan(code, ['I32'], 'I32')]);
    for (let batch = 0; batch < 4; batch += 1) expect(callsOf(udfs, [[1]])).toEqual([9e7]);
  });
});

describe('nothing of the host is in reach (TYPE 8)', () => {
  test('what is there is what the dialect has', () => {
    const plan = udfPlan(
      'function f() { return Object.getOwnPropertyNames(globalThis); }',
      ['I32'],
      vec('STRING'),
    );
    const [names] = callUdf(plan, [[1]]);
    expect([...(names as string[])].sort()).toEqual(GLOBALS.trim().split(/\s+/));
  });

  test.each([
    ['eval', 'eval("1")'],
    ['Function', 'Function("return 1")'],
    ['the constructor of functions', '(() => 1).constructor("return 1")()'],
    ['that of asynchronous functions', '(async () => 1).constructor("return 1")()'],
    ['that of generators', '(function* () {}).constructor("return 1")()'],
    ['that of a method of an object', '[].map.constructor("return 1")()'],
    ['a bound function', 'Reflect.construct((() => 1).bind().constructor, ["return 1"])()'],
    ['process', 'process.exit(1)'],
    ['require', 'require("node:fs")'],
    ['fetch', 'fetch("http://127.0.0.1")'],
    ['timers', 'setTimeout(() => 1, 1)'],
    ['the clock', 'Date.now()'],
    ['a finer clock', 'performance.now()'],
    ['randomness', 'Math.random()'],
    ['shared memory', 'new SharedArrayBuffer(1)'],
    ['weak references, which show garbage collection', 'new WeakRef({})'],
    ['output', 'console.log(1)'],
    ['output of the engine', 'print(1)'],
  ])('%s is not there', (_, expression) => {
    expect(failure(`return String(${expression});`)).toMatch(
      /ECMAScript execution trapped: (ReferenceError|TypeError) at line 1$/,
    );
  });

  test('modules cannot be loaded', () => {
    const body =
      'let kind = "none"; import("node:fs").then(() => { kind = "loaded"; }); return kind;';
    expect(result(body)).toBe('none');
    expect(failure('return import("x");')).toContain('result: no STRING');
  });

  test('asynchronous work is never done', () => {
    const code = `let done = 0;
      function f(a) { Promise.resolve().then(() => { done += 1; }); return done; }`;
    expect(callUdf(udfPlan(code, ['I32'], 'I32'), [[1], [2], [3]])).toEqual([0, 0, 0]);
  });
});

describe('built-in objects cannot be changed (TYPE 8)', () => {
  test.each([
    'Object.prototype.x = 1',
    'Array.prototype.push = () => 0',
    'Object.getPrototypeOf(function* () {}).x = 1',
    'Object.getPrototypeOf(async () => 1).x = 1',
    'Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true })',
    'Object.getPrototypeOf(Uint8Array.prototype).set = () => 0',
    'Object.defineProperty(Object.prototype, "x", { value: 1 })',
    'Object.setPrototypeOf(Array.prototype, null)',
    'Math.abs = () => 0',
    'JSON.parse = () => 0',
    'globalThis.x = 1',
    'globalThis.Object = null',
    'delete globalThis.Math',
    'reject.count = 1',
    'undeclared = 1',
  ])('%s', (statement) => {
    const message = failure(`${statement}; return "changed";`);
    expect(message).toMatch(/trapped: (TypeError|ReferenceError) at line 1$/);
  });

  test('a declaration cannot shadow what the border uses', () => {
    for (const name of ['Uint8Array', 'Reflect', 'reject']) {
      const plan = udfPlan(`function ${name}() {} function f(a) { return a; }`, ['I32'], 'I32');
      expect(() => callUdf(plan, [[1]])).toThrow("UDF 'f': load failed");
    }
  });
});

describe('nothing is there for the next batch (TYPE 8)', () => {
  test('neither variables nor objects nor registries keep what a batch did', () => {
    const code = `let count = 0; const seen = []; const map = new Map();
      function f(a) {
        count += 1; seen.push(a); map.set(a, true); Symbol.for(String(a));
        return [count, seen.length, map.size];
      }`;
    const udfs = new DomainUdfs([udfPlan(code, ['I32'], vec('I32'))]);
    for (let batch = 0; batch < 3; batch += 1) {
      expect(callsOf(udfs, [[1], [2]])).toEqual([
        [1, 1, 1],
        [2, 2, 2],
      ]);
    }
  });

  test('a table that code fills while it is loaded stays', () => {
    const code = `const table = new Uint32Array(500_000); table[499_999] = 7;
      function f(a) { const found = table[499_999]; table.fill(a); return found; }`;
    const udfs = new DomainUdfs([udfPlan(code, ['I32'], 'I32')]);
    for (let batch = 0; batch < 3; batch += 1) expect(callsOf(udfs, [[batch]])).toEqual([7]);
  });
});

describe('errors tell no value (TYPE 8, TX-55)', () => {
  test.each([
    ['throw new Error("secret")', 'Error at line 1'],
    ['throw "secret"', 'exception'],
    ['throw { toString() { throw "secret"; } }', 'exception'],
    ['throw new Proxy({}, { getPrototypeOf() { throw "secret"; } })', 'exception'],
    ['throw null', 'exception'],
    ['const e = new Error(); e.stack = "udf:99999"; throw e', 'Error'],
    ['class Secret extends Error {} throw new Secret("x")', 'exception at line 1'],
    ['a.b.c', 'TypeError at line 1'],
    ['return [{ get 0() { throw new RangeError("secret"); } }][0][0]', 'RangeError at line 1'],
  ])('%s', (body, told) => {
    expect(failure(body)).toBe(`UDF 'f': call failed: ECMAScript execution trapped: ${told}`);
  });

  test('the line is that of the code', () => {
    const plan = udfPlan('\n\nfunction f(a) {\n  return a.x.y;\n}', ['I32'], 'I32');
    expect(() => callUdf(plan, [[1]])).toThrow('trapped: TypeError at line 4');
  });

  test('a division by zero that code passes on stays one', () => {
    const code = 'function f(a) { try { return 1n / 0n; } catch (error) { throw error; } }';
    expect(callUdf(udfPlan(code, ['I32'], 'I32'), [[1]])).toEqual([
      'division_by_zero: division by zero or signed overflow',
    ]);
  });
});
