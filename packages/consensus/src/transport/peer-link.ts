import { type MemberId, memberKey } from '../raft/member-id.ts';
import type { MessageKind, PeerMessage } from '../raft/message.ts';
import { AppendWatch, ResidentAppends } from './append-flow.ts';
import type { Connection } from './connection.ts';
import { DialLoop } from './dial-loop.ts';
import { FRAME_KIND, type Frame } from './frame.ts';
import {
  type Hello,
  ownHello,
  readHello,
  readRefusal,
  refusalOf,
  writeHello,
  writeRefusal,
} from './hello.ts';
import { readMessage, writeMessage } from './message-codec.ts';
import type { Opened } from './opening.ts';
import type { PeerIdentity } from './transport.ts';
import type { TransportContext } from './transport-context.ts';
import { MalformedFrameError, WireReader } from './wire-reader.ts';

/** Classes that carry messages. */
export type MessageClass = 'management' | 'replication';

const MESSAGE_CLASSES: readonly MessageClass[] = ['management', 'replication'];

/** The class of a message. A class carries its messages in order. */
function classOfMessage(kind: MessageKind): MessageClass {
  switch (kind) {
    case 'append':
    case 'appendAccepted':
    case 'appendRejected':
      return 'replication';
    default:
      return 'management';
  }
}

/** What can be answered: messages, and a snapshot that came over a connection of its own. */
type Question = MessageKind | 'snapshot';

/** The questions that a message can be the answer to. */
const QUESTIONS: { readonly [K in MessageKind]?: readonly Question[] } = {
  preVoteResponse: ['preVote'],
  voteResponse: ['vote'],
  appendAccepted: ['append', 'snapshot'],
  appendRejected: ['append'],
  heartbeatResponse: ['heartbeat'],
  readIndexResponse: ['readIndex'],
  termNotice: ['append', 'heartbeat', 'snapshot'],
};

/** One class of one peer: the connection opened here, and the one opened there. */
class Lane {
  dialLoop: DialLoop | undefined;
  opened: Connection | undefined;
  accepted: Connection | undefined;
  openedValidToMs = Number.POSITIVE_INFINITY;
  acceptedValidToMs = Number.POSITIVE_INFINITY;
  /** An append found no connection since the last one was lost. */
  hasLostAppend = false;
}

/**
 * Everything between this process and one member: a management and a replication connection that
 * is opened here and one of each that is opened there. Messages go out over those opened here. Only
 * while there is none they go back over one opened there, so that a process whose endpoint is not
 * known yet, or does not work, is answered. Either way one class stays in order: what went back
 * must have been taken before anything else leaves.
 */
