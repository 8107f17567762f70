import type { Socket } from 'node:net';
import { sendBareRefusal } from './bare-refusal.js';
import { type Refusal, refusal } from './error-envelope.js';

/**
 * Answers bytes that are no HTTP request, or one that comes too slowly, and hangs up.
 *
 * @returns the answer, or undefined when nobody is there to get it
 */
export function answerClientFault(
  error: NodeJS.ErrnoException,
  socket: Socket,
): Refusal | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const answer = refusalOf(error.code);
  sendBareRefusal(socket, answer);
  return answer;
}

function refusalOf(code: string | undefined): Refusal {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusal('REQUEST_TIMEOUT', 'the request did not arrive in time');
    case 'HPE_HEADER_OVERFLOW':
      return refusal('HEADERS_TOO_LARGE', 'the headers are too large');
    default:
      return refusal('INVALID_REQUEST', 'this is not an HTTP request');
  }
}
