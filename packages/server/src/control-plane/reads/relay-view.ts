import type {
  CreateSubscriptionStatement,
  Expression,
  RelayModel,
  SpanLookup,
  TypedExpression,
} from '@nervix/model';
import { type ParsedStatement, parseExpression } from '@nervix/nspl-parser';
import { type DomainModels, findModel, planSubscriptionFilter } from '@nervix/planner';
import type { ControlContext } from '../control-context.js';
import type { ReadReply } from '../control-plane.js';
import { refusedRead } from './refused-read.js';

/** A relay that somebody wants to read, with the condition on its rows. */
export interface RelayView {
  readonly domain: string;
  readonly relay: RelayModel;
  readonly models: DomainModels;
  readonly where: TypedExpression | null;
}

/** A condition as it was read, and where its parts stand. */
interface ReadCondition {
  readonly expression: Expression;
  readonly spans: SpanLookup;
}

/** The view that a row stream over HTTP asks for. */
export function streamView(
  context: Pick<ControlContext, 'state'>,
  domain: string,
  relay: string,
  where: string | null,
): ReadReply<RelayView> {
  if (where === null) return relayView(context, domain, relay, null);
  const parsed = parseExpression(where);
  if (parsed.kind === 'refused') {
    const diagnostics = parsed.errors.map(({ message, span }) => ({ message, span }));
    return refusedRead('PARSE_FAILED', diagnostics[0]?.message ?? 'parse error', diagnostics);
  }
  return relayView(context, domain, relay, parsed);
}

/** The view that a `CREATE SUBSCRIPTION` asks for. */
export function subscriptionView(
  context: Pick<ControlContext, 'state'>,
  domain: string,
  { name, relay, where }: CreateSubscriptionStatement,
  { spans }: Pick<ParsedStatement, 'spans'>,
): ReadReply<RelayView> {
  const condition = where === null ? null : { expression: where, spans };
  const view = relayView(context, domain, relay, condition);
  if (view.kind === 'found' || view.error.code !== 'INVALID_MODEL') return view;
  const { message, diagnostics } = view.error;
  const told = `failed to compile session subscription '${name}': ${message}`;
  return refusedRead('INVALID_MODEL', told, diagnostics);
}

function relayView(
  { state }: Pick<ControlContext, 'state'>,
  domainName: string,
  relayName: string,
  condition: ReadCondition | null,
): ReadReply<RelayView> {
  const record = state.domain(domainName.toLowerCase());
  if (record === undefined)
    return refusedRead('NOT_FOUND', `domain '${domainName}' does not exist`);
  const domain = record.name;
  const name = relayName.toLowerCase();
  const models = state.models(domain);
  const relay = findModel(models, 'relay', name);
  if (relay === undefined) {
    return refusedRead('NOT_FOUND', `stream '${name}' does not exist in domain '${domain}'`);
  }
  if (record.status === 'stopped') {
    const message = `failed to subscribe to relay '${name}': domain '${domain}' is stopped`;
    return refusedRead('TRANSACTION_STATE', message);
  }
  if (condition === null) return { kind: 'found', value: { domain, relay, models, where: null } };
  const { expression: where, spans } = condition;
  const planned = planSubscriptionFilter({ domain, models, relay: name, where, spans });
  if (planned.kind === 'accepted') {
    return { kind: 'found', value: { domain, relay, models, where: planned.filter } };
  }
  return refusedRead('INVALID_MODEL', planned.refusals[0]?.message ?? 'the filter is invalid');
}
