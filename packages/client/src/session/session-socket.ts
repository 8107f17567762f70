import { SESSION_SUBPROTOCOL } from '@nervix/protocol/session';

/** Takes what a socket brings. Nothing comes after `ended`. */
export interface SocketListener {
  readonly frame: (bytes: Uint8Array) => void;
  /** The connection broke the rules of WebSocket frames, such as by a text. */
  readonly violated: (reason: string) => void;
  /** @param isTooLarge whether the server took no message as large as one that it was sent */
  readonly ended: (reason: string, isTooLarge: boolean) => void;
}

/** One open WebSocket. */
export interface SessionSocket {
  /** Throws nothing: a socket that is closing drops what it is given, and `ended` follows. */
  send(bytes: Uint8Array): void;
  close(code: number): void;
}

/** Ends a session so that the server reverts what it holds for it (CL-44). */
export const CLEAN_CLOSE = 1000;
/** Ends a session and leaves an open transaction to whoever attaches it next. */
export const RELEASING_CLOSE = 4000;

/** Ends a session whose peer sent a longer message than is taken (RFC 6455 section 7.4.1). */
const TOO_LARGE_CLOSE = 1009;

/** What became of one attempt to open a socket. */
export type SocketOpening =
  | { readonly kind: 'open'; readonly socket: SessionSocket }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'aborted' };

function endReason({ code, reason }: CloseEvent): string {
  return reason === '' ? `the connection closed with code ${code}` : reason;
}

function listen(socket: WebSocket, listener: SocketListener): void {
  socket.addEventListener('message', (event: MessageEvent) => {
    const data: unknown = event.data;
    if (data instanceof ArrayBuffer) listener.frame(new Uint8Array(data));
    else listener.violated('a text message came over the session');
  });
  const close = (event: CloseEvent): void =>
    listener.ended(endReason(event), event.code === TOO_LARGE_CLOSE);
  socket.addEventListener('close', close, { once: true });
}

/**
 * Opens the WebSocket of a session once.
 *
 * @param url address with the credentials that admit it
 * @param signal gives the attempt up; it does not end an open socket
 */
export function openSessionSocket(
  url: string,
  listener: SocketListener,
  signal: AbortSignal,
): Promise<SocketOpening> {
  if (signal.aborted) return Promise.resolve({ kind: 'aborted' });
  const socket = new WebSocket(url, SESSION_SUBPROTOCOL);
  socket.binaryType = 'arraybuffer';
  return new Promise((resolve) => {
    const settle = (opening: SocketOpening): void => {
      signal.removeEventListener('abort', abort);
      resolve(opening);
    };
    const abort = (): void => {
      socket.close();
      settle({ kind: 'aborted' });
    };
    signal.addEventListener('abort', abort, { once: true });
    // Neither browsers nor Node say why a WebSocket did not open; the close event follows.
    socket.addEventListener('error', () => undefined);
    const failed = (event: CloseEvent): void => {
      settle({ kind: 'failed', reason: endReason(event) });
    };
    socket.addEventListener('close', failed, { once: true });
    socket.addEventListener('open', () => {
      socket.removeEventListener('close', failed);
      listen(socket, listener);
      settle({ kind: 'open', socket: wrap(socket) });
    });
  });
}

function wrap(socket: WebSocket): SessionSocket {
  return {
    send: (bytes) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(bytes as Uint8Array<ArrayBuffer>);
    },
    close: (code) => socket.close(code),
  };
}
