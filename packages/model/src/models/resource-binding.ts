/** A resource pinned to a version. */
export interface ResourceBinding {
  readonly resource: string;
  /** Decimal version number, or LATEST until it is resolved. */
  readonly version: string;
}
