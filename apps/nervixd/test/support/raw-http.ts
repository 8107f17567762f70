import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A bare connection to a listener, destroyed when the test ends. */
export function rawSocket(origin: string): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  // A reset is an end like any other; what arrived before it is what counts.
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Everything that arrives until the other side ends the connection. */
export async function readToEnd(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  for await (const chunk of socket) text += String(chunk);
  return text;
}

/** Text of a chunked body so far, without the framing of its chunks. */
export function unchunked(body: Buffer): string {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = body.indexOf('\r\n', at);
    if (end < 0) break;
    const size = Number.parseInt(body.subarray(at, end).toString('latin1'), 16);
    if (size === 0 || end + 2 + size > body.length) break;
    parts.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts).toString('utf8');
}

/** An answer that is still being sent. */
export interface OpenAnswer {
  readonly socket: Socket;
  /** Head as received, or an empty text while it is not complete. */
  head(): string;
  /** Body as received. */
  body(): string;
}

/** Sends a GET over a bare connection and collects what comes. */
export function openGet(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): OpenAnswer {
  const socket = rawSocket(origin);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`);
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
  });
  const border = (): number => bytes.indexOf('\r\n\r\n');
  return {
    socket,
    head: () => (border() < 0 ? '' : bytes.subarray(0, border()).toString('latin1')),
    body: () => (border() < 0 ? '' : unchunked(bytes.subarray(border() + 4))),
  };
}
