import type { Message } from 'vscode-languageserver';
import {
  createConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { LanguageServer } from './language-server.js';
import { LifecycleGate, parseRefusal } from './lifecycle-gate.js';

/** How long messages are worked on after the client has closed its side. */
const LAST_MESSAGES_MS = 1000;

/**
 * Serves the client at the standard streams of this process, which ends with it: code 0 after
 * `shutdown`, else 1. It ends with 1 too where the stream is no protocol: nobody could tell where the
 * next message begins. Nothing but the protocol is written to standard output.
 *
 * @param version of this server
 */
export function runStdioServer(version: string): void {
  const gate = new LifecycleGate();
  const reader = new StreamMessageReader(process.stdin);
  const writer = new StreamMessageWriter(process.stdout);
  const handleMessage = (message: Message, next: (passed: Message) => void | Promise<void>) => {
    const verdict = gate.judge(message);
    if (verdict === 'pass') return next(message);
    if (verdict !== 'ignore') return writer.write(verdict);
  };
  const connection = createConnection(reader, writer, {
    messageStrategy: { handleMessage },
    // One message after the other, so that an exit does not overtake the answer before it.
    maxParallelism: 1,
  });
  const leave = () => process.exit(gate.phase === 'shut down' ? 0 : 1);
  reader.onError((error) => {
    if (error instanceof SyntaxError) void writer.write(parseRefusal());
    else leave();
  });
  // Messages that have arrived are worked on one by one; among them may be the last two.
  process.stdin.on('end', () => setTimeout(leave, LAST_MESSAGES_MS));
  process.stdin.on('error', leave);
  process.stdout.on('error', leave);
  new LanguageServer(connection, version).listen();
}
