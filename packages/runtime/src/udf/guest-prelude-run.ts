import { CODE_FILE, ROW_STATUS } from './guest-prelude.js';

/** The rest of the script that `guest-prelude.ts` begins: running, and what crosses the border. */
export const GUEST_RUN: string = `
  const nameOf = (error) => {
    try {
      return ERRORS.get(Object.getPrototypeOf(error)) ?? 'exception';
    } catch {
      return 'exception';
    }
  };
  const placeOf = (error) => {
    try {
      const line = Number(/${CODE_FILE}:([0-9]+)/.exec(error.stack)[1]);
      return line <= specification.lines ? ' at line ' + line : '';
    } catch {
      return '';
    }
  };
  // Messages may quote values of records: only those of code that has seen none are told.
  const describe = (error) => nameOf(error) + placeOf(error);
  const cut = (text) => (text.length > 300 ? text.slice(0, 300) + '...' : text);
  const report = (error) => {
    if (error === REJECTED) return 'reject() outside of a row';
    let message = '';
    try {
      message = ': ' + cut(String(error.message));
    } catch {}
    return nameOf(error) + message + placeOf(error);
  };

  const requirement = () => forbidden + '() requires VOLATILE';

  const seal = (found) => {
    if (typeof found !== 'function') return 'it is no function';
    if (given.has(found)) return 'its name is that of a function of the language';
    if (Object.getPrototypeOf(found) !== functionPrototype) return 'it is no ordinary function';
    if (/^class(?![$\\w])/.test(Reflect.apply(functionPrototype.toString, found, []))) {
      return 'it is a class';
    }
    entry = found;
    Object.freeze(globalThis);
    return '';
  };

  const sample = (type) => {
    if (typeof type !== 'string') {
      return type.length === undefined ? [] : Array.from(type, () => sample(type.element));
    }
    if (type === 'STRING') return '';
    if (type === 'BYTES') return new Uint8Array(0);
    if (type === 'BOOL') return false;
    return typeof RANGES[type]?.[0] === 'bigint' ? 0n : 0;
  };
  // Finds what only volatile functions may call, as far as one row and the tests get there.
  const probe = () => {
    try {
      Reflect.apply(entry, undefined, specification.parameters.map(({ type }) => sample(type)));
    } catch {}
    return forbidden === null ? '' : requirement();
  };
  const failing = () => {
    for (const [title, body] of tests) {
      try {
        if (body() !== true) return cut(title);
      } catch (error) {
        return cut(title) + ' (' + report(error) + ')';
      }
    }
    return '';
  };
  const test = () => {
    const title = failing();
    if (forbidden !== null) return requirement();
    return title === '' ? '' : 'ECMAScript test block failed: ' + title;
  };

  const missing = (type) => {
    mismatch = 'no ' + (typeof type === 'string' ? type : 'list of the declared type');
    throw mismatch;
  };
  // A plain copy of a result, each part of it read once.
  const checked = (type, value) => {
    if (value === null || value === undefined) {
      mismatch = value === null ? 'unexpected null' : 'undefined';
      throw mismatch;
    }
    if (typeof type !== 'string') return checkedList(type, value);
    if (type === 'STRING') {
      if (typeof value !== 'string') missing(type);
      if (!value.isWellFormed()) throw NOT_TEXT;
      return value;
    }
    if (type === 'BOOL') return typeof value === 'boolean' ? value : missing(type);
    if (type === 'BYTES') {
      if (typeof value !== 'object' || Reflect.apply(tagOf, value, []) !== 'Uint8Array') missing(type);
      return new Uint8Array(value);
    }
    const range = RANGES[type];
    if (typeof value !== (range === undefined ? 'number' : typeof range[0])) missing(type);
    if (range === undefined) {
      const rounded = type === 'F32' ? Math.fround(value) : value;
      if (!Number.isFinite(rounded)) throw NOT_FINITE;
      return rounded;
    }
    if (typeof value === 'number' && !Number.isInteger(value)) {
      throw Number.isFinite(value) ? NOT_WHOLE : NOT_FINITE;
    }
    if (value < range[0] || value > range[1]) throw OVERFLOW;
    return value;
  };
  const checkedList = (type, value) => {
    if (!Array.isArray(value)) missing(type);
    const { length } = value;
    if (type.length !== undefined && length !== type.length) missing(type);
    const copy = [];
    for (let index = 0; index < length; index += 1) copy.push(checked(type.element, value[index]));
    return copy;
  };

  const readerOf = (type, take) => {
    if (typeof type !== 'string') {
      const ends = type.length === undefined ? new Int32Array(take()) : null;
      const element = readerOf(type.element, take);
      return (row) => {
        const from = ends === null ? row * type.length : row === 0 ? 0 : ends[row - 1];
        const to = ends === null ? from + type.length : ends[row];
        const list = [];
        for (let index = from; index < to; index += 1) list.push(element(index));
        return list;
      };
    }
    if (type === 'BOOL') {
      const flags = new Uint8Array(take());
      return (row) => flags[row] !== 0;
    }
    if (type === 'STRING' || type === 'BYTES') {
      const ends = new Int32Array(take());
      const whole = type === 'STRING' ? take() : new Uint8Array(take());
      return (row) => whole.slice(row === 0 ? 0 : ends[row - 1], ends[row]);
    }
    const values = new ARRAYS[type](take());
    return (row) => values[row];
  };
  // What the loop reads of an argument: an array, or a function of the row.
  const inputOf = (parameter, take) => {
    if (isArray(parameter.type) && !parameter.optional) return new ARRAYS[parameter.type](take());
    if (!parameter.optional) return readerOf(parameter.type, take);
    const present = new Uint8Array(take());
    const reader = readerOf(parameter.type, take);
    return (row) => (present[row] === 0 ? null : reader(row));
  };

  const endsOf = (values) => {
    const ends = new Int32Array(values.length);
    let end = 0;
    for (let index = 0; index < values.length; index += 1) ends[index] = end += values[index].length;
    return ends;
  };
  // The parts of a column of values, none of which is null.
  const partsOf = (type, values) => {
    if (typeof type !== 'string') {
      const ends = type.length === undefined ? [endsOf(values).buffer] : [];
      return [...ends, ...partsOf(type.element, values.flat())];
    }
    if (type === 'BOOL') return [Uint8Array.from(values, Number).buffer];
    if (type === 'STRING') return [endsOf(values).buffer, values.join('')];
    if (type === 'BYTES') {
      const ends = endsOf(values);
      const whole = new Uint8Array(ends.at(-1) ?? 0);
      values.forEach((bytes, index) => whole.set(bytes, ends[index] - bytes.length));
      return [ends.buffer, whole.buffer];
    }
    return [new ARRAYS[type](values).buffer];
  };

  // Whether a result is one as it is; all others are looked at more closely.
  const plainResult = (type) => {
    const range = RANGES[type];
    if (range !== undefined) {
      const digits = typeof range[0] === 'bigint' ? 'n' : '';
      const isWithin = 'value >= ' + range[0] + digits + ' && value <= ' + range[1] + digits;
      const isWhole = digits === '' ? ' && value % 1 === 0' : '';
      return "typeof value === '" + typeof range[0] + "' && " + isWithin + isWhole;
    }
    switch (type) {
      case 'F64': return "typeof value === 'number' && value - value === 0";
      case 'F32': return "typeof value === 'number' && value > -3e38 && value < 3e38";
      case 'BOOL': return "typeof value === 'boolean'";
      case 'STRING': return "typeof value === 'string' && value.isWellFormed()";
      default: return 'false';
    }
  };
  // The loop over the rows, made for the declaration: most of what a call costs is around it.
  const loopOf = (compile) => {
    const { parameters, returns } = specification;
    const given = parameters.map(({ type, optional }, index) =>
      'a' + index + (isArray(type) && !optional ? '[row]' : '(row)'));
    const append = arrayOf(returns.type) === undefined ? 'out.push(value)' : 'out[count++] = value';
    return compile('rowCount', 'entry', 'inputs', 'out', 'closer', 'failing', [
      "'use strict';",
      'const [' + parameters.map((_, index) => 'a' + index).join() + '] = inputs;',
      'let count = 0;',
      'for (let row = 0; row < rowCount; row += 1) {',
      '  try {',
      '    let value = entry(' + given.join() + ');',
      '    if (!(' + plainResult(returns.type) + ')) value = closer(row, value);',
      '    if (value !== null) ' + append + ';',
      '  } catch (error) {',
      '    const problem = failing(row, error);',
      '    if (problem !== null) return problem;',
      '  }',
      '}',
      'return count;',
    ].join(String.fromCharCode(10)));
  };

  const faultOf = (error) => {
    if (ROW_FAULTS.has(error)) return error.status;
    const isDivision = nameOf(error) === 'RangeError' && error.message === divisionText;
    return isDivision ? ${ROW_STATUS.divisionByZero} : undefined;
  };
  const isWritten = (text) =>
    ["'", '"', String.fromCharCode(96)].some((quote) => specification.code.includes(quote + text + quote));
  // Reasons that were looked for in the code, which is done once for rows that give the same.
  const looked = new Map();
  const knownReason = () => {
    if (reason === null || reason.length > 200) return '';
    let known = looked.get(reason);
    if (known === undefined) {
      known = isWritten(reason);
      if (looked.size < 64) looked.set(reason, known);
    }
    return known ? reason : '';
  };
  // The instant, the seed and the number of rows of the run, then the parts of the arguments.
  const run = (environment, ...parts) => {
    instant = new BigInt64Array(environment)[0];
    const words = new Uint32Array(environment);
    generator.set(words.subarray(2, 6));
    const rowCount = words[6];
    let part = 0;
    const take = () => parts[part++];
    const { parameters, returns } = specification;
    const inputs = parameters.map((parameter) => inputOf(parameter, take));
    const statuses = new Uint8Array(rowCount);
    const reasons = [];
    const closer = (row, value) => {
      mismatch = null;
      if (value !== null || !returns.optional) return checked(returns.type, value);
      statuses[row] = ${ROW_STATUS.absent};
      return null;
    };
    const failing = (row, error) => {
      if (mismatch !== null && error === mismatch) return 'result: ' + mismatch;
      const status = faultOf(error);
      if (status === undefined) return forbidden === null ? 'trap: ' + describe(error) : requirement();
      statuses[row] = status;
      if (error === REJECTED) reasons.push(knownReason());
      return null;
    };
    const Values = arrayOf(returns.type);
    const out = Values === undefined ? [] : new Values(rowCount);
    const count = loop(rowCount, entry, inputs, out, closer, failing);
    if (typeof count === 'string') return [count];
    const results = Values === undefined ? partsOf(returns.type, out) : [out.slice(0, count).buffer];
    return [statuses.buffer, JSON.stringify(reasons), ...results];
  };
  const runGuarded = (...given) => {
    try {
      return run(...given);
    } catch (error) {
      return ['trap: ' + describe(error)];
    }
  };
  return [start, seal, probe, test, runGuarded, report];
})()
`;
