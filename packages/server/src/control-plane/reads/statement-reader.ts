import {
  type DescribeModelStatement,
  type DescribeRelayStatement,
  kindWords,
  type Model,
  type ModelKind,
  modelKey,
  type Statement,
} from '@nervix/model';
import { type ParsedStatement, printModel, UnprintableError } from '@nervix/nspl-parser';
import type { DataPlane } from '@nervix/runtime/data-plane';
import type { DomainRecord } from '../../replicated-state/records.js';
import { readRebalance } from '../commands/move-work.js';
import type { ControlContext } from '../control-context.js';
import { notExecuted } from '../not-executed.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { lastOccurrence } from '../refusal-outcome.js';
import { scheduledDomain } from '../scheduling/scheduled-domain.js';
import { describeDomain } from './describe-domain.js';
import { describeModel } from './describe-model.js';
import { describeRelay, describeRelayKey } from './describe-relay.js';
import { assignmentIn, type DescribeSubject } from './describe-subject.js';
import { describeUdf, showUdfs } from './describe-udf.js';
import { explainStatement } from './explain-statement.js';
import { type Inspector, inspectTransaction } from './inspect-transaction.js';
import type { InspectedOutcome } from './inspected-outcome.js';
import {
  domainPlacementText,
  explainPlacement,
  readPlacement,
  readPlacements,
  readRelocation,
} from './read-placement.js';
import { readResource } from './read-resource.js';
import { showClusterStatus } from './show-cluster-status.js';
import { showIngestors } from './show-ingestors.js';
import { listSecrets, showSecrets } from './show-secrets.js';
import { showTransactions } from './show-transactions.js';

/** Who reads, and in which domain. */
export interface ReadRequest extends Inspector {
  /** Selected domain, or null. */
  readonly domain: string | null;
}

/** Answers the statements that change nothing. */
export class StatementReader {
  readonly #context: ControlContext;
  readonly #dataPlane: DataPlane;

  constructor(context: ControlContext, dataPlane: DataPlane) {
    this.#context = context;
    this.#dataPlane = dataPlane;
  }

  isRead(statement: Statement): boolean {
    switch (statement.kind) {
      case 'show_create':
      case 'show_cluster_status':
      case 'show_ingestors':
      case 'show_transactions':
      case 'describe_domain':
      case 'describe_model':
      case 'describe_relay':
      case 'describe_relocation':
      case 'describe_resource':
      case 'describe_rebalance':
      case 'show_placements':
      case 'show_udfs':
      case 'explain_placement':
      case 'describe_transaction':
      case 'explain':
      case 'use':
      case 'list_domains':
      case 'create_subscription':
      case 'delete_subscription':
        return true;
      case 'show_inventory':
        return statement.subject === 'SECRETS';
      default:
        return false;
    }
  }

