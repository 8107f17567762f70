import { decodeText, encodeText } from '../../column/text.js';
import { JsonScanner } from '../json/json-scanner.js';
import type { JaqPayload, JaqValues } from './jaq-payload.js';

/** JSON values one after the other, with or without white space between. */
export const JSON_PAYLOAD: JaqPayload = {
  read: readValues,
  write: (json) => encodeText(spaced(json)),
  writeAll: (texts) => encodeText(`[${texts.map(spaced).join(', ')}]`),
};

function readValues(bytes: Uint8Array, start: number, end: number): JaqValues {
  const scanner = new JsonScanner();
  scanner.open(bytes, end);
  const texts: string[] = [];
  const defect = (cause: string): JaqValues => ({ kind: 'defect', cause, input: texts.length });
  for (let at = scanner.space(start); at < end; ) {
    const after = scanner.value(at, 0);
    if (after < 0) return defect(`malformed JSON: ${scanner.defect}`);
    if (scanner.hugeNumberAt >= 0) return defect('malformed JSON: number out of range');
    texts.push(decodeText(bytes, at, after));
    at = scanner.space(after);
  }
  return { kind: 'values', texts };
}

/** A compact JSON text with a space behind every colon and comma that is no part of a string. */
function spaced(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[:,]/g, (token) =>
    token.startsWith('"') ? token : `${token} `,
  );
}
