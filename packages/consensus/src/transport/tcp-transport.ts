import { assert } from '../assert.ts';
import { type MemberId, memberKey } from '../raft/member-id.ts';
import type { PeerMessage } from '../raft/message.ts';
import { type CredentialBundle, type Credentials, checkCredentials } from './credentials.ts';
import { DialLoop, refusalText } from './dial-loop.ts';
import { formatEndpoint, type HostPort, parseEndpoint } from './endpoint.ts';
import type { Hello } from './hello.ts';
import { Listener } from './listener.ts';
import { createNameResolver } from './name-resolver.ts';
import { type Opened, openConnection } from './opening.ts';
import { PeerLink } from './peer-link.ts';
import { namesakeRefusal, processRefusal } from './process-admission.ts';
import { SnapshotReceiving } from './snapshot-receiving.ts';
import { SnapshotSending } from './snapshot-sending.ts';
import type {
  ContactAnswer,
  OutgoingSnapshot,
  PeerIdentity,
  Transport,
  TransportPeer,
  TransportReceiver,
} from './transport.ts';
import type { TransportContext, TransportCounter } from './transport-context.ts';
import {
  checkTransportOptions,
  resolveTiming,
  resolveTransportLimits,
  type TcpTransportOptions,
} from './transport-options.ts';

export type { TcpTransportOptions } from './transport-options.ts';

/**
 * Carries messages over TCP, with mutual TLS 1.3 unless everything is on loopback.
 *
 * It uses plain streams with frames and explicit credit in place of HTTP/2: that library shows
 * neither how much a slow member has taken nor lets a receiver stop at a number of messages, and
 * both are needed to tell a slow member from one that is gone. Every class of traffic has its own
 * connection per direction, so one stream needs no multiplexing.
 */
export class TcpTransport implements Transport {
  readonly #options: TcpTransportOptions;
  readonly #context: TransportContext;
  readonly #listener: Listener;
  readonly #place: HostPort;
  readonly #links = new Map<string, PeerLink>();
  readonly #contacts = new Map<string, DialLoop>();
  /** Members whose connection was opened because of a contact. */
  readonly #contacted = new Map<string, string>();
  readonly #sendings = new Map<string, SnapshotSending | AbortController>();
  readonly #receivings = new Set<SnapshotReceiving>();
  readonly #counters = new Map<TransportCounter, number>();
  #identity: (() => PeerIdentity) | undefined;
  #receiver: TransportReceiver | undefined;
  #credentials: Credentials | undefined;
  #endpoint: string | undefined;
  #announced = '';
  #timer: NodeJS.Timeout | undefined;
  #sweptAt = 0;
  readonly #asking = new AbortController();
  #state: 'new' | 'listening' | 'started' | 'closed' = 'new';

