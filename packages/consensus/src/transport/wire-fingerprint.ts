/**
 * Names the shapes of everything that members send each other: half the SHA-256 of one frame of each
 * kind. Feature levels have not changed any of them so far, so it is the same at all levels. Builds
 * that differ in it do not understand each other, whatever levels they claim to support.
 */
export const WIRE_FINGERPRINT = '1c41be4104e80ac71dcf906403982a17';
