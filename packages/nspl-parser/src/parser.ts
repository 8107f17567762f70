import type { Statement } from '@nervix/model';
import { defineConnectors } from './grammar/connector.js';
import { defineCreate } from './grammar/create.js';
import { defineDescribe } from './grammar/describe.js';
import { defineDrop } from './grammar/drop.js';
import { GrammarHost, type Rule } from './grammar/grammar-host.js';
import { defineLifecycle } from './grammar/lifecycle.js';
import { defineLiterals } from './grammar/literals.js';
import { defineRoutes } from './grammar/route.js';
import { defineSession } from './grammar/session.js';
import { defineShow } from './grammar/show.js';
import { defineSubscription } from './grammar/subscription.js';

/** The parser of one statement. */
export interface StatementParser {
  readonly host: GrammarHost;
  readonly statement: Rule<Statement>;
}

/** Name of the rule that reads one statement. */
export const STATEMENT_RULE = 'statement';

/**
 * Composes the statement families. Construction takes tens of milliseconds; {@link statementParser}
 * keeps one.
 *
 * @param skipValidations leaves out the library's own checks of the grammar, which a test runs
 */
export function createStatementParser(skipValidations = true): StatementParser {
  const host = new GrammarHost(skipValidations);
  const literals = defineLiterals(host);
  const routes = defineRoutes(host, literals);
  const connectors = defineConnectors(host, literals);
  const families: readonly Rule<Statement>[] = [
    ...defineSession(host),
    ...defineSubscription(host, routes),
    defineCreate(host, literals, routes, connectors),
    ...defineLifecycle(host),
    defineDescribe(host, literals, []),
    defineShow(host, []),
    defineDrop(host, []),
  ];
  const alternatives = families.map((rule) => ({ ALT: () => host.call(rule) }));
  const statement = host.rule(STATEMENT_RULE, () => host.choose(0, alternatives));
  host.finish();
  return { host, statement };
}

let shared: StatementParser | undefined;

/** The parser of this process, built on first use. */
export function statementParser(): StatementParser {
  shared ??= createStatementParser();
  return shared;
}
