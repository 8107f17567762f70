import type { ExpectedPreview, Statement } from '@nervix/model';
import { keywords } from '../tokens.js';
import { takeLocalPath } from './archive.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import { takeU64 } from './literals.js';
import { takeTransactionId } from './transaction-id.js';

const K = keywords(
  'USE',
  'LIST',
  'DOMAINS',
  'BEGIN',
  'REVERT',
  'COMMIT',
  'EXPECT',
  'POSITION',
  'BASIS',
  'ATTACH',
  'TRANSACTION',
  'UPLOAD',
  'RESOURCE',
  'VERSION',
);
const PHRASE_ATTACH_CLOCK = phraseOf('ATTACH DOMAIN CLOCK');
const PHRASE_DETACH_CLOCK = phraseOf('DETACH DOMAIN CLOCK');

const DOMAIN = label('ref:domain');
const RESOURCE = label('ref:resource');
const POSITION = label('number_literal');
const BASIS = label('string_literal');

/** USE, LIST DOMAINS, BEGIN, REVERT, the domain clock, ATTACH TRANSACTION, UPLOAD RESOURCE. */
export function defineSession(g: GrammarHost): Rule<Statement>[] {
  const use = g.rule('use', (): Statement => {
    g.take(K.USE);
    return { kind: 'use', domain: g.name(DOMAIN) };
  });
  const list = g.rule('listDomains', (): Statement => {
    g.take(K.LIST);
    g.take(K.DOMAINS);
    return { kind: 'list_domains' };
  });
  const begin = g.rule('begin', (): Statement => {
    g.take(K.BEGIN);
    return { kind: 'begin' };
  });
  const revert = g.rule('revert', (): Statement => {
    g.take(K.REVERT);
    return { kind: 'revert' };
  });
  return [use, list, begin, revert, ...defineAttachments(g), defineUpload(g)];
}

function defineAttachments(g: GrammarHost): Rule<Statement>[] {
  const attachClock = g.rule('attachDomainClock', (): Statement => {
    g.phrase(PHRASE_ATTACH_CLOCK);
    return { kind: 'attach_domain_clock' };
  });
  const detachClock = g.rule('detachDomainClock', (): Statement => {
    g.phrase(PHRASE_DETACH_CLOCK);
    return { kind: 'detach_domain_clock' };
  });
  const attachTransaction = g.rule('attachTransaction', (): Statement => {
    g.take(K.ATTACH);
    g.take(K.TRANSACTION);
    return { kind: 'attach_transaction', transaction: takeTransactionId(g) };
  });
  return [attachClock, detachClock, attachTransaction];
}

function defineUpload(g: GrammarHost): Rule<Statement> {
  return g.rule('uploadResource', (): Statement => {
    g.take(K.UPLOAD);
    g.take(K.RESOURCE);
    const resource = g.name(RESOURCE);
    g.take(K.VERSION);
    return { kind: 'upload_resource', resource, directory: takeLocalPath(g) };
  });
}

/** `COMMIT [EXPECT id POSITION n BASIS digest]`. */
export function defineCommit(g: GrammarHost): Rule<Statement> {
  const expectation = g.rule('expectedPreview', (): ExpectedPreview => {
    g.take(K.EXPECT);
    const id = takeTransactionId(g);
    g.take(K.POSITION);
    const position = takeU64(g, POSITION);
    g.take(K.BASIS);
    const basis = g.text(BASIS);
    if (!/^[0-9a-f]{64}$/u.test(basis)) {
      g.refuse('preview basis must be 64 lower-case hexadecimal digits');
    }
    return Object.freeze({ id, position, basis });
  });
  return g.rule('commit', (): Statement => {
    g.take(K.COMMIT);
    return { kind: 'commit', expect: g.maybe(0, () => g.call(expectation)) ?? null };
  });
}
