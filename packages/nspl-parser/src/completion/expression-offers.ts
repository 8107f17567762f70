import { canonicalName, functionNames, nameDefect } from '@nervix/model';
import type { IToken } from 'chevrotain';
import type { OpenPart } from '../expectations.js';
import { fieldName, qualifiedName } from '../printer/lexical.js';
import type { Catalog } from './catalog.js';
import type { CompletionItem } from './completion.js';
import { isHeaderSink, isHeaderSource } from './header-transports.js';
import { StatementFields } from './statement-fields.js';
import { StatementTrace } from './statement-trace.js';

/** What an operand may stand behind; behind a word, functions are not offered. */
const OPERATORS: ReadonlySet<string> = new Set('= != < > <= >= + - * / % ( [ ,'.split(' '));

/** Offers inside the parts that the expression reader reads. */
export class ExpressionOffers {
  readonly #tokens: readonly IToken[];
  readonly #catalog: Catalog;

  constructor(tokens: readonly IToken[], catalog: Catalog) {
    this.#tokens = tokens;
    this.#catalog = catalog;
  }

  /** Offers where a part begins. */
  atStart(label: string, trace: StatementTrace): readonly CompletionItem[] {
    const fields = new StatementFields(trace, this.#catalog);
    switch (label) {
      case 'set_assignments':
        return fieldItems(fields.assignable(), fieldName);
      case 'default_assignments':
        return fieldItems(fields.ofState(), fieldName);
      case 'invocations':
        return writesHeaders(trace) ? functionNames('invoke').map(functionItem) : [];
      default:
        return [];
    }
  }

  /** Offers where a part has begun and needs more. */
  inside({ label, position, failure, taken }: OpenPart): readonly CompletionItem[] {
    const trace = new StatementTrace(this.#tokens, taken);
    const last = this.#tokens.slice(position).map(({ image }) => image);
    const behind = last.at(-1) ?? '';
    if (failure.expected.includes('expression')) {
      return OPERATORS.has(behind) ? this.#functions(label, trace) : [];
    }
    if (!failure.expected.includes('identifier')) return [];
    if (behind === ',') return this.atStart(label, trace);
    if (behind === '::') {
      return (this.#catalog.names?.('udf') ?? []).filter(isName).map((name) => ({
        label: name,
        kind: 'function',
        insertText: qualifiedName(name),
        detail: 'ref:udf',
      }));
    }
    return behind === '.' ? this.#members(last, trace) : [];
  }

  /** Offers behind a dot. */
  #members(last: readonly string[], trace: StatementTrace): readonly CompletionItem[] {
    const fields = new StatementFields(trace, this.#catalog);
    const qualifier = canonicalName(last.at(-2) ?? '');
    if (last.at(-3) === '.') {
      return canonicalName(last.at(-4) ?? '') === 'relay_state'
        ? fieldItems(fields.ofRelay(qualifier), qualifiedName)
        : [];
    }
    if (qualifier !== 'relay_state') {
      return fieldItems(fields.inScope(qualifier), qualifiedName);
    }
    return fields
      .states()
      .filter(isName)
      .map((name) => ({
        label: name,
        kind: 'reference',
        insertText: qualifiedName(name),
        detail: 'ref:relay',
      }));
  }

  #functions(label: string, trace: StatementTrace): readonly CompletionItem[] {
    const names = [...functionNames('anywhere', 'lookup')];
    if (this.#readsHeaders(trace)) names.push(...functionNames('header_source'));
    if (label === 'set_assignments' && isWindowRoute(trace)) {
      // Where a name is both, a window route reads the aggregate.
      const aggregates = functionNames('aggregate');
      const lists = names.filter((name) => !aggregates.includes(name.toUpperCase()));
      return [...lists, ...aggregates].map(functionItem);
    }
    return names.map(functionItem);
  }

  #readsHeaders(trace: StatementTrace): boolean {
    const source = trace.first(({ label, lead }) => /^[A-Z]/u.test(label) && lead.endsWith('FROM'));
    if (source !== undefined) return isHeaderSource(source.text);
    const altered = trace.first(({ label }) => label === 'ref:ingestor');
    return altered !== undefined && this.#catalog.hasHeaders?.(altered.text.toLowerCase()) === true;
  }
}

function writesHeaders(trace: StatementTrace): boolean {
  const sink = trace.nearest(
    ({ label, lead }) => /^[A-Z]/u.test(label) && lead.endsWith('TO') && lead !== 'SEND TO',
  );
  return sink !== undefined && isHeaderSink(sink.text);
}

function isWindowRoute(trace: StatementTrace): boolean {
  const isWindow = trace.first(({ label }) => label === 'window_processor_name') !== undefined;
  const target = trace.nearest(({ label }) => label === 'ref:relay');
  return isWindow && target !== undefined && target.lead !== 'SEND TO';
}

/** Whether a name that a catalog tells can be written at all. */
function isName(name: string): boolean {
  return nameDefect(name) === undefined;
}

function fieldItems(
  names: readonly string[],
  print: (name: string) => string,
): readonly CompletionItem[] {
  return names
    .filter(isName)
    .map((name) => ({ label: name, kind: 'field', insertText: print(name) }));
}

function functionItem(name: string): CompletionItem {
  return { label: name, kind: 'function', insertText: name };
}
