import { SOURCE_BYTES_MAX } from '@nervix/nspl-parser';
import { expect, test } from 'vitest';
import {
  DocumentSymbolRequest,
  ErrorCodes,
  ExitNotification,
  HoverRequest,
  InitializeRequest,
  LSPErrorCodes,
  ShutdownRequest,
} from 'vscode-languageserver-protocol/node';
import { Editor, exitCode, spawnServer } from './support/editor.js';

const URI = 'file:///graph.nspl';
const DOCUMENT = { textDocument: { uri: URI } };
const START = { line: 0, character: 0 };

test('LSP lifecycle: after shutdown the process exits with 0', async () => {
  await using editor = await Editor.start();
  expect(await editor.leave()).toBe(0);
  expect(editor.log).toBe('');
});

test('LSP lifecycle: without shutdown the process exits with 1', async () => {
  await using editor = await Editor.start();
  await editor.connection.sendNotification(ExitNotification.type);
  expect(await exitCode(editor.child)).toBe(1);
});

test('LSP lifecycle: a client that goes away ends the process', async () => {
  await using editor = await Editor.start();
  editor.child.stdin.end();
  expect(await exitCode(editor.child)).toBe(1);
});

test('LSP lifecycle: an exit right before the end of the input counts', async () => {
  await using editor = await Editor.start();
  void editor.connection.sendRequest(ShutdownRequest.type);
  await editor.connection.sendNotification(ExitNotification.type);
  editor.child.stdin.end();
  expect(await exitCode(editor.child)).toBe(0);
});

test('LSP lifecycle: nothing is answered before initialize, nothing but exit after shutdown', async () => {
  await using editor = Editor.connect();
  const symbols = () => editor.connection.sendRequest(DocumentSymbolRequest.type, DOCUMENT);
  const notInitialized = { code: ErrorCodes.ServerNotInitialized };
  await editor.open(URI, 'STOP;');
  await expect(symbols()).rejects.toMatchObject(notInitialized);
  await expect(editor.connection.sendRequest(ShutdownRequest.type)).rejects.toMatchObject(
    notInitialized,
  );
  await editor.initialize();
  // The document was opened too early.
  expect(await symbols()).toBeNull();
  await expect(editor.initialize()).rejects.toMatchObject({ code: ErrorCodes.InvalidRequest });
  await editor.connection.sendRequest(ShutdownRequest.type);
  await expect(symbols()).rejects.toMatchObject({ code: ErrorCodes.InvalidRequest });
  await editor.connection.sendNotification(ExitNotification.type);
  expect(await exitCode(editor.child)).toBe(0);
});

test('initialize says what the server can do, and under which name', async () => {
  await using editor = Editor.connect('--stdio', `--clientProcessId=${process.pid}`);
  const general = { positionEncodings: ['utf-32', 'utf-8', 'utf-16'] };
  const { capabilities, serverInfo } = await editor.initialize({
    general,
    textDocument: { rename: { prepareSupport: true } },
  });
  expect(serverInfo).toEqual({ name: 'nspl-language-server', version: expect.any(String) });
  expect(capabilities).toMatchObject({
    positionEncoding: 'utf-8',
    textDocumentSync: { openClose: true, change: 2 },
    hoverProvider: true,
    definitionProvider: true,
    documentFormattingProvider: true,
    documentSymbolProvider: true,
    renameProvider: { prepareProvider: true },
  });
});

test.each([
  ['none', {}],
  ['an unknown one', { general: { positionEncodings: ['utf-32'] } }],
])('positions count UTF-16 for a client that offers %s', async (_offer, capabilities) => {
  await using editor = Editor.connect();
  const { capabilities: served } = await editor.initialize(capabilities);
  expect(served).toMatchObject({ positionEncoding: 'utf-16', renameProvider: true });
});

test('requests about unknown documents have no result', async () => {
  await using editor = await Editor.start();
  const { connection } = editor;
  expect(await connection.sendRequest(DocumentSymbolRequest.type, DOCUMENT)).toBeNull();
  const hover = { ...DOCUMENT, position: START };
  expect(await connection.sendRequest(HoverRequest.type, hover)).toBeNull();
  await editor.change(URI, 2, { text: 'STOP;' });
  await connection.sendNotification('textDocument/didClose', DOCUMENT);
  expect(await connection.sendRequest(HoverRequest.type, hover)).toBeNull();
});

test('bad messages are refused and change nothing', async () => {
  await using editor = await Editor.start();
  const { connection, child } = editor;
  await editor.open(URI, 'CREATE DOMAIN secret_text;');
  const invalid = { code: ErrorCodes.InvalidParams };
  const hover = 'textDocument/hover';
  await expect(connection.sendRequest(hover)).rejects.toMatchObject(invalid);
  await expect(connection.sendRequest(hover, { textDocument: 5 })).rejects.toMatchObject(invalid);
  await expect(connection.sendRequest(hover, DOCUMENT)).rejects.toMatchObject(invalid);
  const position = { line: 'x', character: 0 };
  await expect(connection.sendRequest(hover, { ...DOCUMENT, position })).rejects.toMatchObject(
    invalid,
  );
  await expect(connection.sendRequest('textDocument/fly', DOCUMENT)).rejects.toMatchObject({
    code: ErrorCodes.MethodNotFound,
  });
  for (const body of ['{"jsonrpc":', '{"jsonrpc":"2.0","text":"secret_text"}', '[]', 'null']) {
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }
  const textDocument = { uri: 'file:///other.nspl', version: 1, languageId: 'nspl', text: null };
  await connection.sendNotification('textDocument/didOpen', { textDocument });
  await connection.sendNotification('textDocument/didChange', {
    textDocument: { uri: URI, version: 2 },
    contentChanges: [{ text: 'STOP;' }, { text: 'secret_text', range: { start: START } }],
  });
  const symbols = await connection.sendRequest(DocumentSymbolRequest.type, DOCUMENT);
  expect(symbols).toMatchObject([{ name: 'secret_text' }]);
  expect(editor.log).not.toContain('secret_text');
  expect(await editor.leave()).toBe(0);
});

