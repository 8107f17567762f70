import { NAME_LENGTH_MAX } from '@nervix/model';
import {
  LSPErrorCodes,
  type Range,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { placeAt, samePlaces } from './named-places.js';
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
  const edits = samePlaces(document.outline, place).map(({ span }) => ({
    range: document.rangeOf(span),
    newText: newName,
  }));
  return { changes: { [document.uri]: edits } };
}

function newNameDefect(kind: string, name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)) {
    return 'a name is a letter or underscore and then letters, digits and underscores';
  }
  if (name.length > NAME_LENGTH_MAX) return `a name has at most ${NAME_LENGTH_MAX} characters`;
  if (kind === 'relay' && /^(?:message|branch)$/iu.test(name)) return `'${name}' is reserved`;
  return undefined;
}
