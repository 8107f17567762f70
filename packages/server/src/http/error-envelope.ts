import { ERROR_CODES, type ErrorBody, type ErrorCode } from '@nervix/protocol';
import type { FastifyError, FastifyReply } from 'fastify';

/** The inside of an error answer. */
export type ErrorFacts = ErrorBody['error'];

/** What a request got wrong, as an answer. */
export interface Refusal {
  readonly status: number;
  readonly error: ErrorFacts;
}

/** What replies say, where it is not success. */
const failures = new WeakMap<FastifyReply, ErrorCode>();

/** The code of what a reply says; undefined for success. */
export function failureOf(reply: FastifyReply): ErrorCode | undefined {
  return failures.get(reply);
}

/** Notes that a reply, although it is no error answer, tells of no success. */
export function noteFailure(reply: FastifyReply, code: ErrorCode): FastifyReply {
  failures.set(reply, code);
  return reply;
}

/** Seconds after which a client may ask again. */
const RETRY_AFTER_S = '1';

/** Makes the answer of an error code, which decides the status. */
export function refusal(
  code: ErrorCode,
  message: string,
  extra: { readonly field?: string } = {},
): Refusal {
  return {
    status: ERROR_CODES[code].httpStatus,
    error: { code, message, ...extra, diagnostics: [] },
  };
}

/** The answer to a fault of the server, which tells nothing of it. */
export function internalFault(): Refusal {
  return refusal('INTERNAL', 'the server failed; its log has the cause');
}

/** Sends an error answer. */
export function sendRefusal(reply: FastifyReply, { status, error }: Refusal): FastifyReply {
  if (status === 503 || status === 202) reply.header('retry-after', RETRY_AFTER_S);
  const body: ErrorBody = { error };
  return noteFailure(reply, error.code).code(status).header('cache-control', 'no-store').send(body);
}

/** Sends the error that the control plane answered with. */
export function sendError(reply: FastifyReply, error: ErrorFacts): FastifyReply {
  return sendRefusal(reply, { status: ERROR_CODES[error.code].httpStatus, error });
}

/** Code of the error that a reader of bodies gives up with when the bytes are no text. */
export const BODY_NOT_UTF8 = 'BODY_NOT_UTF8';

/** The answer to an error of the HTTP framework; undefined when the fault is ours. */
export function frameworkRefusal(error: FastifyError, bodyBytesMax: number): Refusal | undefined {
  if (error.validation !== undefined) return validationRefusal(error);
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refusal('PAYLOAD_TOO_LARGE', `the body is larger than ${bodyBytesMax} bytes`);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
      return refusal('UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json or text/plain');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refusal('INVALID_REQUEST', 'the body does not have its declared length');
    case BODY_NOT_UTF8:
      return refusal('INVALID_REQUEST', 'the body is not valid UTF-8');
    case 'FST_ERR_BAD_URL':
      return refusal('INVALID_REQUEST', 'the path is not valid percent-encoding');
    default:
      // The parser's own message would quote the body.
      return error.statusCode === 400
        ? refusal('INVALID_REQUEST', 'the body is not valid JSON')
        : undefined;
  }
}

function validationRefusal({ validation = [], validationContext }: FastifyError): Refusal {
  const place = validationContext === 'querystring' ? 'parameter' : 'field';
  const [first] = validation;
  const missing = first?.params['missingProperty'];
  if (typeof missing === 'string') {
    return refusal('INVALID_REQUEST', `${place} '${missing}' is missing`, { field: missing });
  }
  const unknown = first?.params['additionalProperty'];
  if (typeof unknown === 'string') {
    return refusal('INVALID_REQUEST', `unknown ${place} '${unknown}'`, { field: unknown });
  }
  const field = first?.instancePath.slice(1) ?? '';
  const fault = first?.message ?? 'is not valid';
  if (field === '') return refusal('INVALID_REQUEST', `the body ${fault}`);
  return refusal('INVALID_REQUEST', `${place} '${field}' ${fault}`, { field });
}
