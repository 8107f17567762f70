import type { Construction, Statement } from '@nervix/model';
import { defineAdministration } from './grammar/administration.js';
import { defineAlter } from './grammar/alter/alter.js';
import { type ArchiveRules, defineArchives, defineDescribeBackup } from './grammar/archive.js';
import { defineCreate } from './grammar/create.js';
import { defineDescribe } from './grammar/describe.js';
import { defineDrop } from './grammar/drop.js';
import { GrammarHost, type Rule } from './grammar/grammar-host.js';
import { defineLifecycle } from './grammar/lifecycle.js';
import { defineLiterals } from './grammar/literals.js';
import { defineLookup } from './grammar/lookup.js';
import { defineModelParts } from './grammar/model-parts.js';
import { definePlans } from './grammar/operation/plan.js';
import { defineReset } from './grammar/reset.js';
import { defineDescribeResource, defineRebind } from './grammar/resource.js';
import { defineCommit, defineSession } from './grammar/session.js';
import { defineShow } from './grammar/show.js';
import { defineSubscription } from './grammar/subscription.js';
import { defineSuffixes } from './grammar/suffixes.js';

/** The parser of one statement. */
export interface StatementParser {
  readonly host: GrammarHost;
  /** A statement as people write it. */
  readonly statement: Rule<Statement>;
  /** A statement as a client sends it to a node. */
  readonly serverStatement: Rule<Statement>;
  /** What a route does to build its record, by itself. */
  readonly construction: Rule<Construction>;
}

/** Name of the rule that reads one statement. */
export const STATEMENT_RULE = 'statement';
/** Name of the rule that reads one statement that a client sent. */
export const SERVER_STATEMENT_RULE = 'serverStatement';
/** Name of the rule that reads the construction of a route. */
export const CONSTRUCTION_RULE = 'construction';

/** Statements that begin alike. */
interface Family {
  readonly rule: Rule<Statement>;
  /** What may follow the statement. */
  readonly suffix?: Rule<Statement, [Statement]>;
}

/**
 * Composes the statement families. Construction takes tens of milliseconds; {@link statementParser}
 * keeps one.
 *
 * @param skipValidations leaves out the library's own checks of the grammar, which a test runs
 */
export function createStatementParser(skipValidations = true): StatementParser {
  const host = new GrammarHost(skipValidations);
  const literals = defineLiterals(host);
  const parts = defineModelParts(host, literals);
  const administration = defineAdministration(host, literals);
  const { create, alter, drop, show, describe, nodes, operations, grants } = administration;
  const { wait, lossAndWait } = defineSuffixes(host, literals);
  const waiting = (rule: Rule<Statement>): Family => ({ rule, suffix: wait });
  const losing = (rule: Rule<Statement>): Family => ({ rule, suffix: lossAndWait });

  /** What changes something, and can be planned before that. */
  const changes: readonly Family[] = [
    waiting(defineCreate(host, literals, parts, create)),
    ...defineLifecycle(host).map(waiting),
    waiting(defineDrop(host, drop)),
    waiting(defineAlter(host, literals, parts, alter)),
    waiting(defineRebind(host)),
    waiting(defineReset(host)),
    waiting(nodes.cordon),
    waiting(nodes.uncordon),
    losing(nodes.drain),
    losing(nodes.drop),
    waiting(nodes.quarantine),
    waiting(nodes.release),
    losing(administration.relocate),
    losing(administration.rebalance),
    losing(administration.promote),
    waiting(grants.grant),
    waiting(grants.revoke),
  ];
  const plans = definePlans(
    host,
    literals,
    changes.map(({ rule }) => rule),
  );
  const archives = defineArchives(host, literals);
  const descriptions = [defineDescribeResource(host), defineDescribeBackup(host), ...describe];
  const others: readonly Family[] = [
    { rule: defineDescribe(host, literals, descriptions) },
    { rule: defineShow(host, show) },
    { rule: defineLookup(host) },
    waiting(administration.dropSecret),
    { rule: plans.plan },
    { rule: plans.explain },
    losing(plans.apply),
    { rule: plans.approve },
    waiting(operations.cancel),
    waiting(operations.compensate),
    waiting(operations.resolve),
  ];
  const session: readonly Family[] = [
    ...[...defineSession(host), ...defineSubscription(host, parts.routes)].map((rule) => ({
      rule,
    })),
    losing(defineCommit(host)),
  ];
  const define = (name: string, { backup, restore }: ArchiveRules): Rule<Statement> =>
    defineStatement(host, name, [
      ...session,
      ...changes,
      ...others,
      { rule: backup },
      losing(restore),
    ]);
  const statement = define(STATEMENT_RULE, archives.client);
  const serverStatement = define(SERVER_STATEMENT_RULE, archives.server);
  host.finish();
  return { host, statement, serverStatement, construction: parts.routes.construction };
}

function defineStatement(
  g: GrammarHost,
  name: string,
  families: readonly Family[],
): Rule<Statement> {
  const alternatives = families.map(({ rule, suffix }) => ({
    ALT: suffix === undefined ? () => g.call(rule) : () => g.callWith(suffix, g.call(rule)),
  }));
  return g.rule(name, () => g.choose(0, alternatives));
}

let shared: StatementParser | undefined;

/** The parser of this process, built on first use. */
export function statementParser(): StatementParser {
  shared ??= createStatementParser();
  return shared;
}
