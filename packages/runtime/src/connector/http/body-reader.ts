import type { IncomingMessage } from 'node:http';

/** Bytes of bodies that are still incomplete, under one bound for all connections. */
export class BodyBudget {
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** @returns false, taking nothing, when the bound would be passed */
  take(bytes: number): boolean {
    if (this.#usedBytes + bytes > this.#maxBytes) return false;
    this.#usedBytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#usedBytes -= bytes;
  }
}

export interface BodyReading {
  readonly maxBytes: number;
  readonly budget: BodyBudget;
  /** The body is complete. */
  complete(body: Uint8Array): void;
  /** The body is given up; what follows of it is discarded, and too much of that cuts it off. */
  refused(reason: 'too_large' | 'overloaded'): void;
}

const NO_BODY = new Uint8Array(0);

/**
 * Collects a request's body. A body that came in one piece is passed on as it is; a connection that
 * breaks before the end calls nothing.
 */
export function readBody(request: IncomingMessage, reading: BodyReading): void {
  let first: Buffer | undefined;
  let others: Buffer[] | undefined;
  let size = 0;
  let isOver = false;
  const finish = (): void => {
    isOver = true;
    reading.budget.give(size);
  };
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    if (isOver) {
      discarded += chunk.length;
      if (discarded > reading.maxBytes) request.destroy();
      return;
    }
    const isTooLarge = size + chunk.length > reading.maxBytes;
    if (isTooLarge || !reading.budget.take(chunk.length)) {
      finish();
      first = undefined;
      others = undefined;
      reading.refused(isTooLarge ? 'too_large' : 'overloaded');
      return;
    }
    size += chunk.length;
    if (first === undefined) first = chunk;
    else if (others === undefined) others = [first, chunk];
    else others.push(chunk);
  });
  request.on('end', () => {
    if (isOver) return;
    finish();
    reading.complete(others === undefined ? (first ?? NO_BODY) : Buffer.concat(others, size));
  });
  request.on('close', () => {
    if (!isOver) finish();
  });
}
