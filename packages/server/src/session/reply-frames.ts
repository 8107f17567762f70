import {
  cutTransfer,
  encodeServerFrame,
  type FrameLimits,
  type ReplyBody,
} from '@nervix/protocol/session';
import { rejected } from './requests/rejection.js';
import { upperSnake } from './upper-snake.js';

/**
 * The frames of one reply, in order: one, or the parts of one that is larger.
 *
 * @param limits of what is sent
 */
export function replyFrames(
  requestId: bigint,
  body: ReplyBody,
  limits: FrameLimits,
): Iterable<Uint8Array> {
  const whole = encodeReply(requestId, body);
  if (whole.length <= limits.frameBytes) return [whole];
  if (whole.length <= limits.transferBytes) return cutTransfer(requestId, whole, limits);
  const message = `the reply is longer than ${limits.transferBytes} bytes`;
  return [encodeReply(requestId, rejected('ReplyTooLarge', message))];
}

function encodeReply(requestId: bigint, body: ReplyBody): Uint8Array {
  return encodeServerFrame({ body: { t: 'Reply', request_id: requestId, body } });
}

/** What a reply is counted as: a disposition or a rejection in upper snake case. */
export function replyResult(body: ReplyBody): string {
  switch (body.t) {
    case 'RequestRejected':
      return upperSnake(body.rejection);
    case 'CommandOutcome':
    case 'AttachOutcome':
    case 'SubscribeOutcome':
    case 'UnsubscribeOutcome': {
      const { disposition } = body;
      if (disposition.t === 'CommandCompleted') return 'COMPLETED';
      return disposition.t === 'RequestFailed' ? disposition.code : upperSnake(disposition.t);
    }
    case 'InspectionOutcome': {
      const { disposition } = body;
      return upperSnake(
        disposition.t === 'InspectionRejected' ? disposition.reason : disposition.t,
      );
    }
    case 'RequestCancelled':
      return `CANCELLED_${upperSnake(body.stage)}`;
    default:
      return 'COMPLETED';
  }
}
