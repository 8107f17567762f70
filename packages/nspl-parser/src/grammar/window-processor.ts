import {
  type AckParticipation,
  readByteSize,
  readDuration,
  type WindowBound,
  type WindowProcessorModel,
} from '@nervix/model';
import { cutText } from '../diagnostics.js';
import { refuse } from '../failure.js';
import { keywords, NumberToken, PlainWord, UnitWord } from '../tokens.js';
import { type GrammarHost, hidden, label, type Rule } from './grammar-host.js';
import { checkDuration, type LiteralRules } from './literals.js';
import type { ProcessorClauseRules } from './processor-clauses.js';
import type { RouteRules } from './route.js';
import { isUnsigned, U64_MAX } from './unsigned.js';

const K = keywords(
  'WINDOW',
  'PROCESSOR',
  'WIDTH',
  'STEP',
  'MESSAGES',
  'DURATION',
  'MAX',
  'STATE',
  'SIZE',
);

const NAME = label('window_processor_name');
const COUNT = label('message_count');
const DURATION = label('duration_literal');

/** `WINDOW PROCESSOR name FROM … WIDTH … STEP …`. */
export function defineWindowProcessor(
  g: GrammarHost,
  literals: LiteralRules,
  rules: { readonly routes: RouteRules; readonly processors: ProcessorClauseRules },
): Rule<WindowProcessorModel, [AckParticipation]> {
  const extent = defineExtent(g);
  const stateSize = defineStateSize(g, literals);
  return g.rule('windowProcessor', (acknowledgement: AckParticipation): WindowProcessorModel => {
    g.take(K.WINDOW);
    g.take(K.PROCESSOR);
    const name = g.name(NAME);
    const { inputs, filter } = g.call(rules.processors.intake);
    const { width, step } = g.call(extent);
    const maxStateSize = g.maybe(0, () => g.call(stateSize)) ?? null;
    const { branching, dependencies } = g.call(rules.processors.setting);
    const outputs = g.oneOrMore(0, () => g.call(rules.routes.unflushedRoute));
    const model: WindowProcessorModel = {
      kind: 'window_processor',
      name,
      acknowledgement,
      inputs,
      filter,
      width,
      step,
      maxStateSize,
      branching,
      dependencies,
      routes: outputs,
    };
    return g.close(model, 0);
  });
}

interface Extent {
  readonly width: WindowBound;
  readonly step: WindowBound;
}

/** A width and the indexes of its first and its last token. */
interface PlacedWidth {
  readonly bound: WindowBound;
  readonly first: number;
  readonly last: number;
}

/**
 * `WIDTH … STEP …`. A step is counted as the width is, so what may follow STEP depends on the
 * width; a step of another kind is read for its refusal but not offered.
 */
function defineExtent(g: GrammarHost): Rule<Extent> {
  const messages = defineMessages(g);
  const duration = defineDuration(g);
  const refusedMessages = defineRefusedMessages(g);
  const refusedDuration = defineRefusedDuration(g);
  const stepOfBoth = g.rule('windowStep', () => takeBound(g, messages, duration));
  const stepOfMessages = g.rule('windowMessagesStep', () =>
    takeBound(g, messages, refusedDuration),
  );
  const stepOfDuration = g.rule('windowDurationStep', () =>
    takeBound(g, refusedMessages, duration),
  );
  const takeStep = (step: Rule<WindowBound>, width: PlacedWidth): Extent => {
    g.take(K.STEP);
    const first = g.position;
    const bound = g.close(g.call(step), first);
    checkStep(g, width, bound, first);
    return { width: width.bound, step: bound };
  };
  return g.rule('windowExtent', (): Extent => {
    g.take(K.WIDTH);
    const first = g.position;
    const close = (bound: WindowBound): PlacedWidth => ({
      bound: g.close(bound, first),
      first,
      last: g.position - 1,
    });
    return g.choose<Extent>(0, [
      {
        ALT: () => {
          const count = g.call(messages);
          return g.choose<Extent>(1, [
            {
              ALT: () => {
                const time = g.call(duration);
                return takeStep(stepOfBoth, close({ messages: count, duration: time }));
              },
            },
            {
              ALT: () => takeStep(stepOfMessages, close({ messages: count, duration: null })),
            },
          ]);
        },
      },
      {
        ALT: () => {
          const time = g.call(duration);
          return g.choose<Extent>(2, [
            {
              ALT: () => {
                const count = g.call(messages);
                return takeStep(stepOfBoth, close({ messages: count, duration: time }));
              },
            },
            {
              ALT: () => takeStep(stepOfDuration, close({ messages: null, duration: time })),
            },
          ]);
        },
      },
    ]);
  });
}

