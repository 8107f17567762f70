import {
  type DataType,
  type LiteralBinding,
  type PlacementPolicy,
  type ResourceBinding,
  type RuntimeMember,
  readByteSize,
  readDuration,
} from '@nervix/model';
import { cutText } from '../diagnostics.js';
import { IntegerText, keywords, NumberToken, PlainWord, Word } from '../tokens.js';
import { defineDataType } from './data-type.js';
import { type GrammarHost, type Label, label, type Rule } from './grammar-host.js';
import { defineHostname, type HostnameRules } from './hostname.js';
import { defineLiteralBindings } from './literal-bindings.js';
import { defineMember } from './member.js';
import { definePlacementPolicy } from './placement-policy.js';
import { defineSettings, type SettingsRules } from './settings.js';
import { isUnsigned, U32_MAX, U64_MAX } from './unsigned.js';
import { defineWireTypes, type WireTypeRules } from './wire-type.js';

const K = keywords('VERSION', 'LATEST');

const DURATION = label('duration_literal');
const BYTE_SIZE = label('byte_size_literal');
const RESOURCE = label('ref:resource');
const VERSION = label('completed_resource_version');

export interface LiteralRules extends HostnameRules, SettingsRules, WireTypeRules {
  /** A duration in the author's spelling. */
  readonly duration: Rule<string>;
  /** A byte size in the author's spelling. */
  readonly byteSize: Rule<string>;
  readonly dataType: Rule<DataType>;
  readonly placementPolicy: Rule<PlacementPolicy>;
  /** A runtime unit with its kind. */
  readonly member: Rule<RuntimeMember>;
  /** `WHERE (field = literal, …)`. */
  readonly literalBindings: Rule<readonly LiteralBinding[]>;
}

/** Values that statements of many families hold. */
export function defineLiterals(g: GrammarHost): LiteralRules {
  const duration = g.rule('duration', () =>
    g.choose(0, [
      { ALT: () => durationText(g, DURATION) },
      { ALT: () => g.take(PlainWord, DURATION).image },
    ]),
  );
  const byteSize = g.rule('byteSize', () => {
    const first = g.position;
    const text = g.choose(0, [
      { ALT: () => g.take(NumberToken, BYTE_SIZE).image + g.take(Word, BYTE_SIZE).image },
      { ALT: () => g.take(Word, BYTE_SIZE).image },
    ]);
    if (!g.isRecording && !byteSizes.has(text)) {
      const size = readByteSize(text);
      if (size.kind === 'refused') g.refuse(`invalid byte_size_literal: ${size.reason}`, first);
      byteSizes.add(text);
    }
    return text;
  });
  return {
    duration,
    byteSize,
    dataType: defineDataType(g),
    placementPolicy: definePlacementPolicy(g),
    member: defineMember(g),
    literalBindings: defineLiteralBindings(g),
    ...defineHostname(g),
    ...defineSettings(g),
    ...defineWireTypes(g),
  };
}

function durationText(g: GrammarHost, option: Label): string {
  const first = g.position;
  const text = g.take(NumberToken, option).image + g.take(Word, option).image;
  checkDuration(g, text, first);
  return text;
}

/** Short texts found valid before; scripts repeat a handful of them. */
class KnownTexts {
  readonly #known = new Set<string>();

  has(text: string): boolean {
    return this.#known.has(text);
  }

  add(text: string): void {
    if (text.length > KNOWN_LENGTH_MAX) return;
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.add(text);
  }
}

const KNOWN_MAX = 1024;
const KNOWN_LENGTH_MAX = 32;
const durations = new KnownTexts();
const byteSizes = new KnownTexts();

/** Refuses a duration text that is none, spanning the tokens from `first`. */
export function checkDuration(g: GrammarHost, text: string, first: number): void {
  if (g.isRecording || durations.has(text)) return;
  const duration = readDuration(text);
  if (duration.kind === 'refused') {
    g.refuse(`invalid duration '${cutText(text)}': ${duration.reason}`, first);
  }
  durations.add(text);
}

/** An unsigned 64-bit integer as decimal text. */
export function takeU64(g: GrammarHost, option: Label): string {
  const raw = g.take(IntegerText, option).image;
  if (!isUnsigned(raw, U64_MAX)) g.refuse(`invalid integer '${cutText(raw)}'`);
  return raw;
}

/** As {@link takeU64}; zero is refused with `zeroMessage`. */
export function takePositive(g: GrammarHost, option: Label, zeroMessage: string): string {
  const raw = takeU64(g, option);
  if (raw === '0') g.refuse(zeroMessage);
  return raw;
}

/** An unsigned 32-bit integer as decimal text. */
export function takeU32(g: GrammarHost, option: Label): string {
  const raw = g.take(IntegerText, option).image;
  if (!isUnsigned(raw, U32_MAX)) {
    g.refuse(`invalid integer '${cutText(raw)}'; expected 0 through ${U32_MAX}`);
  }
  return raw;
}

/** As {@link takeU32}; zero is refused with `zeroMessage`. */
export function takePositiveU32(g: GrammarHost, option: Label, zeroMessage: string): string {
  const raw = takeU32(g, option);
  if (raw === '0') g.refuse(zeroMessage);
  return raw;
}

/** `resource VERSION n`: the binding of a resource. */
export function takeResourceBinding(g: GrammarHost): ResourceBinding {
  const resource = g.name(RESOURCE);
  return Object.freeze({ resource, version: takeVersion(g, 9) });
}

/**
 * `VERSION n` or `VERSION LATEST`.
 *
 * @param index tells the chosen parts of one rule apart
 */
export function takeVersion(g: GrammarHost, index: number): string {
  g.take(K.VERSION);
  return g.choose(index, [
    { ALT: () => g.takeAs(K.LATEST, 'LATEST') },
    { ALT: () => takeU64(g, VERSION), IGNORE_AMBIGUITIES: true },
  ]);
}
