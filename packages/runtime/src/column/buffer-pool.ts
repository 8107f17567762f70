/** Buffers below are made anew each time: the host is quick with them. */
const POOLED_BYTES_MIN = 4096;
/** What lies ready at most. */
const READY_BYTES_MAX = 64 * 1024 * 1024;
const READY_BUFFERS_MAX = 64;

/** A buffer that can leave its views behind; hosts before ECMAScript 2024 have none. */
type MovableBuffer = ArrayBuffer & { readonly transfer?: () => ArrayBuffer };

/** Buffers made here, which nobody else can have views of but by the columns that they are in. */
const made = new WeakSet<ArrayBufferLike>();
/** Buffers that were given back, the oldest first. */
const ready: ArrayBuffer[] = [];
let readyBytes = 0;

/** A buffer of at least so many bytes, of any content. */
export function newBuffer(size: number): ArrayBuffer {
  if (size < POOLED_BYTES_MIN) return new ArrayBuffer(size);
  return takeReady(size) ?? owned(unclearedBuffer(size));
}

/** A buffer of at least so many bytes, all zero. */
export function newClearBuffer(size: number): ArrayBuffer {
  if (size < POOLED_BYTES_MIN) return new ArrayBuffer(size);
  const found = takeReady(size);
  if (found === undefined) return owned(new ArrayBuffer(size));
  new Uint8Array(found).fill(0);
  return found;
}

/**
 * Takes a buffer back for those to come, if it was made here and nobody kept it. All views of it are
 * empty from then on.
 */
export function giveBack(buffer: ArrayBufferLike): void {
  if (!made.delete(buffer)) return;
  const moved = (buffer as MovableBuffer).transfer?.();
  if (moved === undefined) return;
  ready.push(owned(moved));
  readyBytes += moved.byteLength;
  while (readyBytes > READY_BYTES_MAX || ready.length > READY_BUFFERS_MAX) {
    readyBytes -= ready.shift()?.byteLength ?? 0;
  }
}

/** Keeps a buffer from ever being taken back. */
export function keepBuffer(buffer: ArrayBufferLike): void {
  made.delete(buffer);
}

function owned(buffer: ArrayBuffer): ArrayBuffer {
  made.add(buffer);
  return buffer;
}

/** The smallest buffer that is large enough, unless most of it would lie idle. */
function takeReady(size: number): ArrayBuffer | undefined {
  let best = -1;
  let bestBytes = size * 2 + 1;
  for (let index = 0; index < ready.length; index += 1) {
    const { byteLength } = ready[index] as ArrayBuffer;
    if (byteLength >= size && byteLength < bestBytes) {
      best = index;
      bestBytes = byteLength;
    }
  }
  if (best < 0) return undefined;
  const [found] = ready.splice(best, 1);
  readyBytes -= bestBytes;
  return found;
}

/** Content of any kind where the host can make it without clearing it first. */
function unclearedBuffer(size: number): ArrayBuffer {
  if (typeof Buffer !== 'function') return new ArrayBuffer(size);
  return Buffer.allocUnsafeSlow(size).buffer;
}
