import type { CreateSubscriptionStatement } from '@nervix/model';
import { type ParsedStatement, parseScript } from '@nervix/nspl-parser';
import type { ErrorBody, ErrorCode } from '@nervix/protocol';
import type {
  ReplyBody,
  SubscribeOutcome,
  SubscribeRequest,
  UnsubscribeOutcome,
  UnsubscribeRequest,
} from '@nervix/protocol/session';
import { type CommandAdmission, WithdrawnError } from '../../control-plane/command-admission.js';
import { diagnosticsFrame } from '../frames/command-frame.js';
import { rejected } from './rejection.js';
import type { RequestContext } from './request-context.js';

/** What the frame of a row says besides its cells, at most. */
const FRAME_OVERHEAD_BYTES = 512;

const IN_TRANSACTION =
  'session-scoped and client-local statements cannot be queued in a transaction';

interface Asked {
  readonly parsed: ParsedStatement;
  readonly statement: CreateSubscriptionStatement;
}

/**
 * Opens a live view of a relay.
 *
 * @throws WithdrawnError when the session withdrew the request meanwhile
 */
export async function serveSubscribe(
  request: SubscribeRequest,
  { controlPlane, view, subscriptions, limits }: RequestContext,
  admission: CommandAdmission,
): Promise<ReplyBody> {
  if (request.subscription_type !== 'Row') {
    const message = `subscriptions of type '${request.subscription_type}' are not supported`;
    return rejected('UnsupportedValue', message, 'subscription_type');
  }
  if (view.attached !== null) return refusedSubscribe('NOT_QUEUEABLE', IN_TRANSACTION);
  const asked = readStatement(request.statement);
  if ('t' in asked) return asked;
  const { name, relay, delivery } = asked.statement;
  if (subscriptions.has(name)) {
    return refusedSubscribe('ALREADY_EXISTS', `session subscription '${name}' already exists`);
  }
  const handle = { name, generation: subscriptions.nextGeneration() };
  const domain = request.domain.toLowerCase();
  const { frameBytes } = limits;
  const windowFrames = request.window_frames;
  const settings = { delivery, windowFrames, frameBytes };
  const subscription = subscriptions.add({ handle, domain, relay }, settings);
  const cellBytes = frameBytes - FRAME_OVERHEAD_BYTES;
  const opened = await controlPlane.subscribe({ ...asked, domain, cellBytes }, (event) =>
    subscription.read(event),
  );
  if (opened.kind === 'refused') {
    subscriptions.remove(handle);
    return failedSubscribe(opened.error);
  }
  subscriptions.opened(subscription, opened.value);
  if (!admission.admit()) {
    subscriptions.remove(handle);
    throw new WithdrawnError();
  }
  return {
    t: 'SubscribeOutcome',
    disposition: {
      t: 'SubscriptionOpened',
      subscription: handle,
      domain: opened.value.domain,
      relay: opened.value.relay,
      subscription_type: 'Row',
      schema: opened.value.schema,
    },
    message: `created subscription '${name}' in domain '${domain}'`,
    diagnostics: [],
  };
}

function readStatement(text: string): Asked | SubscribeOutcome {
  const { statements, errors } = parseScript(text, { grammar: 'server' });
  if (errors.length > 0) {
    const diagnostics = errors.map(({ message, span }) => ({ message, span }));
    const message = diagnostics[0]?.message ?? 'parse error';
    return failedSubscribe({ code: 'PARSE_FAILED', message, diagnostics });
  }
  const [parsed] = statements;
  if (statements.length !== 1 || parsed?.statement.kind !== 'create_subscription') {
    const message = 'the statement must be exactly one CREATE SUBSCRIPTION';
    return refusedSubscribe('REQUEST_SHAPE', message);
  }
  return { parsed, statement: parsed.statement };
}

function refusedSubscribe(code: ErrorCode, message: string): SubscribeOutcome {
  return failedSubscribe({ code, message, diagnostics: [{ message }] });
}

function failedSubscribe(error: ErrorBody['error']): SubscribeOutcome {
  const { code, message, diagnostics } = error;
  return {
    t: 'SubscribeOutcome',
    disposition: { t: 'RequestFailed', code },
    message,
    diagnostics: diagnosticsFrame(diagnostics),
  };
}

/** Ends a subscription; nothing of it follows the reply. */
export function serveUnsubscribe(
  { subscription }: UnsubscribeRequest,
  { view, subscriptions }: RequestContext,
): UnsubscribeOutcome {
  if (view.attached !== null) {
    return refusedUnsubscribe('NOT_QUEUEABLE', IN_TRANSACTION, IN_TRANSACTION);
  }
  const { name } = subscription;
  const subject = subscriptions.remove(subscription);
  if (subject === undefined) {
    const message = `session subscription '${name}' does not exist`;
    return refusedUnsubscribe('NOT_FOUND', message, `session subscription '${name}' not found`);
  }
  return {
    t: 'UnsubscribeOutcome',
    disposition: { t: 'SubscriptionDeleted', subscription },
    message: `deleted subscription '${name}' from domain '${subject.domain}'`,
    diagnostics: [],
  };
}

function refusedUnsubscribe(
  code: ErrorCode,
  message: string,
  diagnostic: string,
): UnsubscribeOutcome {
  const disposition = { t: 'RequestFailed', code } as const;
  return { t: 'UnsubscribeOutcome', disposition, message, diagnostics: [{ message: diagnostic }] };
}