test('a cancelled request is not worked on', async () => {
  await using editor = await Editor.start();
  await editor.open(URI, 'CREATE DOMAIN a;'.repeat(20_000));
  const { connection } = editor;
  const first = connection.sendRequest(DocumentSymbolRequest.type, DOCUMENT);
  const cancelled = connection.sendRequest('textDocument/documentSymbol', DOCUMENT);
  // The first two requests of a connection after initialize have the numbers 1 and 2.
  await connection.sendNotification('$/cancelRequest', { id: 2 });
  await expect(cancelled).rejects.toMatchObject({ code: LSPErrorCodes.RequestCancelled });
  expect(await first).toHaveLength(20_000);
});

test('NSPL 1: a document beyond the limit of the parser is refused as one', async () => {
  await using editor = await Editor.start();
  await editor.open(URI, `STOP;${' '.repeat(SOURCE_BYTES_MAX)}`);
  const { diagnostics } = await editor.diagnostics(URI, 1);
  expect(diagnostics).toEqual([
    {
      range: { start: START, end: START },
      severity: 1,
      code: 'NSPL_TOO_LARGE',
      source: 'nspl',
      message: `text exceeds ${SOURCE_BYTES_MAX} bytes`,
    },
  ]);
  const range = { start: { line: 0, character: 4 }, end: { line: 5, character: 0 } };
  await editor.change(URI, 2, { text: 'X', range });
  const later = await editor.diagnostics(URI, 2);
  expect(later.diagnostics).toMatchObject([{ code: 'NSPL_SYNTAX' }]);
  expect(await editor.leave()).toBe(0);
});

test('a long document that is no script is told of in time, and not without end', async () => {
  await using editor = await Editor.start();
  await editor.open(URI, 'x;'.repeat(SOURCE_BYTES_MAX / 2));
  const { diagnostics } = await editor.diagnostics(URI, 1);
  expect(diagnostics).toHaveLength(1001);
  expect(diagnostics.at(-1)).toMatchObject({
    code: 'NSPL_TOO_MANY',
    range: { start: { line: 0, character: 2000 } },
  });
});

test('a closed document has no diagnostics', async () => {
  await using editor = await Editor.start();
  await editor.open(URI, 'X');
  expect((await editor.diagnostics(URI, 1)).diagnostics).toHaveLength(1);
  await editor.connection.sendNotification('textDocument/didClose', DOCUMENT);
  expect((await editor.diagnostics(URI)).diagnostics).toEqual([]);
});

test('standard output carries the protocol only', async () => {
  const child = spawnServer();
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  send({ id: 1, method: 'initialize', params: { processId: null, capabilities: {} } });
  send({ id: 2, method: 'shutdown' });
  send({ method: 'exit' });
  expect(await exitCode(child)).toBe(0);
  let rest = Buffer.concat(output).toString('utf8');
  const ids: unknown[] = [];
  while (rest !== '') {
    const [header = '', length = ''] = /^Content-Length: (\d+)\r\n\r\n/.exec(rest) ?? [];
    expect(header).not.toBe('');
    const end = header.length + Number(length);
    ids.push((JSON.parse(rest.slice(header.length, end)) as { id: unknown }).id);
    rest = rest.slice(end);
  }
  expect(ids).toEqual([1, 2]);
});

test.each([
  [['--version'], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
  [['--help'], 0, /^Usage: nspl-language-server/, /^$/],
  [['--socket=1'], 2, /^$/, /^unknown argument '--socket=1'\n/],
])('arguments %j', async (args, code, stdout, stderr) => {
  const child = spawnServer(...args);
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString('utf8')));
  expect(await exitCode(child)).toBe(code);
  expect(texts.stdout).toMatch(stdout);
  expect(texts.stderr).toMatch(stderr);
});

test('initialize without parameters is refused', async () => {
  await using editor = Editor.connect();
  await expect(editor.connection.sendRequest(InitializeRequest.method)).rejects.toMatchObject({
    code: ErrorCodes.InvalidParams,
  });
});

/** What the server writes until a text is among it. */
async function outputUntil(child: ReturnType<typeof spawnServer>, text: string): Promise<string> {
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes(text)) break;
  }
  return output;
}

const framed = (body: string): string =>
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

test('an initialize that cannot be answered begins no session', async () => {
  await using editor = Editor.connect();
  const initialize = { processId: null, rootUri: null } as never;
  await expect(
    editor.connection.sendRequest(InitializeRequest.type, initialize),
  ).rejects.toMatchObject({ code: ErrorCodes.InvalidParams });
  expect((await editor.initialize()).serverInfo?.name).toBe('nspl-language-server');
});

test('a message that is no JSON is answered, and the next is read', async () => {
  const child = spawnServer();
  const params = { processId: null, capabilities: {} };
  child.stdin.write(framed('{"jsonrpc":'));
  child.stdin.write(
    framed(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })),
  );
  expect(await outputUntil(child, 'nspl-language-server')).toContain(String(ErrorCodes.ParseError));
  child.kill();
});

test.each([
  ['no length', 'Content-Type: x\r\n\r\n{}'],
  ['a length that is no number', 'Content-Length: x\r\n\r\n{}'],
  ['a header that is none', 'x\r\n\r\n'],
])('a stream with %s ends the process', async (_name, bytes) => {
  const child = spawnServer();
  child.stdin.write(bytes);
  expect(await exitCode(child)).toBe(1);
});
