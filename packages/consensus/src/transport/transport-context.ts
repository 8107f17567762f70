import type { Credentials } from './credentials.ts';
import type { ResolveName } from './name-resolver.ts';
import type { PeerIdentity, TransportReceiver } from './transport.ts';
import type { TransportLimits, TransportTiming } from './transport-options.ts';

/** What the parts of one transport share. */
export interface TransportContext {
  readonly timing: TransportTiming;
  readonly limits: TransportLimits;
  readonly resolve: ResolveName;
  readonly random: () => number;
  readonly nowMs: () => number;
  readonly identity: () => PeerIdentity;
  readonly receiver: TransportReceiver;
  /** Those in use for new connections; `undefined` without TLS. */
  readonly credentials: Credentials | undefined;
  /** Counts something that went wrong, for metrics. */
  readonly count: (counter: TransportCounter) => void;
  /** Takes note of a process; why it is refused, or `undefined`. */
  readonly admitProcess: (process: PeerIdentity) => string | undefined;
}

/** What a transport counts. */
export type TransportCounter =
  | 'droppedUnconnected'
  | 'droppedQueueFull'
  | 'droppedEarlierProcess'
  | 'droppedUnsendable'
  | 'malformed'
  | 'stalled'
  | 'refused'
  | 'handshakesRefused'
  | 'connectFailed';
