import type { FrameLimits } from './frame-limits.js';
import { pack, unpack } from './messagepack/message-pack.js';
import { scan } from './messagepack/scan.js';
import {
  type ClientGrant,
  type ClientRequest,
  clientGrant,
  clientRequest,
} from './requests/client-request.js';
import { positiveU64 } from './shape/scalar-shapes.js';
import { isMap, type RecordShape, record, ShapeFault } from './shape/shape.js';

/** A request of a client; the id is not 0 and not used before in the session. */
export interface RequestFrame {
  readonly request_id: bigint;
  readonly request: ClientRequest;
}

/** Credit, which has no id and no reply. */
export interface GrantFrame {
  readonly request: ClientGrant;
}

/** One message of a client. */
export type ClientFrame = RequestFrame | GrantFrame;

export type ClientFrameReading =
  | { readonly kind: 'request'; readonly frame: RequestFrame }
  | { readonly kind: 'grant'; readonly grant: ClientGrant }
  /** Only the request is wrong: it is answered, and the session goes on. */
  | {
      readonly kind: 'rejected';
      readonly requestId: bigint;
      readonly field: string;
      readonly message: string;
    }
  /** Nobody can be answered. */
  | { readonly kind: 'unidentified'; readonly message: string }
  /** Not a frame. */
  | { readonly kind: 'invalid'; readonly message: string };

export const requestFrame: RecordShape<RequestFrame> = record<RequestFrame>({
  request_id: positiveU64,
  request: clientRequest,
});
export const grantFrame: RecordShape<GrantFrame> = record<GrantFrame>({ request: clientGrant });

/**
 * Encodes a frame of a client.
 *
 * @throws TypeError when it is none
 */
export function encodeClientFrame(frame: ClientFrame): Uint8Array<ArrayBuffer> {
  const walk = { mapEntries: 0 };
  const checked =
    'request_id' in frame ? requestFrame.read(frame, walk) : grantFrame.read(frame, walk);
  if (checked instanceof ShapeFault) {
    throw new TypeError(`client frame: ${checked.field} ${checked.message}`);
  }
  return pack(checked);
}

/** Reads a frame of a client, and tells whom a fault concerns: the request or the session. */
export function readClientFrame(bytes: Uint8Array, limits: FrameLimits): ClientFrameReading {
  if (bytes.length > limits.frameBytes) {
    return invalid(`the frame is longer than ${limits.frameBytes} bytes`);
  }
  const scanned = scan(bytes, limits);
  if (scanned.kind === 'malformed') return invalid(scanned.message);
  const value = unpack(bytes);
  if (!isMap(value)) return invalid('the frame is not a map');
  const stranger = Object.keys(value).find((name) => name !== 'request_id' && name !== 'request');
  if (stranger !== undefined) return invalid('the frame has an undeclared field');
  const request = value['request'];
  if (!isMap(request)) return invalid('the frame has no request');
  const tag = request['t'];
  if (typeof tag !== 'string') return invalid('the request has no tag');
  return clientGrant.tags.has(tag)
    ? readGrant(value, scanned.mapEntries)
    : readRequest(value, tag, scanned.mapEntries);
}

function readGrant(value: object, mapEntries: number): ClientFrameReading {
  const walk = { mapEntries: 0 };
  const frame = grantFrame.read(value, walk);
  // Nothing answers a grant: what is wrong with it ends the session.
  if (frame instanceof ShapeFault) return unidentified(`${frame.field} ${frame.message}`);
  if (walk.mapEntries !== mapEntries) return invalid('a map holds a key twice');
  return { kind: 'grant', grant: frame.request };
}

function readRequest(
  value: { readonly request_id?: unknown; readonly request?: unknown },
  tag: string,
  mapEntries: number,
): ClientFrameReading {
  if (!clientRequest.tags.has(tag)) return invalid('the request has an undeclared tag');
  const walk = { mapEntries: 2 };
  const requestId = positiveU64.read(value.request_id, walk);
  if (requestId instanceof ShapeFault) return unidentified('the request has no valid id');
  const request = clientRequest.read(value.request, walk);
  if (request instanceof ShapeFault) {
    const { field, message } = request;
    return { kind: 'rejected', requestId, field, message: `field '${field}' ${message}` };
  }
  if (walk.mapEntries !== mapEntries) return invalid('a map holds a key twice');
  return { kind: 'request', frame: { request_id: requestId, request } };
}

function unidentified(message: string): ClientFrameReading {
  return { kind: 'unidentified', message };
}

function invalid(message: string): ClientFrameReading {
  return { kind: 'invalid', message };
}
