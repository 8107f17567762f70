import { DEFAULT_FRAME_LIMITS, type FrameLimits } from '@nervix/protocol/session';
import type { ServerOptions } from './server-options.js';

/** What the settings of a node come to for the frames of sessions. */
export function sessionLimits({
  sessionFrameLimit: frameBytes,
  sessionTransferLimit: transferBytes,
}: Pick<ServerOptions, 'sessionFrameLimit' | 'sessionTransferLimit'>): FrameLimits {
  const stringBytes = Math.min(DEFAULT_FRAME_LIMITS.stringBytes, transferBytes);
  return { ...DEFAULT_FRAME_LIMITS, frameBytes, transferBytes, stringBytes };
}
