/** Why an archive is not taken. */
export type ArchiveFaultKind =
  /** It is no archive, or holds what a resource may not hold. */
  | 'invalid_stream'
  /** It has more or fewer bytes than it was announced with. */
  | 'size_mismatch'
  /** It is larger than this node takes. */
  | 'quota_exceeded';

/**
 * An archive that is refused. The message names entries of the archive, never their content.
 */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault';
  readonly kind: ArchiveFaultKind;

  constructor(kind: ArchiveFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** An archive whose content or form is at fault. */
export function invalidStream(reason: string): ArchiveFault {
  return new ArchiveFault('invalid_stream', reason);
}
