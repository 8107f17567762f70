import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { SourceDocument } from '../src/index.ts';
import { applyEdit, someEdits, someText } from './support/edits.ts';

const encodings = fc.constantFrom('utf-16' as const, 'utf-8' as const);

test.prop([someText, someEdits, encodings])(
  'edits lead to the text that they lead to',
  (original, edits, encoding) => {
    const document = new SourceDocument({ uri: 'file:///a', version: 1, text: original }, encoding);
    let text = original;
    for (const [index, edit] of edits.entries()) {
      const applied = applyEdit(text, edit, encoding);
      document.change([applied.change], index + 2);
      text = applied.text;
      expect(document.text).toBe(text);
    }
    expect(document.version).toBe(edits.length + 1);
  },
);

test.prop([someText, encodings])('positions and offsets lead to each other', (text, encoding) => {
  const document = new SourceDocument({ uri: 'file:///a', version: 1, text }, encoding);
  for (const part of text.matchAll(/\r\n|[\s\S]/gu)) {
    const position = document.positionAt(part.index);
    expect(document.offsetAt(position)).toBe(part.index);
    expect(document.byteAt(position)).toBe(Buffer.byteLength(text.slice(0, part.index)));
  }
});

const wild = fc.integer({ min: 0, max: 2 ** 31 - 1 });

test.prop([someText, fc.record({ line: wild, character: wild }), encodings])(
  'positions outside of the text are the nearest inside',
  (text, position, encoding) => {
    const document = new SourceDocument({ uri: 'file:///a', version: 1, text }, encoding);
    const offset = document.offsetAt(position);
    expect(offset).toBeGreaterThanOrEqual(0);
    expect(offset).toBeLessThanOrEqual(text.length);
    document.change([{ text: 'x', range: { start: position, end: position } }], 2);
    expect(document.text).toBe(`${text.slice(0, offset)}x${text.slice(offset)}`);
    document.change([{ text: '\n', range: { start: position, end: position } }], 3);
    expect(document.offsetAt(document.positionAt(document.text.length))).toBe(document.text.length);
  },
);