/** A bound of one kind or both, in either order. */
function takeBound(g: GrammarHost, messages: Rule<string>, duration: Rule<string>): WindowBound {
  return g.choose<WindowBound>(0, [
    {
      ALT: () => {
        const count = g.call(messages);
        return { messages: count, duration: g.maybe(0, () => g.call(duration)) ?? null };
      },
    },
    {
      ALT: () => {
        const time = g.call(duration);
        return { messages: g.maybe(1, () => g.call(messages)) ?? null, duration: time };
      },
    },
  ]);
}

function defineMessages(g: GrammarHost): Rule<string> {
  return g.rule('windowMessages', () => {
    const raw = g.take(NumberToken, COUNT).image;
    if (!isUnsigned(raw, U64_MAX)) g.refuse(`invalid integer '${cutText(raw)}'`);
    g.take(K.MESSAGES);
    return raw;
  });
}

/** Where the width counts no messages. */
function defineRefusedMessages(g: GrammarHost): Rule<string> {
  return g.rule('windowRefusedMessages', () => {
    const first = g.position;
    const raw = g.take(NumberToken, hidden('message_count')).image;
    g.take(K.MESSAGES, hidden('MESSAGES'));
    g.refuse('STEP MESSAGES requires WIDTH MESSAGES', first);
    return raw;
  });
}

function defineDuration(g: GrammarHost): Rule<string> {
  return g.rule('windowDuration', () => {
    const first = g.position;
    const text = g.choose(0, [
      { ALT: () => g.take(NumberToken, DURATION).image + g.take(UnitWord, DURATION).image },
      { ALT: () => g.take(PlainWord, DURATION).image },
    ]);
    if (g.position > first + 1) checkDuration(g, text, first);
    g.take(K.DURATION);
    return text;
  });
}

/** Where the width measures no time; a word alone is no duration here but what follows STEP. */
function defineRefusedDuration(g: GrammarHost): Rule<string> {
  const unit = hidden('duration_literal');
  return g.rule('windowRefusedDuration', () => {
    const first = g.position;
    const text = g.take(NumberToken, unit).image + g.take(UnitWord, unit).image;
    g.maybe(0, () => g.take(K.DURATION, hidden('DURATION')));
    g.refuse('STEP DURATION requires WIDTH DURATION', first);
    return text;
  });
}

function checkStep(g: GrammarHost, placed: PlacedWidth, step: WindowBound, first: number): void {
  if (g.isRecording) return;
  const width = placed.bound;
  if (step.messages !== null && width.messages !== null) {
    if (BigInt(step.messages) > BigInt(width.messages)) {
      g.refuse('STEP MESSAGES must be less than or equal to WIDTH MESSAGES', first);
    }
  }
  if (step.duration === null || width.duration === null) return;
  const stepNanos = readDuration(step.duration);
  if (stepNanos.kind === 'refused') {
    g.refuse(`invalid STEP duration: ${stepNanos.reason}`, first);
    return;
  }
  const widthNanos = readDuration(width.duration);
  if (widthNanos.kind === 'refused') {
    refuse(`invalid WIDTH duration: ${widthNanos.reason}`, placed.first, placed.last);
  } else if (stepNanos.value > widthNanos.value) {
    g.refuse('STEP DURATION must be less than or equal to WIDTH DURATION', first);
  }
}

function defineStateSize(g: GrammarHost, literals: LiteralRules): Rule<string> {
  return g.rule('stateSize', () => {
    g.take(K.MAX);
    g.take(K.STATE);
    g.take(K.SIZE);
    const first = g.position;
    const text = g.call(literals.byteSize);
    if (g.isRecording) return '';
    const size = readByteSize(text);
    if (size.kind === 'refused') return '';
    if (size.value === 0n) g.refuse('MAX STATE SIZE must be greater than zero', first);
    if (size.value > U64_MAX) {
      g.refuse('invalid byte_size_literal: it is larger than a byte count can be', first);
    }
    return size.value.toString();
  });
}
