import { canonicalName, NAME_LENGTH_MAX } from '@nervix/model';
import { parseScript, type ScriptOutline } from '@nervix/nspl-parser';
import {
  LSPErrorCodes,
  type Range,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { type NamedPlace, namedPlaces, namesSame, placeAt, samePlaces } from './named-places.js';
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
 * @throws ResponseError when statements cannot spell the new name, or it would say something else
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
  const refusal = refusalOf(document, places, newName);
  if (refusal !== undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, refusal);
  const edits = places.map(({ span }) => ({ range: document.rangeOf(span), newText: newName }));
  return { changes: { [document.uri]: edits } };
}

/** Why the new name cannot stand: it names something else, or a statement would be refused. */
function refusalOf(
  document: SourceDocument,
  places: readonly NamedPlace[],
  newName: string,
): string | undefined {
  const { outline, text } = document;
  const name = canonicalName(newName);
  const others = placesTaken(outline, places, name);
  if (others.some(({ role }) => role === 'definition')) return `'${name}' is defined already`;
  if (others.length > 0) return `'${name}' names something else already`;
  if (outline.errors.length > 0) return undefined;
  const [error] = parseScript(renamed(text, document, places, newName)).errors;
  return error === undefined ? undefined : `a statement would be refused: ${error.message}`;
}

/** Places of other things that could not be told from the given ones once these have a name. */
function placesTaken(
  outline: ScriptOutline,
  places: readonly NamedPlace[],
  name: string,
): readonly NamedPlace[] {
  // The same name in other letters mixes nothing up that was apart.
  if (places[0]?.name === name) return [];
  const own = new Set(places);
  const named = places.map((place): NamedPlace => ({ ...place, name }));
  return namedPlaces(outline).filter(
    (other) =>
      other.name === name && !own.has(other) && named.some((place) => namesSame(place, other)),
  );
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
