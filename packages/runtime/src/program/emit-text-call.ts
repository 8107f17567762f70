import type { TypedCall } from '@nervix/model';
import { attemptOf } from '../function/kernel-table.js';
import { joinTexts, lengthDetail, TEXT_BYTES_MAX } from '../function/text-functions.js';
import type { Emitter, Operand } from './emitter.js';
import { TextSearch } from './text-search.js';

/** Emits the text functions that work on bytes; undefined for the others. */
export function emitTextCall(
  emitter: Emitter,
  call: TypedCall,
  args: readonly Operand[],
): Operand | undefined {
  const [text, second, third] = args;
  if (text === undefined) return undefined;
  if (call.function === 'concat' && call.type === 'STRING') return emitConcat(emitter, call, args);
  if (call.function === 'concat_ws') return emitJoin(emitter, call, args);
  const range = rangeOf(text);
  const strict = (compute: () => Operand): Operand => emitter.strict(args, call.type, compute);
  const intoArena = (code: string): Operand =>
    strict(() => {
      emitter.emit(code);
      return emitter.arenaText('STRING');
    });
  switch (call.function) {
    case 'lower':
    case 'upper':
      return intoArena(`mapCase(A, ${range}, ${call.function === 'upper'});`);
    case 'trim':
      return intoArena(`trimBytes(A, ${range}, 3);`);
    case 'ltrim':
      return intoArena(`trimBytes(A, ${range}, 1);`);
    case 'rtrim':
      return intoArena(`trimBytes(A, ${range}, 2);`);
    case 'left':
    case 'right':
      return intoArena(`edgeBytes(A, ${range}, ${second?.value}, ${call.function === 'left'});`);
    case 'substr':
      return intoArena(
        `substringBytes(A, ${range}, ${second?.value}, ${third === undefined ? 'null' : third.value});`,
      );
    case 'length':
      return strict(() => count(emitter, `countCharacters(${range})`));
    case 'octet_length':
      return strict(() => count(emitter, `${text.end} - ${text.start}`));
    case 'bit_length':
      return strict(() => count(emitter, `(${text.end} - ${text.start}) * 8`));
    case 'contains':
    case 'starts_with':
    case 'ends_with':
    case 'strpos':
      if (text.type !== 'STRING' || second?.type !== 'STRING') return undefined;
      return strict(() => emitSearch(emitter, call.function, text, second));
    default:
      return undefined;
  }
}

function rangeOf({ value, start, end }: Operand): string {
  return `${value}, ${start}, ${end}`;
}

function count(emitter: Emitter, code: string): Operand {
  return emitter.computed('I64', emitter.mode === 'exact' ? `BigInt(${code})` : code);
}

function emitSearch(emitter: Emitter, name: string, text: Operand, needle: Operand): Operand {
  const length = `(${needle.end} - ${needle.start})`;
  const isLong = `${text.end} - ${text.start} >= ${length}`;
  switch (name) {
    case 'contains':
      return emitContains(emitter, text, needle);
    case 'starts_with': {
      const head = `${text.value}, ${text.start}, ${text.start} + ${length}`;
      return emitter.computed('BOOL', `${isLong} && equalRanges(${head}, ${rangeOf(needle)})`);
    }
    case 'ends_with': {
      const tail = `${text.value}, ${text.end} - ${length}, ${text.end}`;
      return emitter.computed('BOOL', `${isLong} && equalRanges(${tail}, ${rangeOf(needle)})`);
    }
    default: {
      const at = emitter.computed('I32', `findBytes(${rangeOf(text)}, ${rangeOf(needle)})`).value;
      const before = `countCharacters(${text.value}, ${text.start}, ${at})`;
      return count(emitter, `(${at} < 0 ? 0 : ${before} + 1)`);
    }
  }
}

/** A constant is looked for over the whole bytes of a column, ahead of the rows. */
function emitContains(emitter: Emitter, text: Operand, needle: Operand): Operand {
  const constant = emitter.constantBytes(needle);
  if (constant === undefined || text.isColumn !== true || constant.length === 0) {
    return emitter.computed('BOOL', `findBytes(${rangeOf(text)}, ${rangeOf(needle)}) >= 0`);
  }
  const search = emitter.constant(new TextSearch(constant));
  emitter.opening.push(`${search}.restart();`);
  return emitter.computed('BOOL', `${search}.isWithin(${rangeOf(text)})`);
}

function emitConcat(emitter: Emitter, call: TypedCall, args: readonly Operand[]): Operand {
  const sizes = args.map(({ isNull, start, end }) =>
    isNull === null ? `(${end} - ${start})` : `(${isNull} ? 0 : ${end} - ${start})`,
  );
  const at = emitter.fresh('p');
  const size = emitter.fresh('p');
  const fail = emitter.fail('overflow', lengthDetail('concat'), call.span);
  emitter.emit(
    `const ${size} = ${sizes.join(' + ')};`,
    `if (${size} > ${TEXT_BYTES_MAX}) ${fail}`,
    `A.open(${size});`,
    `let ${at} = A.start;`,
  );
  args.forEach((argument, index) => {
    const copy = `copyRange(${rangeOf(argument)}, A.bytes, ${at}); ${at} += ${sizes[index]};`;
    emitter.emit(argument.isNull === null ? copy : `if (!${argument.isNull}) { ${copy} }`);
  });
  emitter.emit(`A.seal(${at});`);
  return emitter.arenaText('STRING');
}

/** Joins the texts behind the first one, which separates them. */
const joinAttempt = attemptOf((values) => {
  const [separator = '', ...texts] = values as readonly string[];
  return joinTexts(separator, texts, 'concat_ws');
});

function emitJoin(emitter: Emitter, call: TypedCall, args: readonly Operand[]): Operand {
  const [separator, ...rest] = args as [Operand, ...Operand[]];
  return emitter.strict([separator], 'STRING', () => {
    const texts = emitter.fresh('x');
    emitter.emit(`const ${texts} = [${emitter.boxed(separator)}];`);
    for (const argument of rest) {
      const push = `${texts}.push(${emitter.boxed(argument)});`;
      emitter.emit(argument.isNull === null ? push : `if (!${argument.isNull}) ${push}`);
    }
    const join = emitter.constant(joinAttempt);
    return emitter.called(`${join}(${texts})`, 'STRING', false, call.span);
  });
}