export class PeerLink {
  readonly id: MemberId;
  readonly key: string;
  readonly #context: TransportContext;
  readonly #lanes: { readonly [C in MessageClass]: Lane } = {
    management: new Lane(),
    replication: new Lane(),
  };
  readonly #resident: ResidentAppends;
  readonly #watch: AppendWatch;
  readonly #asked = new Set<Question>();
  #identity: PeerIdentity | undefined;
  #endpoint: string | undefined;

  constructor(context: TransportContext, id: MemberId) {
    this.#context = context;
    this.id = { nodeId: id.nodeId, storeId: id.storeId };
    this.key = memberKey(id);
    this.#resident = new ResidentAppends(context.limits.residentAppendsMax);
    this.#watch = new AppendWatch(context.timing.stallMs);
  }

  /** The process at the other end as it introduced itself last. */
  get identity(): PeerIdentity | undefined {
    return this.#identity;
  }

  /** Where it is dialled: as configured, else as it says itself. */
  get endpoint(): string | undefined {
    return this.#endpoint ?? this.#identity?.endpoint;
  }

  /** Whether connections to it are kept up from here. */
  get isPeer(): boolean {
    return this.#endpoint !== undefined;
  }

  /** Whether both connections are opened from here. */
  get isReachable(): boolean {
    return MESSAGE_CLASSES.every((name) => this.#lanes[name].opened?.isOpen === true);
  }

  get hasConnection(): boolean {
    return this.#connections().length > 0;
  }

  /** Whether the process at the other end gave a sign of life lately. */
  get isLive(): boolean {
    return this.#connections().some((it) => it.isLive);
  }

  /** Keeps connections to this endpoint; `undefined` no longer keeps any up. */
  setEndpoint(endpoint: string | undefined): void {
    if (endpoint === this.#endpoint) return;
    const wasPeer = this.isPeer;
    this.#endpoint = endpoint;
    for (const name of MESSAGE_CLASSES) {
      const lane = this.#lanes[name];
      lane.dialLoop?.stop();
      lane.dialLoop = undefined;
      if (endpoint === undefined) {
        lane.opened?.end('no longer a peer');
        continue;
      }
      const target = { endpoint, member: this.id, trafficClass: name };
      lane.dialLoop = new DialLoop(this.#context, target, (opened) => this.open(name, opened));
      if (lane.opened === undefined) lane.dialLoop.start();
      else if (wasPeer) lane.opened.end('the endpoint changed');
    }
  }

  /** Takes note of the process at the other end; connections of an earlier one are closed. */
  meet(process: PeerIdentity): void {
    if (this.#identity !== undefined && this.#identity.epoch !== process.epoch) {
      this.#asked.clear();
      this.#watch.processChanged();
      this.destroy('another process took its place');
    }
    this.#identity = process;
  }

  /** Takes over a connection opened here. */
  open(name: MessageClass, { connection, sender, validToMs }: Opened): void {
    this.meet(sender);
    const lane = this.#lanes[name];
    lane.opened?.destroy('replaced by a newer connection');
    lane.opened = connection;
    lane.openedValidToMs = validToMs;
    this.#establish(name, connection);
    const former = lane.accepted;
    if (former !== undefined && !former.isTaken) {
      connection.hold();
      former.ping();
    }
    if (lane.hasLostAppend) this.#lose(lane);
    if (name === 'management') this.#reportConnected();
  }

  /** Takes over a connection opened there. */
  accept(name: MessageClass, { connection, validToMs }: Opened): void {
    const lane = this.#lanes[name];
    lane.accepted?.destroy('replaced by a newer connection');
    lane.accepted = connection;
    lane.acceptedValidToMs = validToMs;
    this.#establish(name, connection);
    // It is there again: no need to wait for the end of a long pause.
    lane.dialLoop?.hurry();
    if (name === 'management') this.#reportConnected();
  }

  send(message: PeerMessage): void {
    this.#resident.answered(message);
    const questions = QUESTIONS[message.kind];
    if (questions !== undefined && !questions.some((kind) => this.#asked.has(kind))) {
      this.#context.count('droppedEarlierProcess');
      return;
    }
    const name = classOfMessage(message.kind);
    const lane = this.#lanes[name];
    const connection = lane.opened ?? lane.accepted;
    if (connection === undefined || !connection.isOpen) {
      this.#context.count('droppedUnconnected');
      if (message.kind === 'append') lane.hasLostAppend = true;
      return;
    }
    if (this.#isFull(name, connection)) return;
    if (!this.#write(name, connection, message)) return;
    if (message.kind === 'append') this.#watch.sent(message, connection.framedBytes);
  }

  /** The member has taken a snapshot from here and answers no append until it has installed it. */
  snapshotTaken(): void {
    this.#watch.snapshotTaken(this.#context.timing.snapshotMs);
  }

  /** A snapshot of the member has arrived outside of the message connections. */
  sawSnapshot(): void {
    this.#asked.add('snapshot');
  }

  /** Introduces this process again, because something about it has changed. */
  announce(own: PeerIdentity): void {
    const { opened, accepted } = this.#lanes.management;
    const hello = ownHello({ trafficClass: 'management', sender: own, addressee: this.id });
    for (const connection of [opened, accepted]) {
      connection?.write(FRAME_KIND.hello, (writer) => writeHello(writer, hello));
    }
  }

  /**
   * Closes what rests on former credentials as soon as it is empty; whoever opened it opens it
   * anew. What the other end has queued for one of its own is lost, as when a connection breaks.
   */
  renew(): void {
    for (const name of MESSAGE_CLASSES) {
      const { opened, accepted } = this.#lanes[name];
      opened?.end('credentials changed');
      accepted?.end('credentials changed');
    }
  }

  sweep(elapsedMs: number, nowMs: number): void {
    for (const connection of this.#connections()) connection.sweep(elapsedMs);
    const { opened, accepted } = this.#lanes.replication;
    const connection = opened ?? accepted;
    if (connection !== undefined && this.#watch.sweep(elapsedMs, connection.creditedBytes)) {
      this.#context.count('stalled');
      connection.destroy('stalled: appends are neither answered nor read');
    }
    for (const name of MESSAGE_CLASSES) {
      const lane = this.#lanes[name];
      if (nowMs >= lane.openedValidToMs) lane.opened?.destroy('a certificate expired');
      if (nowMs >= lane.acceptedValidToMs) lane.accepted?.destroy('a certificate expired');
    }
  }

  destroy(reason: string): void {
    for (const connection of this.#connections()) connection.destroy(reason);
  }

  /** Tells the process at the other end why it is not wanted and closes all connections. */
  refuse(reason: string): void {
    if (!this.#connections().some((it) => it.isOpen)) return;
    this.#refused(reason);
    for (const name of MESSAGE_CLASSES) {
      const { opened, accepted } = this.#lanes[name];
      for (const connection of [opened, accepted]) {
        connection?.write(FRAME_KIND.refusal, (writer) => writeRefusal(writer, reason));
        connection?.end(reason);
      }
    }
  }

  /** Closes everything for good. */
  stop(): void {
    for (const name of MESSAGE_CLASSES) this.#lanes[name].dialLoop?.stop();
    this.#endpoint = undefined;
    this.destroy('closed');
  }

  /** What is queued, by class. */
  *queues(): Iterable<
    readonly [MessageClass, { readonly messages: number; readonly bytes: number }]
  > {
    for (const name of MESSAGE_CLASSES) {
      const { opened, accepted } = this.#lanes[name];
      const both = [opened, accepted].filter((it) => it !== undefined);
      const messages = both.reduce((sum, it) => sum + it.queuedMessages, 0);
      yield [name, { messages, bytes: both.reduce((sum, it) => sum + it.queuedBytes, 0) }];
    }
  }

  #connections(): Connection[] {
    return MESSAGE_CLASSES.flatMap((name) => {
      const { opened, accepted } = this.#lanes[name];
      return [opened, accepted].filter((it) => it !== undefined);
    });
  }

  #establish(name: MessageClass, connection: Connection): void {
    connection.establish(name, {
      frame: (frame) => this.#take(name, connection, frame),
      closed: (reason) => this.#closed(name, connection, reason),
      credited: () => this.#credited(name, connection),
    });
    connection.resume();
  }

  #take(name: MessageClass, connection: Connection, frame: Frame): void {
    if (frame.kind === FRAME_KIND.message) {
      this.#receive(name, connection, readMessage(new WireReader(frame.body)));
    } else if (frame.kind === FRAME_KIND.hello) {
      const { levels } = this.#context.identity();
      this.#reintroduced(connection, readHello(frame.body, levels));
    } else if (frame.kind === FRAME_KIND.refusal) {
      this.#refused(readRefusal(frame.body));
      connection.destroy('refused by the other end');
    } else {
      throw new MalformedFrameError(`unexpected frame kind ${frame.kind}`);
    }
  }

  #receive(name: MessageClass, connection: Connection, message: PeerMessage): void {
    if (classOfMessage(message.kind) !== name) {
      throw new MalformedFrameError(`${message.kind} on a ${name} connection`);
    }
    this.#asked.add(message.kind);
    this.#watch.received(message);
    if (message.kind === 'append') this.#resident.received(connection, message);
    this.#context.receiver.message(this.id, message, this.#identity?.clusterUid);
  }

  #reintroduced(connection: Connection, hello: Hello): void {
    const { sender } = hello;
    const own = this.#context.identity();
    const isSame = sender.storeId === this.id.storeId && sender.epoch === this.#identity?.epoch;
    if (!isSame) throw new MalformedFrameError('a connection changed its process');
    const reason = refusalOf(
      { ...hello, addressee: undefined },
      { own, member: this.id, certifiedNodeId: undefined },
    );
    this.#identity = sender;
    if (reason === undefined) {
      this.#reportConnected();
      return;
    }
    this.#refused(reason);
    connection.destroy('refused');
    this.destroy('refused');
  }

  #refused(reason: string): void {
    this.#context.count('refused');
    this.#context.receiver.refused(this.#identity ?? this.id, reason);
  }

  #closed(name: MessageClass, connection: Connection, reason: string): void {
    const lane = this.#lanes[name];
    if (reason.startsWith('malformed')) this.#context.count('malformed');
    this.#resident.closed(connection);
    const wasUsed = connection === (lane.opened ?? lane.accepted);
    if (connection === lane.accepted) lane.accepted = undefined;
    if (connection === lane.opened) {
      lane.opened = undefined;
      lane.dialLoop?.restart();
    }
    if (lane.accepted?.isTaken !== false) lane.opened?.release();
    if (name !== 'replication') return;
    // Answers come over the connection that was opened there: without it none may arrive.
    if (wasUsed || this.#watch.isOutstanding) this.#lose(lane);
  }

  #credited(name: MessageClass, connection: Connection): void {
    const lane = this.#lanes[name];
    if (connection !== lane.accepted || lane.opened === undefined) return;
    if (connection.isTaken) lane.opened.release();
  }

  #lose(lane: Lane): void {
    lane.hasLostAppend = false;
    this.#watch.reset();
    this.#context.receiver.unreachable(this.id);
  }

  /** Whether the message has an encoding; one that has none must not stop whoever sends it. */
  #write(name: MessageClass, connection: Connection, message: PeerMessage): boolean {
    try {
      connection.write(FRAME_KIND.message, (writer) => writeMessage(writer, message));
      return true;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#context.count('droppedUnsendable');
      // A stream with a gap is no stream: its sender hears of the loss.
      if (name === 'replication') connection.destroy(`unsendable: ${error.message}`);
      return false;
    }
  }

  #isFull(name: MessageClass, connection: Connection): boolean {
    const { limits } = this.#context;
    const isReplication = name === 'replication';
    const bytesMax = isReplication ? limits.replicationBytesMax : limits.managementBytesMax;
    const messagesMax = isReplication
      ? limits.replicationMessagesMax
      : limits.managementMessagesMax;
    if (connection.queuedBytes < bytesMax && connection.queuedMessages < messagesMax) return false;
    this.#context.count('droppedQueueFull');
    if (isReplication) connection.destroy('its queue is full');
    return true;
  }

  #reportConnected(): void {
    if (this.#identity !== undefined) this.#context.receiver.connected(this.#identity);
  }
}
