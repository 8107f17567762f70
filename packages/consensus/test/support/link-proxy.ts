import { connect, createServer, type Server, type Socket } from 'node:net';

/** The two directions of a connection: from who opened it to who accepted it, and back. */
export type Direction = 'forward' | 'backward';

/** One connection through the proxy. */
interface Pair {
  readonly opener: Socket;
  readonly target: Socket;
}

interface Lane {
  isCut: boolean;
  delayMs: number;
  bytesPerSecond: number;
}

/** How much of a limited rate is passed on at once. */
const SLICE_MS = 10;

/**
 * A TCP proxy for one directed link: the other process is dialled through it. It passes bytes on
 * until it is told to lose, delay, slow down or break them, in each direction separately.
 */
export class LinkProxy {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #lanes: { readonly [D in Direction]: Lane } = {
    forward: { isCut: false, delayMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY },
    backward: { isCut: false, delayMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY },
  };
  #target: { readonly host: string; readonly port: number };
  #acceptsNew = true;
  #openings = 0;
  #changed = Promise.withResolvers<void>();

  private constructor(target: string) {
    this.#target = parse(target);
    this.#server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) =>
      this.#open(socket),
    );
  }

  /** Listens on loopback, on a free port unless told. `target` is `host:port`. */
  static async start(target: string, host = '127.0.0.1', port = 0): Promise<LinkProxy> {
    const proxy = new LinkProxy(target);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen({ host, port }, resolve);
    });
    return proxy;
  }

  /** Where the proxy is reached. */
  get endpoint(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy is closed');
    return `${address.address}:${address.port}`;
  }

  /** How many connections were opened so far. */
  get openings(): number {
    return this.#openings;
  }

  /** How many connections go through it now. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** Leads new connections to another process, for instance one that was restarted. */
  retarget(target: string): void {
    this.#target = parse(target);
  }

  /**
   * Lets bytes get nowhere, as a network that loses every packet does: connections stay open and
   * new ones get no answer. Without a direction both are cut.
   */
  cut(...directions: readonly Direction[]): void {
    for (const direction of directions.length > 0
      ? directions
      : (['forward', 'backward'] as const)) {
      this.#lanes[direction].isCut = true;
    }
    this.#wake();
  }

  /** Undoes {@link cut}, {@link delay} and {@link limit}: what waited arrives now. */
  heal(): void {
    for (const lane of Object.values(this.#lanes)) {
      lane.isCut = false;
      lane.delayMs = 0;
      lane.bytesPerSecond = Number.POSITIVE_INFINITY;
    }
    this.#acceptsNew = true;
    this.#wake();
  }

  /** Holds all bytes of a direction back for so long; their order stays. */
  delay(delayMs: number, ...directions: readonly Direction[]): void {
    for (const direction of directions.length > 0
      ? directions
      : (['forward', 'backward'] as const)) {
      this.#lanes[direction].delayMs = delayMs;
    }
  }

  /** Passes on at most so many bytes a second in a direction, for each connection. */
  limit(bytesPerSecond: number, ...directions: readonly Direction[]): void {
    for (const direction of directions.length > 0
      ? directions
      : (['forward', 'backward'] as const)) {
      this.#lanes[direction].bytesPerSecond = bytesPerSecond;
    }
  }

  /** Breaks all connections with a reset; new ones are accepted. */
  reset(): void {
    for (const { opener, target } of this.#pairs) {
      opener.resetAndDestroy();
      target.resetAndDestroy();
    }
  }

  /** Breaks all connections and every new one until {@link heal}, as a process that is gone. */
  refuse(): void {
    this.#acceptsNew = false;
    this.reset();
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.heal();
    this.reset();
    await closed;
  }

  #open(opener: Socket): void {
    this.#openings += 1;
    opener.on('error', () => undefined);
    if (!this.#acceptsNew) {
      opener.resetAndDestroy();
      return;
    }
    const target = connect({ ...this.#target, allowHalfOpen: true });
    target.on('error', () => opener.resetAndDestroy());
    const pair = { opener, target };
    this.#pairs.add(pair);
    opener.setNoDelay(true);
    target.setNoDelay(true);
    for (const socket of [opener, target]) socket.on('close', () => this.#close(pair));
    void this.#pass(opener, target, this.#lanes.forward);
    void this.#pass(target, opener, this.#lanes.backward);
  }

  #close(pair: Pair): void {
    if (!this.#pairs.delete(pair)) return;
    // An abrupt end on one side is an abrupt end on the other, unless the way there is cut.
    const ends = [
      [pair.target, this.#lanes.forward],
      [pair.opener, this.#lanes.backward],
    ] as const;
    for (const [socket, lane] of ends) void this.#passable(lane).then(() => socket.destroy());
    this.#wake();
  }

  /** Resolves once the direction is not cut. */
  async #passable(lane: Lane): Promise<void> {
    while (lane.isCut) await this.#changed.promise;
  }

  async #pass(from: Socket, to: Socket, lane: Lane): Promise<void> {
    // Late bytes are queued with the time at which they are due, so a delay costs no throughput.
    const queue: { readonly chunk: Buffer; readonly dueAt: number }[] = [];
    let queuedBytes = 0;
    let isEnded = false;
    let wake = Promise.withResolvers<void>();
    const stir = (): void => {
      wake.resolve();
      wake = Promise.withResolvers<void>();
    };
    from.on('data', (chunk: Buffer) => {
      queue.push({ chunk, dueAt: performance.now() + lane.delayMs });
      queuedBytes += chunk.length;
      if (queuedBytes > 64 * 1_024) from.pause();
      stir();
    });
    from.on('end', () => {
      isEnded = true;
      stir();
    });
    from.on('close', stir);
    to.on('close', stir);
    from.resume();
    while (!to.destroyed) {
      const next = queue.shift();
      if (next === undefined) {
        if (isEnded || from.destroyed) break;
        await wake.promise;
        continue;
      }
      queuedBytes -= next.chunk.length;
      const waitMs = next.dueAt - performance.now();
      if (waitMs > 0) await pause(waitMs);
      await this.#write(to, next.chunk, lane);
      if (queuedBytes <= 64 * 1_024) from.resume();
    }
    if (isEnded && !to.destroyed) {
      await this.#passable(lane);
      to.end();
    }
  }

  async #write(to: Socket, chunk: Buffer, lane: Lane): Promise<void> {
    for (let offset = 0; offset < chunk.length && !to.destroyed; ) {
      await this.#passable(lane);
      const isLimited = Number.isFinite(lane.bytesPerSecond);
      const slice = isLimited ? Math.ceil((lane.bytesPerSecond * SLICE_MS) / 1_000) : chunk.length;
      const hasRoom = to.write(chunk.subarray(offset, offset + slice));
      offset += slice;
      if (isLimited) await pause(SLICE_MS);
      if (!hasRoom && !to.destroyed) await drained(to);
    }
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}

function parse(target: string): { readonly host: string; readonly port: number } {
  const at = target.lastIndexOf(':');
  return { host: target.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(target.slice(at + 1)) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
}
