import { format } from '@nervix/nspl-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CompletionRequest,
  DefinitionRequest,
  DocumentFormattingRequest,
  DocumentHighlightRequest,
  DocumentSymbolRequest,
  ErrorCodes,
  HoverRequest,
  LSPErrorCodes,
  type Position,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { Editor } from './support/editor.js';
import { place, rangeOf } from './support/places.js';

const OPTIONS = { tabSize: 2, insertSpaces: true };

describe('diagnostics', () => {
  const text =
    '// é 😀\r\nCREATE RELAY trips SCHEMA trip; // 😀\r\n' +
    "SHOW CREATE RELAY '😀é' ;\r\n/* é */ STOP;";

  test.each([
    ['utf-16', 23],
    ['utf-8', 26],
  ])('NSPL 10: ranges count %s', async (encoding, end) => {
    await using editor = await Editor.start({ general: { positionEncodings: [encoding] } });
    const uri = 'file:///a.nspl';
    await editor.open(uri, text.slice(0, text.indexOf('/*')));
    expect((await editor.diagnostics(uri, 1)).diagnostics).toEqual([
      {
        range: { start: { line: 1, character: 30 }, end: { line: 1, character: 30 } },
        severity: 1,
        code: 'NSPL_SYNTAX',
        source: 'nspl',
        message: 'expected BRANCHED BY | UNBRANCHED, found end of input',
      },
      {
        range: { start: { line: 2, character: 18 }, end: { line: 2, character: end } },
        severity: 1,
        code: 'NSPL_SYNTAX',
        source: 'nspl',
        message: 'expected ref:relay, found "😀é"',
      },
    ]);
  });

  test.each([
    ['utf-16', 4],
    ['utf-8', 5],
  ])('NSPL 1.1: ranges of what is no token count %s, and so do edits', async (encoding, end) => {
    await using editor = await Editor.start({ general: { positionEncodings: [encoding] } });
    const uri = 'file:///b.nspl';
    await editor.open(uri, text);
    const range = { start: { line: 3, character: 3 }, end: { line: 3, character: end } };
    expect((await editor.diagnostics(uri, 1)).diagnostics).toMatchObject([
      { range, code: 'NSPL_LEX', message: "unexpected character 'é'" },
    ]);
    await editor.change(uri, 2, { range, text: '/' });
    expect((await editor.diagnostics(uri, 2)).diagnostics).toMatchObject([
      { range: { start: { line: 1 } } },
      { range: { start: { line: 2 } } },
      {
        range: { start: { line: 3, character: 0 } },
        message: expect.stringMatching(/found \/\ncomments begin with/),
      },
    ]);
  });
});

