import { rowTypeDocument } from './bodies/subscription-bodies.js';
import { grantFrame, requestFrame } from './client-frame.js';
import { FEATURE_LEVEL, SESSION_SUBPROTOCOL } from './frame-limits.js';
import { serverFrame } from './server-frame.js';
import type { ShapeDocument } from './shape/shape.js';

/** The published schema of the frames of sessions. */
export interface SessionSchema {
  readonly feature_level: number;
  readonly subprotocol: string;
  /** Frames of a client: a request, or credit. */
  readonly client: readonly ShapeDocument[];
  readonly server: ShapeDocument;
  /** Shapes that others refer to by name. */
  readonly named: Readonly<Record<string, ShapeDocument>>;
}

/** What the readers of both sides take, as one document. */
export const SESSION_SCHEMA: SessionSchema = {
  feature_level: FEATURE_LEVEL,
  subprotocol: SESSION_SUBPROTOCOL,
  client: [requestFrame.document, grantFrame.document],
  server: serverFrame.document,
  named: { RowType: rowTypeDocument },
};