  /** Answers one read; of some also with the document behind its text. */
  async read(request: ReadRequest, parsed: ParsedStatement): Promise<InspectedOutcome> {
    const { statement } = parsed;
    switch (statement.kind) {
      case 'describe_transaction':
        return inspectTransaction(this.#context, statement, request);
      case 'explain': {
        const domain = this.#selected(request.domain);
        return explainStatement(this.#context, parsed, statement, domain);
      }
      default:
        return { outcome: await this.#readText(request.domain, parsed) };
    }
  }

  #selected(name: string | null): DomainRecord | Outcome {
    if (name === null) return failed('NO_DOMAIN_SELECTED', 'no active domain selected');
    const domain = this.#context.state.domain(name);
    return domain ?? failed('NOT_FOUND', `domain '${name}' does not exist`);
  }

  async #readText(domainName: string | null, parsed: ParsedStatement): Promise<Outcome> {
    const { statement } = parsed;
    switch (statement.kind) {
      case 'describe_rebalance':
        return readRebalance(this.#context, statement, parsed);
      case 'show_cluster_status':
        return completed(showClusterStatus(this.#context));
      case 'show_transactions':
        return completed(showTransactions(this.#context.state, this.#context.nowMs()));
      case 'use':
        return clientLocal(
          parsed,
          `USE '${statement.domain}' is a client-local command and must not be sent to the server`,
          'name the domain in the field `domain` of each request',
        );
      case 'list_domains':
        return clientLocal(
          parsed,
          'LIST DOMAINS is a protobuf-level client command',
          'send ListDomainsRequest, or read GET /api/v1/domains',
        );
      case 'create_subscription':
      case 'delete_subscription':
        return notExecuted(parsed);
      default:
    }
    const domain = this.#selected(domainName);
    return 'message' in domain ? domain : this.#readDomain(domain, parsed);
  }

  async #readDomain(domain: DomainRecord, parsed: ParsedStatement): Promise<Outcome> {
    const { statement } = parsed;
    const models = this.#context.state.models(domain.name);
    switch (statement.kind) {
      case 'show_create': {
        const model = models.get(modelKey(statement.modelKind, statement.name));
        if (model === undefined) {
          return absent(parsed, domain.name, { kind: statement.modelKind, name: statement.name });
        }
        return showCreate(model, statement.withSecrets);
      }
      case 'show_inventory':
        return completed(showSecrets(listSecrets(this.#context, domain.name), statement.format));
      case 'show_ingestors':
        return completed(showIngestors(models, await this.#subject(domain)));
      case 'show_udfs':
        return completed(showUdfs(models));
      case 'describe_domain':
        return this.#describeDomain(domain);
      case 'show_placements':
        return readPlacements(await scheduledDomain(this.#context, domain));
      case 'explain_placement':
        return explainPlacement(await scheduledDomain(this.#context, domain), statement, parsed);
      case 'describe_relocation':
        return readRelocation(await scheduledDomain(this.#context, domain), statement, parsed);
      case 'describe_resource':
        return readResource(this.#context, domain.name, statement, parsed);
      case 'describe_relay':
        return this.#describeRelay(domain, parsed, statement);
      case 'describe_model':
        return this.#describeModel(domain, parsed, statement);
      default:
        return failed('INTERNAL', 'the statement is not a read');
    }
  }

  async #describeDomain(domain: DomainRecord): Promise<Outcome> {
    const placement = domainPlacementText(await scheduledDomain(this.#context, domain));
    if (placement.kind === 'refused') return failed('LIMIT_REACHED', placement.message);
    return completed(describeDomain(domain, await this.#subject(domain), placement.text));
  }

  async #describeRelay(
    domain: DomainRecord,
    parsed: ParsedStatement,
    statement: DescribeRelayStatement,
  ): Promise<Outcome> {
    const models = this.#context.state.models(domain.name);
    const relay = models.get(modelKey('relay', statement.relay));
    if (relay?.kind !== 'relay') {
      const message = `stream '${statement.relay}' does not exist in domain '${domain.name}'`;
      return located(parsed, statement.relay, message, `stream '${statement.relay}' not found`);
    }
    const subject = await this.#subject(domain);
    if (statement.bindings === null) return completed(describeRelay(relay, models, subject));
    const described = describeRelayKey(relay, models, subject, statement.bindings);
    if (described.kind === 'refused') return failed('INVALID_REQUEST', described.reason);
    const exists = await this.#dataPlane.hasBranch(domain.name, relay.name, described.key);
    return completed(described.print(exists));
  }

  async #describeModel(
    domain: DomainRecord,
    parsed: ParsedStatement,
    statement: DescribeModelStatement,
  ): Promise<Outcome> {
    const models = this.#context.state.models(domain.name);
    const identity = { kind: statement.modelKind, name: statement.name };
    const model = models.get(modelKey(identity.kind, identity.name));
    if (model === undefined) {
      // These two are spoken of without their domain.
      return identity.kind === 'endpoint' || identity.kind === 'placement'
        ? located(parsed, statement.name, `${identity.kind} '${statement.name}' not found`)
        : absent(parsed, domain.name, identity, kindWords);
    }
    if (identity.kind === 'placement') {
      return readPlacement(await scheduledDomain(this.#context, domain), identity.name);
    }
    if (model.kind === 'udf') return completed(describeUdf(model, models));
    return completed(describeModel(model as Model, await this.#subject(domain)));
  }

  async #subject(domain: DomainRecord): Promise<DescribeSubject> {
    const status = await this.#context.activation.status(domain.name);
    const entries = this.#context.state.schedule(domain.name);
    return {
      domain,
      status,
      assignmentOf: (kind, name) => assignmentIn(entries, kind, name),
      failure: this.#context.activation.failureOf(domain.name),
    };
  }
}

/** A model that no text stands for can only come from a store that another program wrote. */
function showCreate(model: Model, withSecrets: boolean): Outcome {
  try {
    return completed(printModel(model, { withSecrets }));
  } catch (error) {
    if (!(error instanceof UnprintableError)) throw error;
    return failed('INVALID_MODEL', `'${model.name}' cannot be shown: ${error.message}`);
  }
}

/** SHOW CREATE names the kind in snake case, DESCRIBE in words. */
function absent(
  parsed: ParsedStatement,
  domain: string,
  { kind, name }: { readonly kind: ModelKind; readonly name: string },
  print: (kind: ModelKind) => string = (value) => value,
): Outcome {
  const words = print(kind);
  const message = `${words} '${name}' does not exist in domain '${domain}'`;
  return located(parsed, name, message, `${words} '${name}' not found`);
}

function located(
  parsed: ParsedStatement,
  name: string,
  message: string,
  diagnostic: string = message,
): Outcome {
  const span = lastOccurrence(parsed, name);
  if (span === undefined) return failed('NOT_FOUND', message, [{ message: diagnostic }]);
  return failed('NOT_FOUND', message, [{ message: diagnostic, span }]);
}

function clientLocal(parsed: ParsedStatement, message: string, hint: string): Outcome {
  const { start, end } = parsed.span;
  return failed('REQUEST_SHAPE', message, [{ message: hint, span: { start, end } }]);
}
