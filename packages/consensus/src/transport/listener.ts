import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { assert } from '../assert.ts';
import { RaftError } from '../errors.ts';
import { Connection } from './connection.ts';
import { attempt, type CredentialBundle } from './credentials.ts';
import { formatEndpoint, type HostPort } from './endpoint.ts';
import { FRAME_KIND, type Frame } from './frame.ts';
import {
  type Hello,
  ownHello,
  readHello,
  readRefusal,
  refusalOf,
  WireVersionError,
  writeHello,
} from './hello.ts';
import { ALPN, type CheckedPeer, checkPeer, type Opened, RefusedError, refuse } from './opening.ts';
import type { TransportContext } from './transport-context.ts';
import { MalformedFrameError } from './wire-reader.ts';

/** Takes over an accepted connection; why it does not, or `undefined`. */
export type Accept = (hello: Hello, opened: Opened) => string | undefined;

interface Pending {
  readonly socket: Socket;
  readonly timer: NodeJS.Timeout;
}

/** Accepts connections and learns who is at their other ends, few at a time. */
export class Listener {
  readonly #context: TransportContext;
  readonly #accept: Accept;
  readonly #server: Server | TlsServer;
  readonly #pending = new Map<string, Pending>();
  readonly #sockets = new Set<Socket>();
  #isServing = false;

  /** Without a bundle connections are not encrypted. Throws `RAFT_CREDENTIALS_INVALID`. */
  constructor(context: TransportContext, bundle: CredentialBundle | undefined, accept: Accept) {
    this.#context = context;
    this.#accept = accept;
    this.#server = bundle === undefined ? this.#plain() : this.#secure(bundle);
    this.#server.on('connection', (socket: Socket) => this.#admit(socket));
  }

