import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  type ClientCapabilities,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  LogMessageNotification,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type TextDocumentContentChangeEvent,
} from 'vscode-languageserver-protocol/node';

const BIN = fileURLToPath(new URL('../../bin/nspl-language-server.js', import.meta.url));

/** Starts the built server as an editor does. */
export function spawnServer(...args: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [BIN, ...args], { stdio: 'pipe', env: {} });
}

/** Exit code of a process once it has ended. */
export async function exitCode(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

/** A client in one process with the test, and the server it started. */
export class Editor implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly connection: ProtocolConnection;
  /** What the server logged, to the client or to its standard error. */
  log = '';
  readonly #published: PublishDiagnosticsParams[] = [];
  readonly #waiting = new Set<() => void>();

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    this.connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    child.stderr.on('data', (chunk: Buffer) => {
      this.log += chunk.toString('utf8');
    });
    this.connection.onNotification(LogMessageNotification.type, ({ message }) => {
      this.log += `${message}\n`;
    });
    this.connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
      this.#published.push(params);
      for (const wake of this.#waiting) wake();
    });
    this.connection.listen();
  }

  /** Starts a server and connects to it without the handshake. */
  static connect(...args: string[]): Editor {
    return new Editor(spawnServer(...args));
  }

  /** Starts a server and initializes it. */
  static async start(capabilities: ClientCapabilities = {}): Promise<Editor> {
    const editor = Editor.connect('--stdio');
    await editor.initialize(capabilities);
    return editor;
  }

  async initialize(capabilities: ClientCapabilities = {}): Promise<InitializeResult> {
    const params = { processId: process.pid, rootUri: null, capabilities };
    const result = await this.connection.sendRequest(InitializeRequest.type, params);
    await this.connection.sendNotification(InitializedNotification.type, {});
    return result;
  }

  async open(uri: string, text: string, version = 1): Promise<void> {
    const textDocument = { uri, languageId: 'nspl', version, text };
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
  }

  async change(
    uri: string,
    version: number,
    ...contentChanges: TextDocumentContentChangeEvent[]
  ): Promise<void> {
    await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version },
      contentChanges,
    });
  }

  /** The diagnostics that the server sends, or has sent, for a version of a document. */
  async diagnostics(uri: string, version?: number): Promise<PublishDiagnosticsParams> {
    for (;;) {
      const found = this.#published.findLast(
        (params) => params.uri === uri && params.version === version,
      );
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
  }

  /** Shuts the server down and gives its exit code. */
  async leave(): Promise<number | null> {
    await this.connection.sendRequest(ShutdownRequest.type);
    await this.connection.sendNotification(ExitNotification.type);
    return exitCode(this.child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.connection.dispose();
    if (this.child.exitCode === null) this.child.kill('SIGKILL');
    await exitCode(this.child);
  }
}
