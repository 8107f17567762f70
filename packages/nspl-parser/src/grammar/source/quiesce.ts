import type { QuiesceMode } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, phraseOf, type Rule } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';

const K = keywords(
  'ON',
  'QUIESCE',
  'SUSPEND',
  'DROP',
  'BUFFER',
  'OVERFLOW',
  'OLDEST',
  'NEWEST',
  'REJECT',
  'RETRY',
  'AFTER',
);
const PHRASE_MAX_SIZE = phraseOf('MAX SIZE');
const SUSPEND: QuiesceMode = Object.freeze({ kind: 'suspend' });
const DROP: QuiesceMode = Object.freeze({ kind: 'drop' });

/** `ON QUIESCE body`, by what the source can do; the last is any body without the words before. */
export interface QuiesceRules {
  readonly suspend: Rule<QuiesceMode>;
  readonly suspendOrBuffer: Rule<QuiesceMode>;
  readonly bufferOrDrop: Rule<QuiesceMode>;
  readonly suspendBufferOrDrop: Rule<QuiesceMode>;
  readonly endpoint: Rule<QuiesceMode>;
  readonly anyBody: Rule<QuiesceMode>;
}

type Body = 'suspend' | 'buffer' | 'drop' | 'endpointBuffer' | 'anyBuffer' | 'reject';

/** What external sources experience while intake is held. */
export function defineQuiesce(g: GrammarHost, literals: LiteralRules): QuiesceRules {
  const overflow = defineOverflow(g);
  const takeBuffer = (takeOverflow: () => 'OLDEST' | 'NEWEST' | null): QuiesceMode => {
    g.take(K.BUFFER);
    g.phrase(PHRASE_MAX_SIZE);
    const maxSize = g.call(literals.byteSize);
    return Object.freeze({ kind: 'buffer', maxSize, overflow: takeOverflow() });
  };
  const bodies: Readonly<Record<Body, () => QuiesceMode>> = {
    suspend: () => g.takeAs(K.SUSPEND, SUSPEND),
    buffer: () => takeBuffer(() => g.call(overflow)),
    drop: () => g.takeAs(K.DROP, DROP),
    endpointBuffer: () => takeBuffer(() => null),
    anyBuffer: () => takeBuffer(() => g.maybe(0, () => g.call(overflow)) ?? null),
    reject: () => {
      g.take(K.REJECT);
      g.take(K.RETRY);
      g.take(K.AFTER);
      return Object.freeze({ kind: 'reject', retryAfter: g.call(literals.duration) });
    },
  };
  const bodyRule = (name: string, allowed: readonly Body[]): Rule<QuiesceMode> => {
    const alternatives = allowed.map((body) => ({ ALT: bodies[body] }));
    return g.rule(name, () => g.choose(0, alternatives));
  };
  const clauseRule = (name: string, allowed: readonly Body[]): Rule<QuiesceMode> => {
    const body = bodyRule(`${name}Body`, allowed);
    return g.rule(name, () => {
      g.take(K.ON);
      g.take(K.QUIESCE);
      return g.call(body);
    });
  };
  return {
    suspend: clauseRule('quiesceSuspend', ['suspend']),
    suspendOrBuffer: clauseRule('quiesceSuspendOrBuffer', ['suspend', 'buffer']),
    bufferOrDrop: clauseRule('quiesceBufferOrDrop', ['buffer', 'drop']),
    suspendBufferOrDrop: clauseRule('quiesceSuspendBufferOrDrop', ['suspend', 'buffer', 'drop']),
    endpoint: clauseRule('quiesceEndpoint', ['reject', 'endpointBuffer']),
    anyBody: bodyRule('quiesceAnyBody', ['suspend', 'anyBuffer', 'drop', 'reject']),
  };
}

function defineOverflow(g: GrammarHost): Rule<'OLDEST' | 'NEWEST'> {
  return g.rule('bufferOverflow', () => {
    g.take(K.ON);
    g.take(K.OVERFLOW);
    g.take(K.DROP);
    return g.choose<'OLDEST' | 'NEWEST'>(0, [
      { ALT: () => g.takeAs(K.OLDEST, 'OLDEST') },
      { ALT: () => g.takeAs(K.NEWEST, 'NEWEST') },
    ]);
  });
}
