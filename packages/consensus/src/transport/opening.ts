import type { X509Certificate } from 'node:crypto';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { FeatureLevels } from '../raft/feature-levels.ts';
import type { MemberId } from '../raft/member-id.ts';
import { Connection } from './connection.ts';
import { type Credentials, certifiedNode, coversHost } from './credentials.ts';
import { type HostPort, isLoopback, parseEndpoint } from './endpoint.ts';
import { FRAME_KIND, type Frame, type TrafficClass } from './frame.ts';
import {
  type Hello,
  ownHello,
  readHello,
  readRefusal,
  refusalOf,
  WireVersionError,
  writeHello,
  writeRefusal,
} from './hello.ts';
import type { PeerIdentity } from './transport.ts';
import type { TransportContext } from './transport-context.ts';
import { MalformedFrameError } from './wire-reader.ts';

/** Name of the protocol in the TLS handshake. */
export const ALPN = 'nervix-raft/1';

/** What is to be opened. */
export interface OpeningTarget {
  readonly endpoint: string;
  /** `undefined` when nobody is known there. */
  readonly member: MemberId | undefined;
  readonly trafficClass: TrafficClass;
}

/** A connection both of whose ends know each other. */
export interface Opened {
  readonly connection: Connection;
  readonly sender: PeerIdentity;
  /** When the first certificate of the two expires, in milliseconds since 1970. */
  readonly validToMs: number;
}

/** A connection was refused, here or there, for a reason that an operator should see. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly peer: Partial<PeerIdentity>;

  constructor(
    reason: string,
    options: { readonly peer?: Partial<PeerIdentity> | undefined; readonly cause?: unknown } = {},
  ) {
    super(reason, options);
    this.peer = options.peer ?? {};
  }
}

/**
 * Opens a connection and exchanges hellos, within the setup deadline. Rejects with
 * {@link RefusedError} or with the error of the network. `attempt` chooses among several addresses.
 */
export async function openConnection(
  context: TransportContext,
  target: OpeningTarget,
  attempt: number,
  signal: AbortSignal,
): Promise<Opened> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(context.timing.setupMs)]);
  const place = parseEndpoint(target.endpoint);
  if (place === undefined) {
    throw new RefusedError(`'${target.endpoint}' is no endpoint; use host:port`, {
      peer: { ...target.member },
    });
  }
  const addresses = await Promise.race([context.resolve(place.host), rejection(deadline)]);
  const address = addresses[attempt % Math.max(1, addresses.length)];
  if (address === undefined) throw new Error(`the name '${place.host}' has no address`);
  if (context.credentials === undefined && !isLoopback(address)) {
    throw new RefusedError(
      `connections without TLS stay on this machine, but '${address}' is no loopback address;` +
        ' configure TLS credentials',
      { peer: { ...target.member, endpoint: target.endpoint } },
    );
  }
  const socket = await connectSocket(context, { ...place, address }, deadline);
  return introduce(context, target, { socket, host: place.host }, deadline);
}

async function connectSocket(
  context: TransportContext,
  place: HostPort & { readonly address: string },
  deadline: AbortSignal,
): Promise<Socket> {
  const { credentials } = context;
  const { address: host, port } = place;
  const socket =
    credentials === undefined
      ? connectTcp({ host, port })
      : connectTls({
          host,
          port,
          secureContext: credentials.context,
          ALPNProtocols: [ALPN],
          minVersion: 'TLSv1.3',
          // Names are compared with the certificate below, with the reason in words.
          checkServerIdentity: () => undefined,
        });
  const ready = credentials === undefined ? 'connect' : 'secureConnect';
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('closed during the handshake')));
      socket.once(ready, () => resolve());
      if (deadline.aborted) reject(deadline.reason);
      deadline.addEventListener('abort', () => reject(deadline.reason), { once: true });
    });
  } catch (error) {
    socket.on('error', () => undefined);
    socket.destroy();
    throw error;
  }
  return socket;
}

