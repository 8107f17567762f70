/** A command of the simulated application: one operation on one of few registers. */
export interface Command {
  readonly kind: 'put' | 'compareAndSet' | 'increment';
  readonly key: number;
  /** Unique in a run; names the command in payloads. */
  readonly operation: number;
  readonly value: number;
  readonly expected: number;
}

const KINDS: readonly Command['kind'][] = ['put', 'compareAndSet', 'increment'];
const COMMAND_BYTES = 14;

/** The command as payload of an entry. */
export function encodeCommand(command: Command): Uint8Array {
  const bytes = new Uint8Array(COMMAND_BYTES);
  bytes[0] = KINDS.indexOf(command.kind);
  bytes[1] = command.key;
  putWord(bytes, 2, command.operation);
  putWord(bytes, 6, command.value);
  putWord(bytes, 10, command.expected);
  return bytes;
}

/** Inverse of {@link encodeCommand}. */
export function decodeCommand(bytes: Uint8Array): Command {
  return {
    kind: KINDS[bytes[0] ?? 0] ?? 'put',
    key: bytes[1] ?? 0,
    operation: wordAt(bytes, 2),
    value: wordAt(bytes, 6),
    expected: wordAt(bytes, 10),
  };
}

/** Writes an unsigned 32-bit number, most significant byte first. */
export function putWord(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

/** Inverse of {@link putWord}. */
export function wordAt(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16);
  return (high | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0;
}