  /** Throws `RAFT_PLAINTEXT_REFUSED` when TLS is needed, or `RAFT_INVALID_OPTION`. */
  constructor(options: TcpTransportOptions) {
    checkTransportOptions(options);
    this.#options = options;
    this.#place = placeOf(options.listen);
    this.#context = this.#createContext(options);
    const bundle = options.tls === 'plaintext' ? undefined : options.tls;
    this.#listener = new Listener(this.#context, bundle, (hello, opened) =>
      this.#accept(hello, opened),
    );
  }

  get endpoint(): string {
    assert(this.#endpoint !== undefined, 'the transport listens');
    return this.#endpoint;
  }

  /** Whether both message connections to the member are opened from here. */
  isReachable(member: MemberId): boolean {
    return this.#links.get(memberKey(member))?.isReachable ?? false;
  }

  /** How often something went wrong, for metrics. */
  get counters(): ReadonlyMap<TransportCounter, number> {
    return this.#counters;
  }

  async listen(): Promise<string> {
    assert(this.#state === 'new', 'a transport listens once');
    this.#state = 'listening';
    const { port } = await this.#listener.listen(this.#place);
    const advertised = placeOf(this.#options.advertise ?? this.#options.listen);
    const place = { host: advertised.host, port: advertised.port === 0 ? port : advertised.port };
    this.#endpoint = formatEndpoint(place);
    return this.#endpoint;
  }

  /** Rejects with `RAFT_CREDENTIALS_INVALID` when others would not accept this process. */
  async ask(endpoint: string, own: PeerIdentity): Promise<ContactAnswer> {
    assert(this.#state === 'listening', 'a transport asks after it listens and before it starts');
    this.#identity = () => own;
    const { tls } = this.#options;
    if (tls !== 'plaintext') this.#credentials = this.#check(tls);
    const target = { endpoint, member: undefined, trafficClass: 'management' as const };
    const { signal } = this.#asking;
    try {
      const { connection, sender } = await openConnection(this.#context, target, 0, signal);
      connection.destroy('only asked');
      return { kind: 'introduced', peer: sender };
    } catch (error) {
      const reason = refusalText(error);
      return reason === undefined ? { kind: 'silent' } : { kind: 'refused', reason };
    }
  }

  /** Throws `RAFT_CREDENTIALS_INVALID` when others would not accept this process. */
  start(identity: () => PeerIdentity, receiver: TransportReceiver): void {
    assert(this.#state === 'listening', 'a transport starts once, after it listens');
    this.#identity = identity;
    this.#receiver = receiver;
    const { tls } = this.#options;
    if (tls !== 'plaintext') this.#credentials = this.#check(tls);
    this.#state = 'started';
    const { stallMs, pingMs } = this.#context.timing;
    this.#sweptAt = performance.now();
    const periodMs = Math.max(5, Math.min(pingMs / 4, stallMs / 20));
    this.#timer = setInterval(() => this.#sweep(periodMs), periodMs);
    this.#announced = announcement(identity());
    this.#listener.serve();
  }

  connectedPeers(): readonly PeerIdentity[] {
    const identities = [...this.#links.values()]
      .filter((link) => link.hasConnection)
      .map((link) => link.identity);
    return identities.filter((it) => it !== undefined);
  }

  setPeers(peers: readonly TransportPeer[]): void {
    if (this.#state === 'closed') return;
    const own = this.#context.identity();
    const wanted = new Map(
      peers.filter((it) => it.storeId !== own.storeId).map((it) => [memberKey(it), it]),
    );
    const { peersMax } = this.#context.limits;
    assert(wanted.size <= peersMax, `there are at most ${peersMax} peers`);
    for (const [key, link] of this.#links) {
      if (!wanted.has(key)) link.setEndpoint(undefined);
    }
    for (const peer of wanted.values()) this.#link(peer).setEndpoint(peer.endpoint);
  }

  setContacts(endpoints: readonly string[]): void {
    if (this.#state === 'closed') return;
    const wanted = new Set(endpoints.filter((it) => it !== this.#endpoint));
    for (const [endpoint, loop] of this.#contacts) {
      if (wanted.has(endpoint)) continue;
      loop.stop();
      this.#contacts.delete(endpoint);
    }
    for (const endpoint of wanted) {
      if (this.#contacts.has(endpoint)) continue;
      const target = { endpoint, member: undefined, trafficClass: 'management' as const };
      const loop = new DialLoop(this.#context, target, (opened) =>
        this.#contactOpened(endpoint, opened),
      );
      this.#contacts.set(endpoint, loop);
      loop.start();
    }
  }

  send(to: MemberId, message: PeerMessage): void {
    const link = this.#links.get(memberKey(to));
    if (link === undefined) this.#count('droppedUnconnected');
    else link.send(message);
  }

  async sendSnapshot(to: MemberId, snapshot: OutgoingSnapshot): Promise<boolean> {
    const key = memberKey(to);
    const endpoint = this.#links.get(key)?.endpoint;
    if (endpoint === undefined || this.#state !== 'started') return false;
    stopSending(this.#sendings.get(key));
    const abort = new AbortController();
    this.#sendings.set(key, abort);
    let current: SnapshotSending | AbortController = abort;
    try {
      const target = { endpoint, member: to, trafficClass: 'bulk' as const };
      const { connection } = await openConnection(this.#context, target, 0, abort.signal);
      if (abort.signal.aborted) {
        connection.destroy('superseded');
        return false;
      }
      current = new SnapshotSending(connection, snapshot, this.#context.timing);
      this.#sendings.set(key, current);
      const isTaken = await current.result;
      if (isTaken) this.#links.get(key)?.snapshotTaken();
      return isTaken;
    } catch {
      this.#count('connectFailed');
      return false;
    } finally {
      if (this.#sendings.get(key) === current) this.#sendings.delete(key);
    }
  }

  queues(): ReadonlyMap<string, { readonly messages: number; readonly bytes: number }> {
    const queues = new Map<string, { readonly messages: number; readonly bytes: number }>();
    for (const [key, link] of this.#links) {
      for (const [name, queue] of link.queues()) queues.set(`${key}/${name}`, queue);
    }
    return queues;
  }

  /**
   * Uses other credentials from now on. Connections that rest on former ones are emptied and closed,
   * and opened anew by whoever had opened them; a snapshot under way is finished. Throws
   * `RAFT_CREDENTIALS_INVALID` and changes nothing when they are not usable.
   */
  reloadCredentials(bundle: CredentialBundle): void {
    assert(this.#credentials !== undefined, 'the transport was started with credentials');
    this.#credentials = this.#check(bundle);
    this.#listener.setCredentials(bundle);
    for (const link of this.#links.values()) link.renew();
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    clearInterval(this.#timer);
    this.#asking.abort();
    for (const loop of this.#contacts.values()) loop.stop();
    for (const link of this.#links.values()) link.stop();
    for (const sending of this.#sendings.values()) stopSending(sending);
    for (const receiving of this.#receivings) receiving.abandon('closed');
    await this.#listener.close();
  }

  #createContext(options: TcpTransportOptions): TransportContext {
    const currentCredentials = (): Credentials | undefined => this.#credentials;
    const currentReceiver = (): TransportReceiver => {
      assert(this.#receiver !== undefined, 'the transport is started');
      return this.#receiver;
    };
    return {
      timing: resolveTiming(options.timing),
      limits: resolveTransportLimits(options.limits),
      resolve: options.resolve ?? createNameResolver(),
      random: options.random ?? Math.random,
      nowMs: options.nowMs ?? Date.now,
      identity: () => {
        assert(this.#identity !== undefined, 'the transport is started');
        return this.#identity();
      },
      get receiver() {
        return currentReceiver();
      },
      get credentials() {
        return currentCredentials();
      },
      count: (counter) => this.#count(counter),
      admitProcess: (process) =>
        processRefusal(process, this.#context.identity(), this.#links.values()),
    };
  }

  #check(bundle: CredentialBundle): Credentials {
    const { clusterId, nodeId } = this.#context.identity();
    const { host } = placeOf(this.endpoint);
    return checkCredentials(bundle, { clusterId, nodeId, host }, this.#context.nowMs());
  }

  #count(counter: TransportCounter): void {
    this.#counters.set(counter, (this.#counters.get(counter) ?? 0) + 1);
  }

  #link(id: MemberId): PeerLink {
    const key = memberKey(id);
    const found = this.#links.get(key);
    if (found !== undefined) return found;
    const link = new PeerLink(this.#context, id);
    this.#links.set(key, link);
    return link;
  }

  #accept({ trafficClass }: Hello, opened: Opened): string | undefined {
    const { sender } = opened;
    if (!this.#links.has(memberKey(sender)) && this.#isCrowded()) {
      return 'too many processes that are no members are connected; try again later';
    }
    if (trafficClass === 'bulk' && this.#receivings.size >= this.#context.limits.receiptsMax) {
      return 'too many snapshots are being received; try again later';
    }
    const link = this.#link(sender);
    link.meet(sender);
    if (trafficClass === 'bulk') this.#receiveSnapshot(link, opened);
    else link.accept(trafficClass, opened);
    return undefined;
  }

  #isCrowded(): boolean {
    const candidates = [...this.#links.values()].filter((it) => !it.isPeer && it.hasConnection);
    return candidates.length >= this.#context.limits.candidatesMax;
  }

  #receiveSnapshot(link: PeerLink, { connection }: Opened): void {
    for (const older of this.#receivings) {
      if (memberKey(older.from) === link.key) older.abandon('superseded by a newer transfer');
    }
    const receiving: SnapshotReceiving = new SnapshotReceiving(
      connection,
      link.id,
      this.#context.timing,
      {
        begin: (from, term, manifest) => {
          link.sawSnapshot();
          return this.#context.receiver.snapshot(from, term, manifest);
        },
        closed: (reason) => {
          if (reason.startsWith('malformed')) this.#count('malformed');
          this.#receivings.delete(receiving);
        },
      },
    );
    this.#receivings.add(receiving);
  }

  #contactOpened(endpoint: string, opened: Opened): void {
    const link = this.#link(opened.sender);
    link.meet(opened.sender);
    link.open('management', opened);
    this.#contacted.set(endpoint, link.key);
  }

  #sweep(periodMs: number): void {
    const now = performance.now();
    // After a stall of this process the others had no chance to show themselves.
    const elapsedMs = Math.min(now - this.#sweptAt, 2 * periodMs);
    this.#sweptAt = now;
    const nowMs = this.#context.nowMs();
    for (const [key, link] of this.#links) {
      link.sweep(elapsedMs, nowMs);
      if (!link.isPeer && !link.hasConnection) this.#links.delete(key);
    }
    this.#refuseNamesakes();
    for (const sending of this.#sendings.values()) {
      if (sending instanceof SnapshotSending) sending.sweep(elapsedMs);
    }
    for (const receiving of this.#receivings) receiving.sweep(elapsedMs);
    for (const [endpoint, loop] of this.#contacts) {
      const link = this.#links.get(this.#contacted.get(endpoint) ?? '');
      if (link === undefined || !link.hasConnection) loop.restart();
    }
    this.#announceChanges();
  }

  /** A member that comes back finds its name taken by whoever came meanwhile and is no member. */
  #refuseNamesakes(): void {
    const links = [...this.#links.values()];
    for (const link of links) {
      if (link.isPeer || !link.hasConnection) continue;
      const namesakes = links.filter((it) => it.id.nodeId === link.id.nodeId);
      const reason = namesakes.map(namesakeRefusal).find((it) => it !== undefined);
      if (reason !== undefined) link.refuse(reason);
    }
  }

  /** Tells the others what has changed about this process since it introduced itself. */
  #announceChanges(): void {
    const own = this.#context.identity();
    const text = announcement(own);
    if (text === this.#announced) return;
    this.#announced = text;
    for (const link of this.#links.values()) link.announce(own);
  }
}

function announcement({ clusterUid, endpoint, incarnation, level }: PeerIdentity): string {
  return `${clusterUid ?? ''} ${endpoint} ${incarnation} ${level ?? 0}`;
}

function stopSending(sending: SnapshotSending | AbortController | undefined): void {
  if (sending instanceof SnapshotSending) sending.abandon();
  else sending?.abort();
}

function placeOf(endpoint: string): HostPort {
  const place = parseEndpoint(endpoint);
  assert(place !== undefined, `'${endpoint}' is an endpoint of the form host:port`);
  return place;
}