/** Tells who we are and learns who is there. */
async function introduce(
  context: TransportContext,
  target: OpeningTarget,
  { socket, host }: { readonly socket: Socket; readonly host: string },
  deadline: AbortSignal,
): Promise<Opened> {
  const { promise, resolve, reject } = Promise.withResolvers<Frame>();
  const connection = new Connection(socket, true, context, {
    frame: (frame) => {
      // Whatever follows is for the owner that the connection will have.
      connection.pause();
      resolve(frame);
    },
    closed: (reason) => reject(new Error(reason)),
  });
  try {
    const certificate = checkPeer(context, socket, host);
    const own = context.identity();
    const { trafficClass, member } = target;
    connection.writeUrgent(FRAME_KIND.hello, (writer) => {
      writeHello(writer, ownHello({ trafficClass, sender: own, addressee: member }));
    });
    const frame = await Promise.race([promise, rejection(deadline)]);
    const answer = readAnswer(frame, target, own.levels);
    const { sender } = answer;
    const certifiedNodeId = certificate?.nodeId;
    // The answer names us as addressee, which was checked there with our hello.
    const reason =
      refusalOf({ ...answer, addressee: undefined }, { own, member, certifiedNodeId }) ??
      context.admitProcess(sender);
    if (reason !== undefined) throw new RefusedError(reason, { peer: sender });
    const validToMs = certificate?.validToMs ?? Number.POSITIVE_INFINITY;
    return { connection, sender, validToMs };
  } catch (error) {
    promise.catch(() => undefined);
    refuse(connection, error, context.timing.setupMs);
    throw error;
  }
}

function readAnswer(frame: Frame, target: OpeningTarget, levels: FeatureLevels): Hello {
  const peer = { ...target.member, endpoint: target.endpoint };
  if (frame.kind === FRAME_KIND.refusal) throw new RefusedError(readRefusal(frame.body), { peer });
  if (frame.kind !== FRAME_KIND.hello) throw new MalformedFrameError('no hello');
  try {
    return readHello(frame.body, levels);
  } catch (error) {
    if (!(error instanceof WireVersionError)) throw error;
    throw new RefusedError(error.describe(`the process at ${target.endpoint}`), {
      peer,
      cause: error,
    });
  }
}

/** Tells the other end why, if it was refused, and closes within `setupMs`. */
export function refuse(connection: Connection, error: unknown, setupMs: number): void {
  if (!(error instanceof RefusedError)) {
    connection.destroy('setup failed');
    return;
  }
  const timer = setTimeout(() => connection.destroy('refused'), setupMs);
  connection.establish('management', {
    frame: () => undefined,
    closed: () => clearTimeout(timer),
  });
  connection.writeUrgent(FRAME_KIND.refusal, (writer) => writeRefusal(writer, error.message));
  connection.end(error.message);
  connection.resume();
}

/** Whom the certificate at the other end is for. */
export interface CheckedPeer {
  readonly nodeId: string;
  /** When the first certificate of the two expires, in milliseconds since 1970. */
  readonly validToMs: number;
}

/** Checks the certificate at the other end. `host` is what was dialled; absent for who dialled. */
export function checkPeer(
  context: { readonly credentials: Credentials | undefined } & Pick<
    TransportContext,
    'identity' | 'nowMs'
  >,
  socket: Socket,
  host: string | undefined,
): CheckedPeer | undefined {
  const { credentials } = context;
  if (credentials === undefined) return undefined;
  const { authorized, authorizationError } = socket as TLSSocket;
  const certificate = (socket as TLSSocket).getPeerX509Certificate();
  if (certificate === undefined) {
    throw new RefusedError('it presented no certificate; give it one of this cluster');
  }
  const node = certifiedNode(certificate, context.nowMs());
  if (typeof node === 'string') throw unacceptable(certificate, node);
  if (!authorized) throw unacceptable(certificate, `is not vouched for (${authorizationError})`);
  const { clusterId } = context.identity();
  if (node.clusterId !== clusterId) {
    throw new RefusedError(
      `clusterMismatch: the certificate of node '${node.nodeId}' is for cluster` +
        ` '${node.clusterId}', not '${clusterId}'; use certificates of one cluster`,
      { peer: { nodeId: node.nodeId, clusterId: node.clusterId } },
    );
  }
  if (host !== undefined && !coversHost(certificate, host)) {
    throw new RefusedError(
      `the certificate of node '${node.nodeId}' does not cover '${host}';` +
        ' add it as an alternative name',
      { peer: { nodeId: node.nodeId } },
    );
  }
  return { nodeId: node.nodeId, validToMs: Math.min(node.validToMs, credentials.validToMs) };
}

/** Names the node that the certificate claims to be for, which nobody has confirmed. */
function unacceptable(certificate: X509Certificate, problem: string): RefusedError {
  const claimed = /URI:nervix:[^,"]*\/node\/([^,/?#"]{1,64})/.exec(
    certificate.subjectAltName ?? '',
  );
  const nodeId = claimed?.[1]?.replace(/\p{Cc}/gu, ' ');
  const whose = nodeId === undefined ? 'its certificate' : `the certificate of node '${nodeId}'`;
  const reason = `${whose} ${problem}; give it a valid one of an authority of this cluster`;
  return new RefusedError(reason, nodeId === undefined ? {} : { peer: { nodeId } });
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
