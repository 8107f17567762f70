import type { DataType, UdfArgument, UdfLanguage, UdfModel } from '@nervix/model';
import { utf8Length } from '../spans.js';
import { keywords, LeftParen, RightParen } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';

const K = keywords(
  'UDF',
  'WITH',
  'ROTO_0_13',
  'ECMASCRIPT_2023',
  'ARGS',
  'RETURNS',
  'OPTIONAL',
  'VOLATILE',
  'CODE',
);

const NAME = label('udf_name');
const ARGUMENT_NAME = label('argument_name');
const CODE = label('string_literal');
const RESERVED_PREFIX = '__nervix_';
const ARGUMENTS_MAX = 8;
const CODE_BYTES_MAX = 64 * 1024;

/** A type and whether a value may be missing. */
interface UdfType {
  readonly type: DataType;
  readonly optional: boolean;
}

/** `UDF name WITH language ARGS (…) RETURNS … CODE …`. */
export function defineUdf(g: GrammarHost, literals: LiteralRules): Rule<UdfModel> {
  const type = g.rule('udfType', (): UdfType => {
    const dataType = g.call(literals.dataType);
    const optional = g.maybe(0, () => g.takeAs(K.OPTIONAL, true)) === true;
    return Object.freeze({ type: dataType, optional });
  });
  const argumentList = defineArguments(g, type);
  return g.rule('udf', (): UdfModel => {
    g.take(K.UDF);
    const name = g.name(NAME);
    refuseReserved(g, name, 'UDF names');
    g.take(K.WITH);
    const language = g.choose<UdfLanguage>(0, [
      { ALT: () => g.takeAs(K.ROTO_0_13, 'ROTO_0_13') },
      { ALT: () => g.takeAs(K.ECMASCRIPT_2023, 'ECMASCRIPT_2023') },
    ]);
    const parameters = g.call(argumentList);
    g.take(K.RETURNS);
    const returns = g.call(type);
    const isVolatile = g.maybe(0, () => g.takeAs(K.VOLATILE, true)) === true;
    g.take(K.CODE);
    const code = g.text(CODE);
    if (code.length > CODE_BYTES_MAX || utf8Length(code) > CODE_BYTES_MAX) {
      g.refuse('UDF code exceeds the 64 KiB limit');
    }
    return g.close(
      {
        kind: 'udf',
        name,
        language,
        arguments: parameters,
        returns,
        volatile: isVolatile,
        code,
      },
      0,
    );
  });
}

function defineArguments(g: GrammarHost, udfType: Rule<UdfType>): Rule<readonly UdfArgument[]> {
  const argument = g.rule('udfArgument', (): UdfArgument => {
    const first = g.position;
    const name = g.name(ARGUMENT_NAME);
    refuseReserved(g, name, 'UDF argument names');
    return g.close({ name, ...g.call(udfType) }, first);
  });
  return g.rule('udfArguments', () => {
    g.take(K.ARGS);
    g.take(LeftParen);
    let count = 0;
    const takeArgument = (): UdfArgument => {
      const first = g.position;
      const found = g.call(argument);
      count += 1;
      if (count > ARGUMENTS_MAX) g.refuse(`a UDF takes at most ${ARGUMENTS_MAX} arguments`, first);
      return found;
    };
    const items = g.distinctList(0, takeArgument, ({ name }) => `UDF argument '${name}'`);
    g.take(RightParen);
    return items;
  });
}

function refuseReserved(g: GrammarHost, name: string, subject: string): void {
  if (name.startsWith(RESERVED_PREFIX)) {
    g.refuse(`${subject} beginning with '${RESERVED_PREFIX}' are reserved`);
  }
}
