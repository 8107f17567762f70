/** Bounds of what one session may be made to read; both sides keep the same ones. */
export interface FrameLimits {
  /** Bytes of one frame. */
  readonly frameBytes: number;
  /** Bytes of one reply that came in parts. */
  readonly transferBytes: number;
  /** Maps and lists inside each other. */
  readonly nesting: number;
  /** Entries of one map or list. */
  readonly entries: number;
  /** UTF-8 bytes of one text. */
  readonly stringBytes: number;
}

const KIB = 1_024;
const MIB = 1_048_576;

export const DEFAULT_FRAME_LIMITS: FrameLimits = {
  frameBytes: 4 * MIB,
  transferBytes: 64 * MIB,
  nesting: 64,
  entries: 262_144,
  stringBytes: 64 * MIB,
};

/** Requests of one session that may wait for their reply at once. */
export const REQUESTS_IN_FLIGHT_MAX = 64;

/** Frames that each outbound lane of a session holds. */
export const LANE_FRAMES_MAX = 16;

/** Name of the WebSocket subprotocol. */
export const SESSION_SUBPROTOCOL = 'nervix.msgpack';

/** Newest level of features that this release speaks. */
export const FEATURE_LEVEL = 1;

/**
 * What is wrong with configured limits, or undefined.
 *
 * @param limits bounds that both sides of a session are given
 */
export function frameLimitsDefect(limits: FrameLimits): string | undefined {
  const { frameBytes, transferBytes, nesting, entries, stringBytes } = limits;
  if (!isWithin(frameBytes, KIB, 256 * MIB)) {
    return 'the frame limit must be from 1 KiB to 256 MiB';
  }
  if (!isWithin(transferBytes, frameBytes, Number.MAX_SAFE_INTEGER)) {
    return 'the transfer limit must be at least the frame limit';
  }
  if (!isWithin(nesting, 16, 128)) return 'the nesting limit must be from 16 to 128';
  if (!isWithin(entries, 1, 2 ** 32 - 1)) return 'the entry limit must be from 1 to 4294967295';
  if (!isWithin(stringBytes, 1, transferBytes)) {
    return 'the string limit must be at most the transfer limit';
  }
  return undefined;
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}
