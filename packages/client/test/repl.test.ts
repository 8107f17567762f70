import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runRepl } from '../src/cli/repl.js';
import { startCommandServer } from './support/command-server.js';
import { runNervix } from './support/run-nervix.js';
import { startBreakingServer } from './support/session/breaking-server.js';
import { completedOutcome, FakeSessionServer } from './support/session/fake-session-server.js';
import { openedReply, orderRows } from './support/session/row-frames.js';
import { sessionClient } from './support/session/session-client.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'nervix-repl-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A dialogue with injected streams; what it printed is waited for, never timed. */
class Dialogue {
  readonly input = new PassThrough();
  readonly done: Promise<number>;
  #printed = '';
  #from = 0;

  constructor(server: string) {
    const output = new PassThrough();
    output.on('data', (chunk: Buffer) => {
      // Cursor movements are no part of the text.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
      this.#printed += chunk.toString('utf8').replace(/\u001b\[[0-9;]*[A-Za-z]/g, '');
    });
    this.done = runRepl({
      client: sessionClient(server),
      domain: 'default',
      format: 'text',
      input: this.input,
      output,
      errorOutput: output,
      isInteractive: true,
      hasColor: false,
      historyFile: path.join(folder, 'history'),
      signal: new AbortController().signal,
    });
  }

  /** Waits until the text appears after what was waited for before. */
  async see(text: string): Promise<void> {
    await expect.poll(() => this.#printed.slice(this.#from), { timeout: 5000 }).toContain(text);
    this.#from = this.#printed.indexOf(text, this.#from) + text.length;
  }

  type(line: string): void {
    this.input.write(`${line}\r`);
  }
}

/** Opens every subscription, and sends one row. */
function startSubscriptionServer(): Promise<FakeSessionServer> {
  return FakeSessionServer.start({
    http: (_message, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"domains":[]}');
    },
    request: (session, id, request) => {
      if (request.t !== 'SubscribeRequest') return;
      const handle = { name: request.statement.split(' ')[2] ?? '', generation: 1n };
      session.reply(id, openedReply(handle));
      session.send(orderRows(handle, [[7n, 1]]));
    },
  });
}

describe('dialogue', () => {
  test('prompts show domain and transaction; leaving reverts it (CL-83)', async () => {
    await using server = await startCommandServer();
    const dialogue = new Dialogue(server.url);
    await dialogue.see('nervix[default]> ');
    dialogue.type('USE shop;');
    await dialogue.see("using domain 'shop'");
    await dialogue.see('nervix[shop]> ');
    dialogue.type('CREATE RELAY orders');
    await dialogue.see('....[shop]> ');
    dialogue.type('SCHEMA bad UNBRANCHED;');
    await dialogue.see("input:2:8: schema 'bad' does not exist");
    await dialogue.see('       ^^^');
    await dialogue.see('nervix[shop]> ');
    dialogue.type('BEGIN;');
    await dialogue.see('done: begin');
    await dialogue.see('nervix[shop tx]> ');
    dialogue.type('exit');
    expect(await dialogue.done).toBe(0);
    expect(server.commands.at(-1)).toMatchObject({ query: 'REVERT', transaction: 'tx-1' });
  });

  test('a syntax error is shown at its place and the dialogue goes on (CL-83)', async () => {
    await using server = await startCommandServer();
    const dialogue = new Dialogue(server.url);
    await dialogue.see('nervix[default]> ');
    dialogue.type('CREATE NOTHING x;');
    await dialogue.see('input:1:8: ');
    await dialogue.see('nervix[default]> ');
    dialogue.type('STOP');
    await dialogue.see('done: stop');
    dialogue.type('quit');
    expect(await dialogue.done).toBe(0);
  });

  test('Ctrl-D leaves with 0 and Ctrl-C with 130 (CL-83, CL-87)', async () => {
    await using server = await startCommandServer();
    const first = new Dialogue(server.url);
    await first.see('nervix[default]> ');
    first.input.write('\u0004');
    expect(await first.done).toBe(0);
    const second = new Dialogue(server.url);
    await second.see('nervix[default]> ');
    second.type('BEGIN;');
    await second.see(' tx]> ');
    second.input.write('\u0003');
    expect(await second.done).toBe(130);
    expect(server.commands.at(-1)).toMatchObject({ query: 'REVERT' });
  });

  test('history keeps 200 lines, walks back and holds no secret (CL-83)', async () => {
    const file = path.join(folder, 'history');
    writeFileSync(file, Array.from({ length: 250 }, (_, index) => `STOP; // ${index}\n`).join(''));
    await using server = await startCommandServer();
    const dialogue = new Dialogue(server.url);
    await dialogue.see('nervix[default]> ');
    dialogue.type("CREATE USER eve WITH PASSWORD 'hunter2';");
    await dialogue.see('done: create user');
    await dialogue.see('nervix[default]> ');
    dialogue.type('CREATE USER eve WITH PASSWORD');
    await dialogue.see('....[default]> ');
    dialogue.type("'hunter3';");
    await dialogue.see('done: create user');
    dialogue.type('START;');
    await dialogue.see('done: start');
    await dialogue.see('nervix[default]> ');
    dialogue.input.write('\u001b[A');
    await dialogue.see('START;');
    dialogue.input.write('\u001b[A');
    await dialogue.see('STOP; // 249');
    dialogue.input.write('\u0003');
    await dialogue.done;
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(200);
    expect(lines.at(-1)).toBe('START;');
    expect(lines.join('\n')).not.toMatch(/hunter/);
  });

  test.each([
    ['BLOCKING BATCH SAMPLE RATE 0.5WHERE a > 1;', 'BLOCKING BATCH SAMPLE RATE 0.5 WHERE a > 1'],
    ['\u0085WHERE a > 1 // a remark', 'BLOCKING WHERE a > 1'],
    [';', 'BLOCKING'],
  ])('what is subscribed to is what was read: %j (TX-37)', async (rest, expected) => {
    await using server = await startSubscriptionServer();
    const dialogue = new Dialogue(server.url);
    await dialogue.see('nervix[default]> ');
    dialogue.type(`CREATE SUBSCRIPTION mine TO orders ${rest}`);
    await dialogue.see("created subscription 'mine'");
    expect(server.of('SubscribeRequest').map(({ statement }) => statement)).toEqual([
      `CREATE SUBSCRIPTION client_1 TO orders ${expected}`,
    ]);
    dialogue.type('exit');
    await dialogue.done;
  });

  test('subscriptions print beside the dialogue until they are deleted (CL-84, TX-37)', async () => {
    await using server = await startSubscriptionServer();
    const dialogue = new Dialogue(server.url);
    await dialogue.see('nervix[default]> ');
    dialogue.type('CREATE SUBSCRIPTION mine TO orders DROPPING WHERE input.total > 0;');
    await dialogue.see("created subscription 'mine' in domain 'default'");
    await dialogue.see('[events] subscription [mine] from [orders]: {"id":7,"total":1}');
    // It goes on behind a session that is lost.
    server.sessions[0]?.socket.terminate();
    await dialogue.see('[events] subscription [mine] from [orders]: interrupted: ');
    await dialogue.see('restored; rows in between are missing');
    await dialogue.see('[events] subscription [mine] from [orders]: {"id":7,"total":1}');
    dialogue.type('CREATE SUBSCRIPTION mine TO orders;');
    await dialogue.see("session subscription 'mine' already exists");
    dialogue.type('DELETE SUBSCRIPTION mine;');
    await dialogue.see("deleted subscription 'mine' from domain 'default'");
    dialogue.type('DELETE SUBSCRIPTION mine;');
    await dialogue.see("session subscription 'mine' does not exist");
    dialogue.type('exit');
    expect(await dialogue.done).toBe(0);
  });
});

