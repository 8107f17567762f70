import {
  type DocumentHighlight,
  DocumentHighlightKind,
  type Location,
} from 'vscode-languageserver';
import { definitionOf, type NamedPlace, placeAt, samePlaces } from './named-places.js';
import type { SourceDocument } from './source-document.js';

/** A definition and the document that holds it. */
export interface FoundDefinition {
  readonly document: SourceDocument;
  readonly place: NamedPlace;
}

/**
 * What the name at a byte offset refers to.
 *
 * @param others documents to look into when the document itself does not define it
 */
export function findDefinition(
  document: SourceDocument,
  offset: number,
  others: readonly SourceDocument[],
): FoundDefinition | undefined {
  const place = placeAt(document.outline, offset);
  if (place === undefined) return undefined;
  for (const candidate of [document, ...others]) {
    const found = definitionOf(candidate.outline, place);
    if (found !== undefined) return { document: candidate, place: found };
  }
  return undefined;
}

/** Where the name at a byte offset is defined. */
export function goToDefinition(
  document: SourceDocument,
  offset: number,
  others: readonly SourceDocument[],
): Location | null {
  const found = findDefinition(document, offset, others);
  if (found === undefined) return null;
  return { uri: found.document.uri, range: found.document.rangeOf(found.place.span) };
}

/** Where a document names what the name at a byte offset names. */
export function findReferences(
  document: SourceDocument,
  offset: number,
  includeDeclaration: boolean,
): Location[] {
  return placesNamed(document, offset)
    .filter(({ role }) => includeDeclaration || role === 'reference')
    .map(({ span }) => ({ uri: document.uri, range: document.rangeOf(span) }));
}

/** As {@link findReferences}, for marking them in the text. */
export function highlight(document: SourceDocument, offset: number): DocumentHighlight[] {
  return placesNamed(document, offset).map(({ role, span }) => ({
    range: document.rangeOf(span),
    kind: role === 'definition' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
  }));
}

function placesNamed(document: SourceDocument, offset: number): readonly NamedPlace[] {
  const place = placeAt(document.outline, offset);
  return place === undefined ? [] : samePlaces(document.outline, place);
}