  /** Resolves with the place that is listened on. Rejects with `RAFT_LISTEN_FAILED`. */
  async listen(place: HostPort): Promise<HostPort> {
    const server = this.#server;
    await new Promise<void>((resolve, reject) => {
      const fail = (cause: unknown): void => {
        const endpoint = formatEndpoint(place);
        reject(new RaftError('RAFT_LISTEN_FAILED', { endpoint }, { cause }));
      };
      server.once('error', fail);
      server.listen({ host: place.host, port: place.port }, () => {
        server.off('error', fail);
        resolve();
      });
    });
    // A failed accept, for want of file descriptors, must not end the process.
    server.on('error', () => this.#context.count('connectFailed'));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : place.port;
    return { host: place.host, port };
  }

  /** Takes connections from now on; earlier ones are closed and tried again by their openers. */
  serve(): void {
    this.#isServing = true;
  }

  /** Uses other credentials for connections from now on. */
  setCredentials(bundle: CredentialBundle): void {
    if ('setSecureContext' in this.#server) this.#server.setSecureContext(secureOptions(bundle));
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    await closed;
  }

  #plain(): Server {
    return createTcpServer((socket) => this.#introduce(socket));
  }

  #secure(bundle: CredentialBundle): TlsServer {
    const server = attempt(() =>
      createTlsServer({
        ...secureOptions(bundle),
        ALPNProtocols: [ALPN],
        requestCert: true,
        // Refused with the reason in words by `checkPeer`, before anything of theirs is read.
        rejectUnauthorized: false,
        handshakeTimeout: this.#context.timing.setupMs,
      }),
    );
    if (server === undefined) {
      const problem = 'key and certificates cannot be used together';
      throw new RaftError('RAFT_CREDENTIALS_INVALID', { problem });
    }
    server.on('secureConnection', (socket) => {
      if (socket.alpnProtocol === ALPN) this.#introduce(socket);
      else socket.destroy();
    });
    server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
      this.#context.count('refused');
      const code = error.code ?? 'unknown';
      const reason = `the TLS handshake failed (${code}); check the certificates`;
      const endpoint = placeOf(socket);
      this.#context.receiver.refused(endpoint === undefined ? {} : { endpoint }, reason);
    });
    return server;
  }

  #admit(socket: Socket): void {
    const { limits, timing } = this.#context;
    const place = this.#isServing ? placeOf(socket) : undefined;
    if (place === undefined) {
      this.#context.count('handshakesRefused');
      socket.destroy();
      return;
    }
    if (this.#pending.size >= limits.handshakesMax) this.#refuseOldest();
    socket.on('error', () => undefined);
    this.#sockets.add(socket);
    const timer = setTimeout(() => socket.destroy(), timing.setupMs);
    this.#pending.set(place, { socket, timer });
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#settle(place, socket);
    });
  }

  /** Whoever has said nothing for longest gives way, or silence alone would shut members out. */
  #refuseOldest(): void {
    const [oldest] = this.#pending;
    if (oldest === undefined) return;
    const [place, { socket }] = oldest;
    this.#context.count('handshakesRefused');
    this.#settle(place);
    socket.destroy();
  }

  #settle(place: string | undefined, socket?: Socket): void {
    const pending = place === undefined ? undefined : this.#pending.get(place);
    if (place === undefined || pending === undefined) return;
    if (socket !== undefined && pending.socket !== socket) return;
    clearTimeout(pending.timer);
    this.#pending.delete(place);
  }

  #introduce(socket: Socket): void {
    if (socket.destroyed || !this.#isServing) {
      socket.destroy();
      return;
    }
    const place = placeOf(socket);
    const attempted = (connection: Connection, work: () => void): void => {
      try {
        work();
      } catch (error) {
        const refusal = asRefusal(error, place);
        this.#report(refusal, place);
        refuse(connection, refusal, this.#context.timing.setupMs);
      }
    };
    const connection = new Connection(socket, false, this.#context, {
      frame: (frame) => {
        connection.pause();
        attempted(connection, () => this.#answer(connection, certificate, frame));
        this.#settle(place);
      },
      closed: () => undefined,
    });
    let certificate: CheckedPeer | undefined;
    attempted(connection, () => {
      certificate = checkPeer(this.#context, socket, undefined);
    });
  }

  #answer(connection: Connection, certificate: CheckedPeer | undefined, frame: Frame): void {
    const isChecked = certificate !== undefined || this.#context.credentials === undefined;
    assert(isChecked, 'nobody is heard before the certificate is checked');
    const certified = certificate === undefined ? {} : { nodeId: certificate.nodeId };
    if (frame.kind === FRAME_KIND.refusal) {
      throw new RefusedError(readRefusal(frame.body), { peer: certified });
    }
    if (frame.kind !== FRAME_KIND.hello) {
      throw new RefusedError('it sent no hello', { peer: certified });
    }
    const own = this.#context.identity();
    const hello = readHello(frame.body, own.levels);
    const { sender, trafficClass } = hello;
    const expected = { own, member: undefined, certifiedNodeId: certificate?.nodeId };
    const validToMs = certificate?.validToMs ?? Number.POSITIVE_INFINITY;
    const reason = refusalOf(hello, expected) ?? this.#context.admitProcess(sender);
    if (reason !== undefined) throw new RefusedError(reason, { peer: sender });
    connection.writeUrgent(FRAME_KIND.hello, (writer) => {
      const { nodeId, storeId } = sender;
      const addressee = { nodeId, storeId };
      writeHello(writer, ownHello({ trafficClass, sender: own, addressee }));
    });
    const refusal = this.#accept(hello, { connection, sender, validToMs });
    if (refusal !== undefined) throw new RefusedError(refusal, { peer: sender });
  }

  #report({ peer, message }: RefusedError, place: string | undefined): void {
    this.#context.count('refused');
    const endpoint = peer.endpoint ?? place;
    this.#context.receiver.refused(endpoint === undefined ? peer : { ...peer, endpoint }, message);
  }
}

/** Everything but failures of this process, which are thrown again. */
function asRefusal(error: unknown, place: string | undefined): RefusedError {
  if (error instanceof RefusedError) return error;
  if (error instanceof WireVersionError) {
    return new RefusedError(error.describe(`the process at ${place}`), { cause: error });
  }
  if (error instanceof MalformedFrameError) {
    return new RefusedError('it does not follow the protocol', { cause: error });
  }
  throw error;
}

function secureOptions({ ca, cert, key }: CredentialBundle): CredentialBundle & {
  readonly minVersion: 'TLSv1.3';
  readonly maxVersion: 'TLSv1.3';
} {
  return { ca, cert, key, minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3' };
}

function placeOf(socket: Socket): string | undefined {
  const { remoteAddress, remotePort } = socket;
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  return formatEndpoint({ host: remoteAddress, port: remotePort });
}
