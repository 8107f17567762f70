/** What became of a row, as the guest tells it. */
export const ROW_STATUS = {
  value: 0,
  absent: 1,
  rejected: 2,
  overflow: 3,
  divisionByZero: 4,
  notWhole: 5,
  notFinite: 6,
  notText: 7,
} as const;

/** Name of the file that a UDF's code is, as errors of the guest tell their place. */
export const CODE_FILE = 'udf';

/**
 * Script that turns a fresh realm into one for UDFs. Its value is the array of `start(specification)`,
 * which takes away what a UDF must not have and freezes the rest, `seal(entry)`, called after the code
 * ran, `probe()`, `test()`, `run(environment, ...parts)` and `report(error)`.
 *
 * Everything that it uses later is frozen before code runs, and the realm has no other way to change
 * it, so it needs no copies of built-in functions.
 */
export const GUEST_PRELUDE: string = `
(() => {
  const GLOBALS = new Set([
    'Array', 'ArrayBuffer', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean', 'DataView',
    'Error', 'EvalError', 'Float32Array', 'Float64Array', 'Infinity', 'Int16Array', 'Int32Array',
    'Int8Array', 'Iterator', 'JSON', 'Map', 'Math', 'NaN', 'Number', 'Object',
    'Promise', 'Proxy', 'RangeError', 'ReferenceError', 'Reflect', 'RegExp', 'Set', 'String',
    'Symbol', 'SyntaxError', 'TypeError', 'URIError', 'Uint16Array', 'Uint32Array', 'Uint8Array',
    'Uint8ClampedArray', 'WeakMap', 'WeakSet', 'AggregateError', 'decodeURI', 'decodeURIComponent',
    'encodeURI', 'encodeURIComponent', 'globalThis', 'isFinite', 'isNaN', 'parseFloat', 'parseInt',
    'undefined',
  ]);
  const ARRAYS = {
    U8: Uint8Array, I8: Int8Array, U16: Uint16Array, I16: Int16Array, U32: Uint32Array,
    I32: Int32Array, U64: BigUint64Array, I64: BigInt64Array, DATETIME: BigInt64Array,
    F32: Float32Array, F64: Float64Array,
  };
  const RANGES = {
    U8: [0, 255], I8: [-128, 127], U16: [0, 65535], I16: [-32768, 32767], U32: [0, 4294967295],
    I32: [-2147483648, 2147483647], U64: [0n, 2n ** 64n - 1n], I64: [-(2n ** 63n), 2n ** 63n - 1n],
    DATETIME: [-(2n ** 63n), 2n ** 63n - 1n],
  };
  const ERRORS = new Map([
    Error, EvalError, InternalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError,
    AggregateError,
  ].map((type) => [type.prototype, type.name]));
  const tagOf = Object.getOwnPropertyDescriptor(
    Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
  const functionPrototype = Object.getPrototypeOf(() => 0);
  const divisionText = (() => { try { return 1n / 0n; } catch (error) { return error.message; } })();

  const REJECTED = Object.freeze({ status: ${ROW_STATUS.rejected} });
  const OVERFLOW = Object.freeze({ status: ${ROW_STATUS.overflow} });
  const NOT_WHOLE = Object.freeze({ status: ${ROW_STATUS.notWhole} });
  const NOT_FINITE = Object.freeze({ status: ${ROW_STATUS.notFinite} });
  const NOT_TEXT = Object.freeze({ status: ${ROW_STATUS.notText} });
  const ROW_FAULTS = new Set([REJECTED, OVERFLOW, NOT_WHOLE, NOT_FINITE, NOT_TEXT]);

  const isArray = (type) => typeof type === 'string' && ARRAYS[type] !== undefined;
  const arrayOf = (type) =>
    type === 'BOOL' ? Uint8Array : isArray(type) ? ARRAYS[type] : undefined;

  let specification;
  let loop;
  let entry;
  let reason = null;
  let mismatch = null;
  let forbidden = null;
  let instant = 0n;
  const tests = [];
  const generator = new Uint32Array(4);

  // sfc32 of C. Doty-Humphrey's PractRand: a small generator that is seeded for each run.
  const draw = () => {
    const sum = (generator[0] + generator[1] + generator[3]) >>> 0;
    generator[3] += 1;
    generator[0] = generator[1] ^ (generator[1] >>> 9);
    generator[1] = generator[2] + (generator[2] << 3);
    generator[2] = ((generator[2] << 21) | (generator[2] >>> 11)) + sum;
    return sum;
  };
  const volatileFunctions = {
    now: () => instant,
    rand_f64: () => ((draw() >>> 5) * 67108864 + (draw() >>> 6)) / 9007199254740992,
    uuid_v4: () => {
      const words = [draw(), draw(), draw(), draw()];
      words[1] = ((words[1] & 0xffff0fff) | 0x4000) >>> 0;
      words[2] = ((words[2] & 0x3fffffff) | 0x80000000) >>> 0;
      const digits = words.map((word) => word.toString(16).padStart(8, '0')).join('');
      return [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]]
        .map(([from, to]) => digits.slice(from, to)).join('-');
    },
  };
  const forbid = (name) => () => {
    forbidden = name;
    throw new Error(name + '() requires VOLATILE');
  };
  const additions = () => ({
    reject: (text) => {
      reason = typeof text === 'string' ? text : null;
      throw REJECTED;
    },
    test: (title, body) => {
      if (specification.isTested) tests.push([String(title), body]);
    },
    ...Object.fromEntries(Object.entries(volatileFunctions).map(([name, run]) =>
      [name, specification.isVolatile ? run : forbid(name)])),
  });

  // All objects that are there before the code.
  const given = new Set();
  const freezeAll = () => {
    const hidden = [
      functionPrototype, function* () {}, async () => 0, async function* () {},
      [][Symbol.iterator](), new Map().entries(), new Set().entries(), ''[Symbol.iterator](),
      'a'.matchAll(/a/g), (function* () {})(), (async function* () {})(),
    ];
    const waiting = [globalThis, ...hidden];
    while (waiting.length > 0) {
      const next = waiting.pop();
      if ((typeof next !== 'object' && typeof next !== 'function') || next === null) continue;
      if (given.has(next)) continue;
      given.add(next);
      waiting.push(Object.getPrototypeOf(next));
      for (const key of Reflect.ownKeys(next)) {
        const { value, get, set } = Object.getOwnPropertyDescriptor(next, key);
        waiting.push(value, get, set);
      }
      if (next !== globalThis) Object.freeze(next);
    }
    for (const key of Reflect.ownKeys(globalThis)) {
      Object.defineProperty(globalThis, key, { configurable: false });
      const { value } = Object.getOwnPropertyDescriptor(globalThis, key);
      if (value !== undefined) Object.defineProperty(globalThis, key, { writable: false });
    }
  };

  const compileFunction = Function;
  const start = (text) => {
    specification = JSON.parse(text);
    for (const key of Reflect.ownKeys(globalThis)) {
      if (!GLOBALS.has(key) && typeof key === 'string') delete globalThis[key];
    }
    delete Math.random;
    loop = loopOf(compileFunction);
    // What makes functions of text.
    for (const sample of [() => 0, function* () {}, async () => 0, async function* () {}]) {
      delete Object.getPrototypeOf(sample).constructor;
    }
    Object.assign(globalThis, additions());
    freezeAll();
    return '';
  };
`;
