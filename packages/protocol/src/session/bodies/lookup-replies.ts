import type { DomainStatus } from '../../domains.js';
import { displayText, oneOf, smallInteger, text, u64 } from '../shape/scalar-shapes.js';
import {
  list,
  nothing,
  optional,
  type RecordShape,
  record,
  type Shape,
  type UnionShape,
  union,
} from '../shape/shape.js';

export type FramePace =
  | { readonly t: 'Unpaced' }
  | { readonly t: 'Paced'; readonly period_ns: bigint; readonly skew_ns: bigint };

export interface FrameDomain {
  readonly domain: string;
  readonly status: DomainStatus;
  readonly pace: FramePace;
}

export interface DomainListReply {
  readonly t: 'DomainList';
  readonly domains: readonly FrameDomain[];
}

export interface DomainSelectionOutcome {
  readonly t: 'DomainSelectionOutcome';
  readonly disposition:
    | { readonly t: 'DomainSelected'; readonly domain: FrameDomain }
    | { readonly t: 'DomainNotFound'; readonly message: string };
}

/** `Ready` without entries is an ordinary empty match. */
export type LookupStatus = 'Ready' | 'MissingContext' | 'StaleContext' | 'LookupFailed';

export interface Suggestion {
  readonly value: string;
  readonly kind: 'Text' | 'LocalPath';
  /** UTF-8 byte range of the input, and what is to stand there. */
  readonly edit: { readonly start: number; readonly end: number; readonly replacement: string };
}

export interface SuggestOutcome {
  readonly t: 'SuggestOutcome';
  readonly status: LookupStatus;
  readonly suggestions: readonly Suggestion[];
  /** Asks for the next page. */
  readonly continuation?: string;
}

const framePace: UnionShape<FramePace> = union<FramePace>({
  Unpaced: nothing,
  Paced: record<{ readonly period_ns: bigint; readonly skew_ns: bigint }>({
    period_ns: u64,
    skew_ns: u64,
  }),
});

const frameDomain: RecordShape<FrameDomain> = record<FrameDomain>({
  domain: text(),
  status: oneOf(['Stopped', 'Running', 'Paused']),
  pace: framePace,
});

export const frameDomains: Shape<readonly FrameDomain[]> = list(frameDomain);

export const domainListReply: RecordShape<Omit<DomainListReply, 't'>> = record<
  Omit<DomainListReply, 't'>
>({ domains: frameDomains });

export const domainSelectionOutcome: RecordShape<Omit<DomainSelectionOutcome, 't'>> = record<
  Omit<DomainSelectionOutcome, 't'>
>({
  disposition: union<DomainSelectionOutcome['disposition']>({
    DomainSelected: record<{ readonly domain: FrameDomain }>({ domain: frameDomain }),
    DomainNotFound: record<{ readonly message: string }>({ message: displayText }),
  }),
});

export const suggestOutcome: RecordShape<Omit<SuggestOutcome, 't'>> = record<
  Omit<SuggestOutcome, 't'>
>({
  status: oneOf(['Ready', 'MissingContext', 'StaleContext', 'LookupFailed']),
  suggestions: list(
    record<Suggestion>({
      value: displayText,
      kind: oneOf(['Text', 'LocalPath']),
      edit: record<Suggestion['edit']>({
        start: smallInteger(),
        end: smallInteger(),
        replacement: displayText,
      }),
    }),
  ),
  continuation: optional(text()),
});
