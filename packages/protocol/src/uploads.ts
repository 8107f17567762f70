/** Answer of `PUT /api/v1/domains/{d}/resources/{r}/uploads/{id}`. */
export interface ResourceInstalled {
  readonly upload_identity: string;
  readonly version: number;
  /** `Recovered` when an earlier upload with this identity already had this outcome. */
  readonly origin: 'Executed' | 'Recovered';
  readonly message: string;
}

/** What an upload identity may be: 1 to 128 letters, digits, dots, underscores and dashes. */
export const UPLOAD_IDENTITY: RegExp = /^[A-Za-z0-9._-]{1,128}$/;
