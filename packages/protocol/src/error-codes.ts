/** Category of an error: who can do something about it. */
export type ErrorCategory = 'request' | 'conflict' | 'permission' | 'capacity' | 'failure';

/** Stable code of a refused or failed request. */
export type ErrorCode =
  | 'PARSE_FAILED'
  | 'REQUEST_SHAPE'
  | 'INVALID_REQUEST'
  | 'UNSUPPORTED_REQUEST'
  | 'UNSUPPORTED_VALUE'
  | 'UNSUPPORTED_LEVEL'
  | 'DUPLICATE_REQUEST_ID'
  | 'TOO_MANY_REQUESTS_IN_FLIGHT'
  | 'REPLY_TOO_LARGE'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'NO_DOMAIN_SELECTED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'IN_USE'
  | 'INVALID_MODEL'
  | 'NOT_QUEUEABLE'
  | 'TRANSACTION_STATE'
  | 'UNSUPPORTED_CAPABILITY'
  | 'SECRET_UNAVAILABLE'
  | 'POSITION_CHANGED'
  | 'EXECUTION_REFERENCE_CONFLICT'
  | 'EXECUTION_REFERENCE_EXPIRED'
  | 'INPUTS_CHANGED'
  | 'PREVIEW_STALE'
  | 'TRANSACTION_DETACHED'
  | 'TRANSACTION_TAKEN_OVER'
  | 'DOMAIN_BUSY'
  | 'NO_ATTACHED_TRANSACTION'
  | 'TRANSACTION_NOT_FOUND'
  | 'NOT_OWNER'
  | 'REPORT_UNAVAILABLE'
  | 'OPERATION_NOT_FOUND'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'LIMIT_REACHED'
  | 'PAYLOAD_TOO_LARGE'
  | 'HEADERS_TOO_LARGE'
  | 'INVALID_STREAM'
  | 'SIZE_MISMATCH'
  | 'RESOURCE_NOT_DECLARED'
  | 'DIGEST_CONFLICT'
  | 'QUOTA_EXCEEDED'
  | 'INSTALLATION_FAILED'
  | 'SERVER_BUSY'
  | 'HISTORY_FULL'
  | 'OUTCOME_UNKNOWN'
  | 'QUIESCE_FAILED'
  | 'ACTIVATION_FAILED'
  | 'STORAGE_FAILED'
  | 'INTERNAL';

export interface ErrorCodeFacts {
  /** HTTP status of an answer with this code. */
  readonly httpStatus: number;
  readonly category: ErrorCategory;
}

/** Every error code with its HTTP status and category. */
export const ERROR_CODES: Readonly<Record<ErrorCode, ErrorCodeFacts>> = {
  PARSE_FAILED: { httpStatus: 422, category: 'request' },
  REQUEST_SHAPE: { httpStatus: 400, category: 'request' },
  INVALID_REQUEST: { httpStatus: 400, category: 'request' },
  UNSUPPORTED_REQUEST: { httpStatus: 501, category: 'request' },
  UNSUPPORTED_VALUE: { httpStatus: 400, category: 'request' },
  UNSUPPORTED_LEVEL: { httpStatus: 400, category: 'request' },
  DUPLICATE_REQUEST_ID: { httpStatus: 400, category: 'request' },
  TOO_MANY_REQUESTS_IN_FLIGHT: { httpStatus: 429, category: 'capacity' },
  REPLY_TOO_LARGE: { httpStatus: 413, category: 'capacity' },
  METHOD_NOT_ALLOWED: { httpStatus: 405, category: 'request' },
  REQUEST_TIMEOUT: { httpStatus: 408, category: 'request' },
  UNSUPPORTED_MEDIA_TYPE: { httpStatus: 415, category: 'request' },
  NO_DOMAIN_SELECTED: { httpStatus: 422, category: 'request' },
  NOT_FOUND: { httpStatus: 404, category: 'request' },
  ALREADY_EXISTS: { httpStatus: 422, category: 'request' },
  IN_USE: { httpStatus: 422, category: 'request' },
  INVALID_MODEL: { httpStatus: 422, category: 'request' },
  NOT_QUEUEABLE: { httpStatus: 422, category: 'request' },
  TRANSACTION_STATE: { httpStatus: 422, category: 'request' },
  UNSUPPORTED_CAPABILITY: { httpStatus: 422, category: 'request' },
  SECRET_UNAVAILABLE: { httpStatus: 422, category: 'request' },
  POSITION_CHANGED: { httpStatus: 409, category: 'conflict' },
  EXECUTION_REFERENCE_CONFLICT: { httpStatus: 409, category: 'conflict' },
  EXECUTION_REFERENCE_EXPIRED: { httpStatus: 410, category: 'conflict' },
  INPUTS_CHANGED: { httpStatus: 409, category: 'conflict' },
  PREVIEW_STALE: { httpStatus: 412, category: 'conflict' },
  TRANSACTION_DETACHED: { httpStatus: 409, category: 'conflict' },
  TRANSACTION_TAKEN_OVER: { httpStatus: 409, category: 'conflict' },
  DOMAIN_BUSY: { httpStatus: 409, category: 'conflict' },
  NO_ATTACHED_TRANSACTION: { httpStatus: 422, category: 'request' },
  TRANSACTION_NOT_FOUND: { httpStatus: 404, category: 'request' },
  NOT_OWNER: { httpStatus: 403, category: 'permission' },
  REPORT_UNAVAILABLE: { httpStatus: 422, category: 'request' },
  OPERATION_NOT_FOUND: { httpStatus: 404, category: 'request' },
  UNAUTHENTICATED: { httpStatus: 401, category: 'permission' },
  PERMISSION_DENIED: { httpStatus: 403, category: 'permission' },
  LIMIT_REACHED: { httpStatus: 422, category: 'capacity' },
  PAYLOAD_TOO_LARGE: { httpStatus: 413, category: 'capacity' },
  HEADERS_TOO_LARGE: { httpStatus: 431, category: 'capacity' },
  INVALID_STREAM: { httpStatus: 422, category: 'request' },
  SIZE_MISMATCH: { httpStatus: 400, category: 'request' },
  RESOURCE_NOT_DECLARED: { httpStatus: 404, category: 'request' },
  DIGEST_CONFLICT: { httpStatus: 409, category: 'conflict' },
  QUOTA_EXCEEDED: { httpStatus: 413, category: 'capacity' },
  INSTALLATION_FAILED: { httpStatus: 422, category: 'failure' },
  SERVER_BUSY: { httpStatus: 503, category: 'capacity' },
  HISTORY_FULL: { httpStatus: 503, category: 'capacity' },
  OUTCOME_UNKNOWN: { httpStatus: 202, category: 'failure' },
  QUIESCE_FAILED: { httpStatus: 422, category: 'failure' },
  ACTIVATION_FAILED: { httpStatus: 422, category: 'failure' },
  STORAGE_FAILED: { httpStatus: 503, category: 'failure' },
  INTERNAL: { httpStatus: 500, category: 'failure' },
};
