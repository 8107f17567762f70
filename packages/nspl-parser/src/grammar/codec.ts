import {
  type CodecModel,
  type CodecSource,
  type EncodingRule,
  JAQ_FORMATS,
  WIRE_FORMATS,
} from '@nervix/model';
import { keyword, keywords } from '../tokens.js';
import { defineCsvOptions } from './csv-options.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import { defineJaqTransformations } from './jaq-transformations.js';
import { type LiteralRules, takeResourceBinding } from './literals.js';

const K = keywords(
  'AS',
  'RFC3339',
  'ENCODE',
  'CODEC',
  'FROM',
  'WIRE',
  'SCHEMA',
  'TO',
  'PROTOBUF',
  'USING',
  'RESOURCE',
  'MESSAGE',
  'SYSLOG',
  'CSV',
);
const PHRASE_BATCH_MESSAGE = phraseOf('BATCH MESSAGE');

const NAME = label('codec_name');
const SCHEMA = label('ref:schema');
const FIELD_NAME = label('field_name');
const PROTOBUF_MESSAGE = label('protobuf_message');
const SYSLOG: CodecSource = Object.freeze({ kind: 'syslog' });
const NO_RULES: readonly EncodingRule[] = Object.freeze([]);

/** What a codec reads and writes, and how. */
type CodecBody = Pick<CodecModel, 'source' | 'schema' | 'encode'>;

/** `CODEC name FROM … TO SCHEMA …`. */
export function defineCodec(g: GrammarHost, literals: LiteralRules): Rule<CodecModel> {
  const encode = defineEncode(g);
  const schema = g.rule('codecSchema', () => {
    g.take(K.TO);
    g.take(K.SCHEMA);
    return g.name(SCHEMA);
  });
  const parts: CodecParts = { encode, schema };
  const bodies = [
    defineWireBody(g, parts),
    ...defineJaqBodies(g, literals, parts),
    g.rule('syslogCodec', (): CodecBody => {
      g.take(K.SYSLOG);
      return { source: SYSLOG, schema: g.call(schema), encode: NO_RULES };
    }),
    defineCsvBody(g, parts),
  ];
  const alternatives = bodies.map((body) => ({ ALT: () => g.call(body) }));
  return g.rule('codec', (): CodecModel => {
    g.take(K.CODEC);
    const name = g.name(NAME);
    g.take(K.FROM);
    const body = g.choose(0, alternatives);
    return g.close({ kind: 'codec', name, ...body }, 0);
  });
}

interface CodecParts {
  readonly encode: Rule<readonly EncodingRule[]>;
  /** `TO SCHEMA name`. */
  readonly schema: Rule<string>;
}

function defineEncode(g: GrammarHost): Rule<readonly EncodingRule[]> {
  const encodingRule = g.rule('encodingRule', (): EncodingRule => {
    const first = g.position;
    const field = g.name(FIELD_NAME);
    g.take(K.AS);
    g.take(K.RFC3339);
    return g.close({ field, as: 'RFC3339' }, first);
  });
  return g.rule('encode', () => {
    g.take(K.ENCODE);
    return g.openList(
      0,
      () => g.call(encodingRule),
      () => g.isAt(K.AS, 3),
    );
  });
}

function defineWireBody(g: GrammarHost, { encode, schema }: CodecParts): Rule<CodecBody> {
  const formats = WIRE_FORMATS.map((format) => {
    const option = label(`ref:wire_${format.toLowerCase()}_schema`);
    return {
      ALT: () => {
        g.take(keyword(format));
        g.take(K.SCHEMA);
        return { format, wireSchema: g.name(option) };
      },
    };
  });
  return g.rule('wireCodec', () => {
    g.take(K.WIRE);
    const source = Object.freeze({ kind: 'wire' as const, ...g.choose(0, formats) });
    const target = g.call(schema);
    const rules = g.maybe(0, () => g.call(encode)) ?? NO_RULES;
    return { source, schema: target, encode: rules };
  });
}

function defineJaqBodies(
  g: GrammarHost,
  literals: LiteralRules,
  { encode, schema }: CodecParts,
): Rule<CodecBody>[] {
  const transformations = defineJaqTransformations(g);
  const formats = JAQ_FORMATS.map((format) => ({ ALT: () => g.takeAs(keyword(format), format) }));
  const jaq = g.rule('jaqCodec', (): CodecBody => {
    const format = g.choose(0, formats);
    const target = g.call(schema);
    const source = Object.freeze({
      kind: 'jaq' as const,
      format,
      transformations: g.call(transformations),
    });
    const rules = g.maybe(0, () => g.call(encode)) ?? NO_RULES;
    return { source, schema: target, encode: rules };
  });
  const protobuf = g.rule('protobufCodec', (): CodecBody => {
    g.take(K.PROTOBUF);
    g.take(K.USING);
    g.take(K.RESOURCE);
    const descriptors = takeResourceBinding(g);
    const config = g.call(literals.config);
    g.take(K.MESSAGE);
    const message = g.text(PROTOBUF_MESSAGE);
    const batchMessage =
      g.maybe(0, () => {
        g.phrase(PHRASE_BATCH_MESSAGE);
        return g.text(PROTOBUF_MESSAGE);
      }) ?? null;
    const target = g.call(schema);
    const source = Object.freeze({
      kind: 'protobuf' as const,
      descriptors,
      config,
      message,
      batchMessage,
      transformations: g.call(transformations),
    });
    const rules = g.maybe(1, () => g.call(encode)) ?? NO_RULES;
    return { source, schema: target, encode: rules };
  });
  return [jaq, protobuf];
}

function defineCsvBody(g: GrammarHost, { encode, schema }: CodecParts): Rule<CodecBody> {
  const options = defineCsvOptions(g);
  return g.rule('csvCodec', (): CodecBody => {
    g.take(K.CSV);
    const source = g.call(options);
    const target = g.call(schema);
    const rules = g.maybe(0, () => g.call(encode)) ?? NO_RULES;
    return { source, schema: target, encode: rules };
  });
}
