import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  DocumentFormattingRequest,
  DocumentSymbolRequest,
} from 'vscode-languageserver-protocol/node';
import { Editor } from './support/editor.js';
import { applyEdit, someEdits, someText } from './support/edits.js';

describe.each(['utf-16', 'utf-8'])('incremental changes in %s', (encoding) => {
  let editor: Editor;
  let count = 0;

  beforeAll(async () => {
    editor = await Editor.start({ general: { positionEncodings: [encoding] } });
  });
  afterAll(async () => {
    await editor[Symbol.asyncDispose]();
  });

  /** All that the server tells about a document, which depends on every part of its text. */
  async function whatServerSees(uri: string, version: number) {
    const { connection } = editor;
    const textDocument = { uri };
    const options = { tabSize: 2, insertSpaces: true };
    const { diagnostics } = await editor.diagnostics(uri, version);
    return {
      diagnostics,
      symbols: await connection.sendRequest(DocumentSymbolRequest.type, { textDocument }),
      edits: await connection.sendRequest(DocumentFormattingRequest.type, {
        textDocument,
        options,
      }),
    };
  }

  test.prop([someText, someEdits, fc.boolean()], { numRuns: 60 })(
    'leave the server with the text that the editor has',
    async (original, edits, isTogether) => {
      count += 1;
      const changed = `file:///changed-${count}.nspl`;
      const fresh = `file:///fresh-${count}.nspl`;
      await editor.open(changed, original);
      let text = original;
      const changes = edits.map((edit) => {
        const applied = applyEdit(text, edit, encoding);
        text = applied.text;
        return applied.change;
      });
      let version = 1;
      if (isTogether) {
        version += 1;
        await editor.change(changed, version, ...changes);
      } else {
        for (const change of changes) {
          version += 1;
          await editor.change(changed, version, change);
        }
      }
      await editor.open(fresh, text, 1);
      const expected = await whatServerSees(fresh, 1);
      expect(await whatServerSees(changed, version)).toEqual(expected);
      for (const uri of [changed, fresh]) {
        const textDocument = { uri };
        await editor.connection.sendNotification('textDocument/didClose', { textDocument });
      }
    },
  );
});
