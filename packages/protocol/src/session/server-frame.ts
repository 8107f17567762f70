import { type ServerBody, serverBody } from './bodies/server-body.js';
import type { FrameLimits } from './frame-limits.js';
import { pack, unpack } from './messagepack/message-pack.js';
import { scan } from './messagepack/scan.js';
import { type RecordShape, record, ShapeFault } from './shape/shape.js';

/** One message of a server. */
export interface ServerFrame {
  readonly body: ServerBody;
}

export type ServerFrameReading =
  | { readonly kind: 'frame'; readonly frame: ServerFrame }
  /** A violation of the protocol: the session is to end. */
  | { readonly kind: 'invalid'; readonly message: string };

export const serverFrame: RecordShape<ServerFrame> = record<ServerFrame>({ body: serverBody });

/**
 * Encodes a frame of a server.
 *
 * @throws TypeError when it is none
 */
export function encodeServerFrame(frame: ServerFrame): Uint8Array<ArrayBuffer> {
  const checked = serverFrame.read(frame, { mapEntries: 0 });
  if (checked instanceof ShapeFault) {
    throw new TypeError(`server frame: ${checked.field} ${checked.message}`);
  }
  return pack(checked);
}

/** Reads a frame of a server; every bound holds before anything is built. */
export function readServerFrame(bytes: Uint8Array, limits: FrameLimits): ServerFrameReading {
  return readBounded(bytes, limits, limits.frameBytes);
}

/** Reads a reply that was joined from its parts. */
export function readJoinedFrame(bytes: Uint8Array, limits: FrameLimits): ServerFrameReading {
  return readBounded(bytes, limits, limits.transferBytes);
}

function readBounded(bytes: Uint8Array, limits: FrameLimits, bytesMax: number): ServerFrameReading {
  if (bytes.length > bytesMax) return invalid(`the frame is longer than ${bytesMax} bytes`);
  const scanned = scan(bytes, limits);
  if (scanned.kind === 'malformed') return invalid(scanned.message);
  const walk = { mapEntries: 0 };
  const frame = serverFrame.read(unpack(bytes), walk);
  if (frame instanceof ShapeFault) return invalid(`${frame.field} ${frame.message}`);
  if (walk.mapEntries !== scanned.mapEntries) return invalid('a map holds a key twice');
  return { kind: 'frame', frame };
}

function invalid(message: string): ServerFrameReading {
  return { kind: 'invalid', message };
}
