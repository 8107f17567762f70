import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { FIRST_LEVELS } from '../../src/raft/feature-levels.ts';
import { FRAME_KIND, type FrameKind, writeFrame } from '../../src/transport/frame.ts';
import { FrameReader } from '../../src/transport/frame-reader.ts';
import { type Hello, ownHello, writeHello } from '../../src/transport/hello.ts';
import type { PeerIdentity } from '../../src/transport/transport.ts';
import { WireWriter } from '../../src/transport/wire-writer.ts';
import { newId } from './transport-fixture.ts';

const BYTES_MAX = 4 * 1_024 * 1_024;

/** The other end of a connection, written by hand so that it can misbehave. */
export class RawPeer {
  readonly socket: Socket;
  readonly frames: { readonly kind: number; readonly body: Uint8Array }[] = [];
  isClosed = false;
  readonly #reader = new FrameReader(BYTES_MAX);

  constructor(endpoint: string) {
    const at = endpoint.lastIndexOf(':');
    this.socket = connect(Number(endpoint.slice(at + 1)), endpoint.slice(0, at));
    onTestFinished(() => void this.socket.destroy());
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.isClosed = true;
    });
    this.socket.on('data', (chunk: Buffer) => {
      this.#reader.push(chunk);
      for (let it = this.#reader.next(); it !== undefined; it = this.#reader.next()) {
        this.frames.push({ kind: it.kind, body: new Uint8Array(it.body) });
      }
    });
  }

  /** Frames of one kind that have arrived. */
  of(kind: FrameKind): Uint8Array[] {
    return this.frames.filter((it) => it.kind === kind).map((it) => it.body);
  }

  send(kind: FrameKind, writeBody: (writer: WireWriter) => void = () => undefined): void {
    const writer = new WireWriter();
    writeFrame(writer, kind, BYTES_MAX, writeBody);
    for (const piece of writer.take()) this.socket.write(piece);
  }

  /** Introduces itself, with bytes behind that say more. */
  hello(
    identity: Partial<PeerIdentity> = {},
    hello: Partial<Hello> = {},
    more: Uint8Array = new Uint8Array(0),
  ): void {
    const sender: PeerIdentity = {
      clusterId: 'test',
      clusterUid: undefined,
      nodeId: 'raw',
      storeId: newId(),
      epoch: newId(),
      incarnation: 1n,
      endpoint: '127.0.0.1:1',
      levels: FIRST_LEVELS,
      level: undefined,
      ...identity,
    };
    this.send(FRAME_KIND.hello, (writer) => {
      writeHello(writer, {
        ...ownHello({ trafficClass: 'management', addressee: undefined, sender }),
        ...hello,
      });
      writer.bytes(more);
    });
  }
}
