import type { SignalingFormat, SignalingProtocolModel, SignalingStep } from '@nervix/model';
import { Comma, keyword, keywords } from '../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import { type LiteralRules, takeResourceBinding } from './literals.js';

const K = keywords(
  'FORMAT',
  'FAIL',
  'JAQ',
  'ON',
  'CONNECT',
  'ACCEPT',
  'DATA',
  'TIMEOUT',
  'PROTOBUF',
  'USING',
  'RESOURCE',
  'SEND',
  'MESSAGE',
  'WAIT',
  'CAPTURE',
);
const PHRASE_SIGNALING_PROTOCOL = phraseOf('SIGNALING PROTOCOL');

const NAME = label('signaling_protocol_name');
const PROGRAM = label('jaq_program');
const MATCHER = label('jaq_matcher');
const CAPTURE = label('jaq_capture');
const PROTOBUF_MESSAGE = label('protobuf_message');
const NO_MATCHERS: readonly string[] = Object.freeze([]);
const TEXT_FORMATS = ['JSON', 'YAML', 'TOML', 'XML', 'CBOR', 'RAW'] as const;

/** `SIGNALING PROTOCOL name FORMAT … ON CONNECT … TIMEOUT …`. */
export function defineSignalingProtocol(
  g: GrammarHost,
  literals: LiteralRules,
): Rule<SignalingProtocolModel> {
  const format = defineFormat(g, literals);
  const clauses: SignalingClauses = { fail: defineFail(g), acceptData: defineAcceptData(g) };
  const step = defineStep(g, clauses);
  return g.rule('signalingProtocol', (): SignalingProtocolModel => {
    g.phrase(PHRASE_SIGNALING_PROTOCOL);
    const name = g.name(NAME);
    g.take(K.FORMAT);
    const payload = g.call(format);
    const fail = g.maybe(0, () => g.call(clauses.fail)) ?? NO_MATCHERS;
    g.take(K.ON);
    g.take(K.CONNECT);
    const acceptData = g.maybe(1, () => g.call(clauses.acceptData)) === true;
    const steps = g.oneOrMore(0, () => g.call(step));
    g.take(K.TIMEOUT);
    const timeout = g.call(literals.duration);
    return g.close(
      {
        kind: 'signaling_protocol',
        name,
        format: payload,
        fail,
        acceptData,
        steps,
        timeout,
      },
      0,
    );
  });
}

interface SignalingClauses {
  /** `FAIL JAQ …, …`. */
  readonly fail: Rule<readonly string[]>;
  /** `ACCEPT DATA`. */
  readonly acceptData: Rule<true>;
}

function defineFormat(g: GrammarHost, literals: LiteralRules): Rule<SignalingFormat> {
  const texts = TEXT_FORMATS.map((format) => ({
    ALT: (): SignalingFormat => g.takeAs(keyword(format), { kind: 'text', format }),
  }));
  const protobuf = (): SignalingFormat => {
    g.take(K.PROTOBUF);
    g.take(K.USING);
    g.take(K.RESOURCE);
    const descriptors = takeResourceBinding(g);
    const config = g.call(literals.config);
    g.take(K.SEND);
    g.take(K.MESSAGE);
    const sendMessage = g.text(PROTOBUF_MESSAGE);
    g.take(K.WAIT);
    g.take(K.MESSAGE);
    const waitMessage = g.text(PROTOBUF_MESSAGE);
    return { kind: 'protobuf', descriptors, config, sendMessage, waitMessage };
  };
  const alternatives = [...texts, { ALT: protobuf }];
  return g.rule('signalingFormat', () => Object.freeze(g.choose(0, alternatives)));
}

function defineFail(g: GrammarHost): Rule<readonly string[]> {
  return g.rule('signalingFail', () => {
    g.take(K.FAIL);
    g.take(K.JAQ);
    return g.commaList(0, () => g.text(MATCHER));
  });
}

function defineAcceptData(g: GrammarHost): Rule<true> {
  return g.rule('acceptData', () => {
    g.take(K.ACCEPT);
    return g.takeAs(K.DATA, true);
  });
}

function defineStep(g: GrammarHost, clauses: SignalingClauses): Rule<SignalingStep> {
  const wait = defineWait(g, clauses);
  return g.rule('signalingStep', () =>
    g.choose<SignalingStep>(0, [
      {
        ALT: () => {
          const first = g.position;
          g.take(K.SEND);
          g.take(K.JAQ);
          const programs = g.commaList(0, () => g.text(PROGRAM));
          return g.close({ kind: 'send', programs }, first);
        },
      },
      { ALT: () => g.call(wait) },
    ]),
  );
}

/** What follows the first matcher of a WAIT; CAPTURE is for a single one. */
interface WaitTail {
  readonly others: readonly string[];
  readonly fail: readonly string[];
  readonly capture: string | null;
}

function defineWait(g: GrammarHost, { fail, acceptData }: SignalingClauses): Rule<SignalingStep> {
  const several = g.rule('signalingMatchers', (): WaitTail => {
    const others: string[] = [];
    g.repeatOnce(0, () => {
      g.take(Comma);
      others.push(g.text(MATCHER));
    });
    return { others, fail: g.maybe(0, () => g.call(fail)) ?? NO_MATCHERS, capture: null };
  });
  const single = g.rule('signalingMatcher', (): WaitTail => {
    const failMatchers = g.maybe(0, () => g.call(fail)) ?? NO_MATCHERS;
    const capture =
      g.maybe(1, () => {
        g.take(K.CAPTURE);
        return g.text(CAPTURE);
      }) ?? null;
    return { others: NO_MATCHERS, fail: failMatchers, capture };
  });
  return g.rule('signalingWait', (): SignalingStep => {
    const first = g.position;
    g.take(K.WAIT);
    g.take(K.JAQ);
    const matcher = g.text(MATCHER);
    const tail = g.choose(0, [{ ALT: () => g.call(several) }, { ALT: () => g.call(single) }]);
    const matchers = g.isRecording ? NO_MATCHERS : Object.freeze([matcher, ...tail.others]);
    const accepts = g.maybe(0, () => g.call(acceptData)) === true;
    const { fail: failMatchers, capture } = tail;
    return g.close(
      { kind: 'wait', matchers, fail: failMatchers, capture, acceptData: accepts },
      first,
    );
  });
}
