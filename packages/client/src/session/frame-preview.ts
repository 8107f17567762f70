import type { PreviewIdentity } from '@nervix/protocol';
import type { FramePreview } from '@nervix/protocol/session';

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(hex: string): Uint8Array {
  const pairs = hex.match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/** A preview as the HTTP API spells it: its fingerprint in lower-case hexadecimal digits. */
export function previewOf(frame: FramePreview): PreviewIdentity {
  return {
    transaction_id: frame.transaction_id,
    position: Number(frame.position),
    planning_basis: hexOf(frame.planning_basis),
  };
}

/** A preview as frames spell it: its fingerprint as bytes. */
export function framePreviewOf(preview: PreviewIdentity): FramePreview {
  return {
    transaction_id: preview.transaction_id,
    position: BigInt(preview.position),
    planning_basis: bytesOf(preview.planning_basis),
  };
}