describe('an open script', () => {
  const text = `CREATE SCHEMA trip (id U64, fare F64);
CREATE BRANCH by_city SCHEMA city TTL 1h;
CREATE  relay Trips SCHEMA trip BRANCHED BY by_city;
CREATE RELAY paid SCHEMA trip UNBRANCHED;
CREATE JUNCTION pay FROM trips WHERE input.fare > relay_state.paid.fare UNBRANCHED
  TO paid FLUSH IMMEDIATE ON MESSAGE ERROR SEND TO paid SET id = 1;
CREATE SUBSCRIPTION watch TO trips;
DELETE SUBSCRIPTION watch;
SHOW CREATE JUNCTION pay;`;
  const uri = 'file:///graph.nspl';
  const other = 'file:///other.nspl';
  const otherText =
    'CREATE SCHEMA city (name STRING);\nCREATE RELAY failures SCHEMA city UNBRANCHED;';
  let editor: Editor;
  const at = (position: Position) => ({ textDocument: { uri }, position });

  beforeAll(async () => {
    editor = await Editor.start({
      textDocument: {
        hover: { contentFormat: ['markdown'] },
        rename: { prepareSupport: true },
      },
    });
    await editor.open(uri, text);
    await editor.open(other, otherText);
  });
  afterAll(async () => {
    expect(await editor.leave()).toBe(0);
    expect(editor.log).toBe('');
    await editor[Symbol.asyncDispose]();
  });

  test('has no diagnostics', async () => {
    expect((await editor.diagnostics(uri, 1)).diagnostics).toEqual([]);
  });

  test('gives the symbols of what it creates', async () => {
    const symbols = await editor.connection.sendRequest(DocumentSymbolRequest.type, {
      textDocument: { uri },
    });
    const [, branch] = text.split('\n');
    expect(symbols).toMatchObject([
      { name: 'trip', detail: 'schema', children: [{ name: 'id' }, { name: 'fare' }] },
      {
        name: 'by_city',
        detail: 'branch',
        range: rangeOf(text, branch ?? ''),
        selectionRange: rangeOf(text, 'by_city'),
      },
      { name: 'trips', detail: 'relay', selectionRange: rangeOf(text, 'Trips') },
      { name: 'paid', detail: 'relay' },
      { name: 'pay', detail: 'junction', selectionRange: rangeOf(text, 'pay') },
      { name: 'watch', detail: 'subscription' },
    ]);
  });

  test.each([
    ['a schema', 'trip BRANCHED', 'trip'],
    ['a relay in FROM', 'trips WHERE', 'Trips'],
    ['a branch', 'by_city;', 'by_city'],
    ['a relay in TO', 'paid FLUSH', 'paid'],
    ['a relay in an expression', 'paid.fare', 'paid'],
    ['a relay in SEND TO', 'paid SET', 'paid'],
    ['a subscription', 'watch;', 'watch'],
    ['a processor', 'pay;', 'pay'],
    ['a definition itself', 'pay FROM', 'pay'],
  ])('finds the definition of %s', async (_what, reference, name) => {
    const found = await editor.connection.sendRequest(
      DefinitionRequest.type,
      at(place(text, reference)),
    );
    expect(found).toEqual({ uri, range: rangeOf(text, name) });
  });

  test('finds a definition in another open document', async () => {
    const found = await editor.connection.sendRequest(
      DefinitionRequest.type,
      at(place(text, 'city TTL')),
    );
    expect(found).toEqual({ uri: other, range: rangeOf(otherText, 'city') });
  });

  test('finds no definition of a keyword', async () => {
    const found = await editor.connection.sendRequest(
      DefinitionRequest.type,
      at(place(text, 'WHERE')),
    );
    expect(found).toBeNull();
  });

  test('shows what a name stands for, and what a keyword is for', async () => {
    const hover = (position: Position) =>
      editor.connection.sendRequest(HoverRequest.type, at(position));
    expect(await hover(place(text, 'trips WHERE'))).toEqual({
      contents: {
        kind: 'markdown',
        value: '```nspl\nCREATE RELAY trips SCHEMA trip BRANCHED BY by_city CAPACITY 1;\n```',
      },
      range: rangeOf(text, 'trips'),
    });
    expect(await hover(place(text, 'IMMEDIATE'))).toMatchObject({
      contents: { kind: 'markdown', value: expect.stringMatching(/^\*\*FLUSH IMMEDIATE\*\* — ./) },
      range: rangeOf(text, 'FLUSH IMMEDIATE'),
    });
    expect(await hover(place(text, 'RELAY paid'))).toMatchObject({
      contents: {
        value: expect.stringMatching(/^\*\*CREATE RELAY\*\* — .*```nspl\nCREATE RELAY .*```$/s),
      },
      range: { start: place(text, 'RELAY paid') },
    });
    expect(await hover(place(text, 'fare >'))).toBeNull();
    expect(await hover({ line: 99, character: 99 })).toBeNull();
  });

  test('knows where something is named', async () => {
    const references = await editor.connection.sendRequest(ReferencesRequest.type, {
      ...at(place(text, 'paid', 2)),
      context: { includeDeclaration: true },
    });
    const ranges = [1, 2, 3, 4].map((nth) => rangeOf(text, 'paid', nth));
    expect(references).toEqual(ranges.map((range) => ({ uri, range })));
    const without = await editor.connection.sendRequest(ReferencesRequest.type, {
      ...at(place(text, 'paid')),
      context: { includeDeclaration: false },
    });
    expect(without).toEqual(references?.slice(1));
    const marks = await editor.connection.sendRequest(
      DocumentHighlightRequest.type,
      at(place(text, 'paid', 4)),
    );
    expect(marks).toEqual(ranges.map((range, index) => ({ range, kind: index === 0 ? 3 : 2 })));
  });

  test('renames what a name stands for', async () => {
    const prepared = await editor.connection.sendRequest(
      PrepareRenameRequest.type,
      at(place(text, 'trips')),
    );
    expect(prepared).toEqual({ range: rangeOf(text, 'trips'), placeholder: 'trips' });
    const edit = await editor.connection.sendRequest(RenameRequest.type, {
      ...at(place(text, 'trips')),
      newName: 'rides',
    });
    const document = TextDocument.create(uri, 'nspl', 1, text);
    expect(TextDocument.applyEdits(document, edit?.changes?.[uri] ?? [])).toBe(
      text.replace('Trips', 'rides').replaceAll('trips', 'rides'),
    );
    for (const newName of ['no name', '1a', '', 'message', 'x'.repeat(129), 5, undefined]) {
      const isText = typeof newName === 'string';
      const code = isText ? LSPErrorCodes.RequestFailed : ErrorCodes.InvalidParams;
      const params = { ...at(place(text, 'trips')), newName };
      await expect(
        editor.connection.sendRequest('textDocument/rename', params),
      ).rejects.toMatchObject({ code });
    }
  });

  test('offers what the grammar takes, with names of all open documents', async () => {
    const draft = 'file:///draft.nspl';
    const labels = async (statement: string) => {
      await editor.open(draft, statement);
      const items = await editor.connection.sendRequest(CompletionRequest.type, {
        textDocument: { uri: draft },
        position: { line: 0, character: statement.length },
      });
      await editor.connection.sendNotification('textDocument/didClose', {
        textDocument: { uri: draft },
      });
      return Array.isArray(items) ? items : [];
    };
    const relays = await labels('SHOW CREATE RELAY ');
    expect(relays.map(({ label }) => label)).toEqual(['failures', 'paid', 'trips']);
    const [keyword] = await labels('CREATE REL');
    expect(keyword).toMatchObject({
      label: 'RELAY',
      kind: 14,
      textEdit: {
        range: { start: { line: 0, character: 7 }, end: { line: 0, character: 10 } },
        newText: 'RELAY',
      },
    });
    const clauses = await labels('CREATE RELAY r SCHEMA city ');
    expect(clauses).toMatchObject([
      { label: 'BRANCHED BY', documentation: expect.any(String) },
      { label: 'UNBRANCHED', documentation: expect.any(String) },
    ]);
  });

  test('formats as the formatter does', async () => {
    const edits = await editor.connection.sendRequest(DocumentFormattingRequest.type, {
      textDocument: { uri },
      options: OPTIONS,
    });
    const document = TextDocument.create(uri, 'nspl', 1, text);
    const expected = format(text);
    if (expected.kind !== 'formatted') throw new Error(expected.kind);
    expect(expected.isChanged).toBe(true);
    expect(TextDocument.applyEdits(document, edits ?? [])).toBe(expected.text);
    const formatted = 'file:///formatted.nspl';
    await editor.open(formatted, expected.text);
    const again = await editor.connection.sendRequest(DocumentFormattingRequest.type, {
      textDocument: { uri: formatted },
      options: OPTIONS,
    });
    expect(again).toEqual([]);
    await editor.open('file:///bad.nspl', 'STOP STOP;');
    const refused = await editor.connection.sendRequest(DocumentFormattingRequest.type, {
      textDocument: { uri: 'file:///bad.nspl' },
      options: OPTIONS,
    });
    expect(refused).toBeNull();
  });
});
