import { displayText, smallInteger, text } from '../shape/scalar-shapes.js';
import { list, optional, type RecordShape, record } from '../shape/shape.js';

export interface ListDomainsRequest {
  readonly t: 'ListDomainsRequest';
}

/** Asks whether a domain may be selected; the session keeps no selection. */
export interface SelectDomainRequest {
  readonly t: 'SelectDomainRequest';
  readonly domain: string;
}

/** Asks how a text may go on. */
export interface SuggestRequest {
  readonly t: 'SuggestRequest';
  readonly input: string;
  /** UTF-8 byte offset on a character boundary. */
  readonly cursor: number;
  readonly domain?: string;
  readonly page_size: number;
  /** Of the page before. */
  readonly continuation?: string;
}

/** A choice that was made before, on which the choices asked for depend. */
export interface ChoiceDependency {
  readonly name: string;
  readonly value: string;
}

/** Asks what a field of a form may be. */
export interface ChoiceLookupRequest {
  readonly t: 'ChoiceLookupRequest';
  readonly target: string;
  readonly dependencies: readonly ChoiceDependency[];
  readonly search: string;
  readonly page_size: number;
  readonly page_cursor?: string;
}

const PAGE_MAX = 100;

export const selectDomainRequest: RecordShape<Omit<SelectDomainRequest, 't'>> = record<
  Omit<SelectDomainRequest, 't'>
>({ domain: text() });

export const suggestRequest: RecordShape<Omit<SuggestRequest, 't'>> = record<
  Omit<SuggestRequest, 't'>
>({
  input: displayText,
  cursor: smallInteger(),
  domain: optional(text()),
  page_size: smallInteger(1, PAGE_MAX),
  continuation: optional(text()),
});

const choiceDependency: RecordShape<ChoiceDependency> = record<ChoiceDependency>({
  name: text(),
  value: displayText,
});

export const choiceLookupRequest: RecordShape<Omit<ChoiceLookupRequest, 't'>> = record<
  Omit<ChoiceLookupRequest, 't'>
>({
  target: text(),
  dependencies: list(choiceDependency),
  search: displayText,
  page_size: smallInteger(1, PAGE_MAX),
  page_cursor: optional(text()),
});
