import { NAME_LENGTH_MAX } from '@nervix/model';
import { parseScript } from '@nervix/nspl-parser';
import {
  LSPErrorCodes,
  type Range,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { type NamedPlace, namedPlaces, placeAt, samePlaces } from './named-places.js';
import type { SourceDocument } from './source-document.js';

/** The name at a byte offset as it can be renamed: its range and its text. */
export function prepareRename(
  document: SourceDocument,
  offset: number,
): { range: Range; placeholder: string } | null {
  const place = placeAt(document.outline, offset);
  if (place === undefined) return null;
  return { range: document.rangeOf(place.span), placeholder: place.name };
}

/**
 * Gives what the name at a byte offset names another name, everywhere in the document.
 *
 * @throws ResponseError when statements cannot spell the new name
 */
export function rename(
  document: SourceDocument,
  offset: number,
  newName: string,
): WorkspaceEdit | null {
  const place = placeAt(document.outline, offset);
  if (place === undefined) return null;
  const defect = newNameDefect(place.kind, newName);
  if (defect !== undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, defect);
  const places = samePlaces(document.outline, place);
  const refusal = refusalOf(document, place, places, newName);
  if (refusal !== undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, refusal);
  const edits = places.map(({ span }) => ({ range: document.rangeOf(span), newText: newName }));
  return { changes: { [document.uri]: edits } };
}

/** Why the new name cannot stand: something has it, or a statement would be read otherwise. */
function refusalOf(
  document: SourceDocument,
  { kind, domain }: NamedPlace,
  places: readonly NamedPlace[],
  newName: string,
): string | undefined {
  const { outline, text } = document;
  const name = newName.toLowerCase();
  const isTaken = namedPlaces(outline).some(
    (other) =>
      other.role === 'definition' &&
      other.kind === kind &&
      other.domain === domain &&
      other.name === name &&
      places.every((place) => place.span.start !== other.span.start),
  );
  if (isTaken) return `'${name}' is defined already`;
  if (outline.errors.length > 0) return undefined;
  const [error] = parseScript(renamed(text, document, places, newName)).errors;
  return error === undefined ? undefined : `a statement would be refused: ${error.message}`;
}

function renamed(
  text: string,
  document: SourceDocument,
  places: readonly NamedPlace[],
  newName: string,
): string {
  const parts: string[] = [];
  let end = 0;
  for (const { span } of places) {
    parts.push(text.slice(end, document.bytes.codeUnitAt(span.start)), newName);
    end = document.bytes.codeUnitAt(span.end);
  }
  parts.push(text.slice(end));
  return parts.join('');
}

function newNameDefect(kind: string, name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)) {
    return 'a name is a letter or underscore and then letters, digits and underscores';
  }
  if (name.length > NAME_LENGTH_MAX) return `a name has at most ${NAME_LENGTH_MAX} characters`;
  if (kind === 'relay' && /^(?:message|branch)$/iu.test(name)) return `'${name}' is reserved`;
  return undefined;
}
