import { DEFAULT_FRAME_LIMITS, type FrameLimits } from '@nervix/protocol/session';

/**
 * Bounds of what is sent. Clients read with the default limits, whatever larger ones the server is
 * configured to read with.
 */
export function sentLimits(limits: FrameLimits): FrameLimits {
  return {
    ...limits,
    frameBytes: Math.min(limits.frameBytes, DEFAULT_FRAME_LIMITS.frameBytes),
    transferBytes: Math.min(limits.transferBytes, DEFAULT_FRAME_LIMITS.transferBytes),
  };
}
