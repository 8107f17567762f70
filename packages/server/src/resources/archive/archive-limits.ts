/** How large a resource may be. */
export interface ArchiveLimits {
  /** Bytes of the archive as it is sent. */
  readonly archiveBytesMax: number;
  /** Bytes of all its files together. */
  readonly extractedBytesMax: number;
  /** Files and directories together, those that only paths imply included. */
  readonly entriesMax: number;
}
