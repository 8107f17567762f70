/** Why a payload could not be decoded. */
export interface DecodeFailure {
  readonly message: string;
  /** The same for logs, when the message quotes what only the payload says. */
  readonly logged?: string;
  /** The field at fault, when the fault lies in one. */
  readonly field?: string;
}

/** Why a row could not be encoded. */
export interface EncodeFailure {
  readonly kind: 'encode_failure';
  readonly message: string;
  readonly field?: string;
}