describe('completion', () => {
  test('Tab completes the word at the cursor, and lists what is left (CL-83)', async () => {
    await using server = await FakeSessionServer.start({
      request: (session, id, request) => {
        if (request.t === 'CommandRequest') session.reply(id, completedOutcome(request));
        if (request.t !== 'SuggestRequest') return;
        const words = request.input.startsWith('STO') ? ['STOP'] : ['START', 'STATUS'];
        const suggestions = words.map((value) => {
          const edit = { start: 0, end: Buffer.byteLength(request.input), replacement: value };
          return { value, kind: 'Text' as const, edit };
        });
        session.reply(id, { t: 'SuggestOutcome', status: 'Ready', suggestions });
      },
    });
    const dialogue = new Dialogue(server.url);
    await dialogue.see('nervix[default]> ');
    dialogue.input.write('ST');
    dialogue.input.write('\t');
    await dialogue.see('STA');
    dialogue.input.write('\t\t');
    await dialogue.see('START');
    await dialogue.see('STATUS');
    // In the middle of a word, the rest of it is replaced too.
    dialogue.input.write('\u0015STOXX\u001b[D\u001b[D');
    dialogue.input.write('\t');
    const last = () => server.of('SuggestRequest').at(-1);
    await expect.poll(last).toMatchObject({ input: 'STOXX', cursor: 3 });
    await dialogue.see('STOP');
    dialogue.type('');
    await dialogue.see('done: STOP');
    dialogue.type('exit');
    expect(await dialogue.done).toBe(0);
    expect(server.of('CommandRequest').map(({ query }) => query)).toEqual(['STOP']);
  });

  test('a server that offers nothing leaves the line as it is (CL-83)', async () => {
    await using server = await startCommandServer();
    const dialogue = new Dialogue(server.url);
    await dialogue.see('nervix[default]> ');
    dialogue.input.write('STO\t');
    dialogue.type('P');
    await dialogue.see('done: stop');
    dialogue.type('exit');
    await dialogue.done;
  });
});

describe('transactions of others', () => {
  test('ATTACH TRANSACTION takes one up, and leaves the one before open (CL-42, CL-83)', async () => {
    const { node, server } = await startBreakingServer(() => undefined);
    await using _server = server;
    const other = sessionClient(server.url);
    const { id } = await other.transaction('shop');
    const dialogue = new Dialogue(server.url);
    await dialogue.see('nervix[default]> ');
    dialogue.type('BEGIN;');
    await dialogue.see('nervix[default tx]> ');
    dialogue.type(`ATTACH TRANSACTION '${id}';`);
    await dialogue.see('stays open');
    await dialogue.see(`attached transaction '${id}'`);
    await dialogue.see('nervix[shop tx]> ');
    dialogue.type('exit');
    await dialogue.see(`reverted transaction ${id}`);
    await dialogue.done;
    expect([...node.transactions.values()].map(({ state }) => state)).toEqual(['Reverted', 'Open']);
  });
});

describe('piped dialogue', () => {
  test('runs without prompts and ends with the first failure (CL-81, CL-83)', async () => {
    await using server = await startCommandServer();
    const stdin = 'START;\nCREATE RELAY a\n  SCHEMA bad UNBRANCHED;\nSTOP;\n';
    const result = await runNervix(['--server', server.url], { stdin, cwd: folder });
    expect(result.code).toBe(1);
    expect(result.stdout).toBe('done: start\ndone: stop\n');
    expect(result.stderr).toContain("input:2:10: schema 'bad' does not exist");
  });
});
