import type { DescribableKind, LiteralBinding, LiteralValue, Statement } from '@nervix/model';
import type { IToken } from 'chevrotain';
import { cutText } from '../diagnostics.js';
import {
  Equals,
  keyword,
  keywords,
  LeftParen,
  LiteralText,
  NumberToken,
  RightParen,
  StringToken,
  stringValue,
} from '../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import { MODEL_WORDS } from './model-words.js';

const K = keywords(
  'CREATE',
  'SHOW',
  'INGESTORS',
  'TRANSACTIONS',
  'DOMAIN',
  'DESCRIBE',
  'WHERE',
  'RELAY',
);

const RELAY = label('ref:relay');
const FIELD_NAME = label('field_name');
const LITERAL = label('string_literal');

/** SHOW statements. */
export function defineShow(g: GrammarHost): Rule<Statement> {
  const kinds = MODEL_WORDS.map(({ kind, words, reference }) => {
    const option = label(reference);
    const types = words.map(keyword);
    const phrase = kind === 'window_processor' ? phraseOf(words.join(' ')) : undefined;
    return {
      ALT: (): Statement => {
        if (phrase !== undefined) g.phrase(phrase);
        else for (const type of types) g.take(type);
        const name = kind === 'relay' ? g.relayName(option) : g.name(option);
        return { kind: 'show_create', modelKind: kind, name, withSecrets: false };
      },
    };
  });
  const showCreate = g.rule('showCreate', () => {
    g.take(K.CREATE);
    return g.choose(0, kinds);
  });
  return g.rule('show', () => {
    g.take(K.SHOW);
    return g.choose<Statement>(0, [
      { ALT: () => g.call(showCreate) },
      { ALT: () => g.takeAs(K.INGESTORS, { kind: 'show_ingestors' }) },
      { ALT: () => g.takeAs(K.TRANSACTIONS, { kind: 'show_transactions' }) },
    ]);
  });
}

const DESCRIBABLE: readonly DescribableKind[] = [
  'ingestor',
  'junction',
  'deduplicator',
  'emitter',
  'window_processor',
  'endpoint',
];

/** DESCRIBE statements. */
export function defineDescribe(g: GrammarHost): Rule<Statement> {
  const relay = defineDescribeRelay(g);
  const nodes = DESCRIBABLE.map((modelKind) => {
    const { words, reference } = MODEL_WORDS.find(({ kind }) => kind === modelKind) ?? {
      words: [],
      reference: '',
    };
    const option = label(reference);
    const types = words.map(keyword);
    return {
      ALT: (): Statement => {
        for (const type of types) g.take(type);
        return { kind: 'describe_model', modelKind, name: g.name(option) };
      },
    };
  });
  const alternatives = [
    { ALT: (): Statement => g.takeAs(K.DOMAIN, { kind: 'describe_domain' }) },
    { ALT: () => g.call(relay) },
    ...nodes,
  ];
  return g.rule('describe', () => {
    g.take(K.DESCRIBE);
    return g.choose(0, alternatives);
  });
}

function defineDescribeRelay(g: GrammarHost): Rule<Statement> {
  const binding = g.rule('literalBinding', (): LiteralBinding => {
    const first = g.position;
    const field = g.name(FIELD_NAME);
    g.take(Equals);
    const token = g.take(LiteralText, LITERAL);
    return g.close({ field, value: literalOf(g, token) }, first);
  });
  const bindings = g.rule('literalBindings', () => {
    g.take(K.WHERE);
    g.take(LeftParen);
    const items = g.commaList(0, () => g.call(binding));
    g.take(RightParen);
    return items;
  });
  return g.rule('describeRelay', (): Statement => {
    g.take(K.RELAY);
    const name = g.relayName(RELAY);
    const found = g.maybe(0, () => g.call(bindings)) ?? null;
    return { kind: 'describe_relay', relay: name, bindings: found };
  });
}

function literalOf(g: GrammarHost, token: IToken): LiteralValue {
  if (token.tokenTypeIdx === StringToken.tokenTypeIdx) {
    return Object.freeze({ kind: 'string', value: stringValue(token) });
  }
  if (token.tokenTypeIdx === NumberToken.tokenTypeIdx) {
    return Object.freeze({ kind: 'number', text: token.image });
  }
  const word = token.image.toUpperCase();
  if (word !== 'TRUE' && word !== 'FALSE') {
    g.refuse(`unsupported subscription literal '${cutText(token.image)}'`);
  }
  return Object.freeze({ kind: 'boolean', value: word === 'TRUE' });
}
