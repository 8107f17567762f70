import type { Socket } from 'node:net';
import { refusal } from './error-envelope.js';

/** Answers bytes that are no HTTP request, or one that comes too slowly, and hangs up. */
export function answerClientFault(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = faultOf(error.code);
  const body = JSON.stringify({ error: refusal('INVALID_REQUEST', message).error });
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroySoon());
}

function faultOf(code: string | undefined): readonly [status: string, message: string] {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['408 Request Timeout', 'the request did not arrive in time'];
    case 'HPE_HEADER_OVERFLOW':
      return ['431 Request Header Fields Too Large', 'the headers are too large'];
    default:
      return ['400 Bad Request', 'this is not an HTTP request'];
  }
}
