import { parseScript } from '@nervix/nspl-parser';
import type { CommandRequest as ApiCommandRequest } from '@nervix/protocol';
import type {
  CommandOutcome,
  CommandRequest,
  LeaderRedirect,
  ReplyBody,
} from '@nervix/protocol/session';
import { type CommandAdmission, WithdrawnError } from '../../control-plane/command-admission.js';
import type { LeadershipView } from '../../control-plane/control-plane.js';
import { isLocalRead } from '../../control-plane/reads/local-reads.js';
import { commandFrame, previewIdentity } from '../frames/command-frame.js';
import { rejected } from './rejection.js';
import type { RequestContext } from './request-context.js';

/** Largest position that the control plane counts to. */
const POSITION_MAX = 2_147_483_647n;

/**
 * Runs NSPL for a session.
 *
 * @throws WithdrawnError when the session withdrew it before it had any effect
 */
export async function serveCommand(
  request: CommandRequest,
  { controlPlane, view, logger }: RequestContext,
  admission: CommandAdmission,
): Promise<ReplyBody> {
  const refusal = unsupportedField(request);
  if (refusal !== undefined) return refusal;
  const leadership = controlPlane.leadership();
  if (leadership.kind !== 'serving' && !isServedHere(request.query)) {
    return redirectedCommand(request, leadership);
  }
  const { attached, holder, principal } = view;
  const session = { holder, attached, admission };
  try {
    const reply = await controlPlane.execute(apiRequest(request), principal, session);
    const transaction = view.learn(reply, request.execution_reference);
    return commandFrame(reply, request, attached, transaction);
  } catch (error) {
    if (error instanceof WithdrawnError) throw error;
    const facts = { execution_reference: request.execution_reference };
    logger.error('a command failed', facts, error);
    return uncertain(request);
  }
}

function unsupportedField(request: CommandRequest): ReplyBody | undefined {
  const { deadline_ns, trace, expected_transaction_position: position } = request;
  if (deadline_ns !== undefined) {
    const message = 'deadlines of commands are not supported by this release';
    return rejected('UnsupportedValue', message, 'deadline_ns');
  }
  if (trace !== undefined) {
    const message = 'tracing is not supported by this release';
    return rejected('UnsupportedValue', message, 'trace');
  }
  if ((position ?? 0n) > POSITION_MAX) {
    const message = `field 'expected_transaction_position' is not from 0 to ${POSITION_MAX}`;
    return rejected('InvalidRequest', message, 'expected_transaction_position');
  }
  if ((request.expected_preview?.position ?? 0n) > POSITION_MAX) {
    const message = `field 'expected_preview.position' is not from 0 to ${POSITION_MAX}`;
    return rejected('InvalidRequest', message, 'expected_preview.position');
  }
  return undefined;
}

function apiRequest(request: CommandRequest): ApiCommandRequest {
  const { query, domain, execution_reference, expected_preview } = request;
  const { expected_transaction_position: position } = request;
  return {
    query,
    execution_reference,
    ...(domain === undefined ? {} : { domain }),
    ...(position === undefined ? {} : { expected_transaction_position: Number(position) }),
    ...(expected_preview === undefined
      ? {}
      : { expected_preview: previewIdentity(expected_preview) }),
  };
}

/** Whether a node that does not lead answers a text by itself. */
function isServedHere(query: string): boolean {
  const { statements, errors } = parseScript(query, { grammar: 'server' });
  return errors.length === 0 && statements.every(({ statement }) => isLocalRead(statement));
}

function redirectedCommand(request: CommandRequest, leadership: LeadershipView): CommandOutcome {
  return {
    t: 'CommandOutcome',
    execution_reference: request.execution_reference,
    origin: 'Executed',
    disposition: redirect(leadership),
    message: NOT_LEADING,
    diagnostics: [{ message: NOT_LEADING }],
  };
}

/** What is said where this node does not lead. */
export const NOT_LEADING = 'this node does not lead; nothing was admitted';

/** Sends a client to the leader, as far as that is known. */
export function redirect({ kind, node }: LeadershipView): LeaderRedirect {
  return kind === 'remote' ? { t: 'LeaderRedirect', leader: { node } } : { t: 'LeaderRedirect' };
}

/** A fault of the node says nothing about what was written before it. */
function uncertain(request: CommandRequest): CommandOutcome {
  const message = 'the server failed during the command; the outcome is unknown';
  return {
    t: 'CommandOutcome',
    execution_reference: request.execution_reference,
    origin: 'Executed',
    disposition: { t: 'OutcomeUnknown', cause: 'StillApplying' },
    message,
    diagnostics: [{ message }],
  };
}
