import { canonicalName, decodeErrorRowFields, ERROR_ROW_FIELDS } from '@nervix/model';
import type { Catalog } from './catalog.js';
import type { StatementTrace, TracedWord } from './statement-trace.js';

const REFERENCE = 'ref:';

function isRelay({ label, lead }: TracedWord, ...heads: readonly string[]): boolean {
  return label === 'ref:relay' && heads.some((head) => lead.endsWith(head));
}

/** Where a route or an emitter writes to. */
function isOutput(word: TracedWord): boolean {
  if (isRelay(word, 'TO')) return word.lead !== 'SEND TO';
  const isCodec = word.label === 'ref:codec' && word.lead === 'ENCODE USING';
  return isCodec || (word.label === 'ref:schema' && word.lead === 'CLIENT SCHEMA');
}

function isErrorTarget(word: TracedWord): boolean {
  return isRelay(word, 'SEND TO');
}

/** Which fields an expression can name, as far as its statement and the catalog tell. */
export class StatementFields {
  readonly #trace: StatementTrace;
  readonly #catalog: Catalog;

  constructor(trace: StatementTrace, catalog: Catalog) {
    this.#trace = trace;
    this.#catalog = catalog;
  }

  /** Fields that the SET clause at the cursor can assign. */
  assignable(): readonly string[] {
    return this.#of(
      this.#trace.nearest(
        (word) => isOutput(word) || isErrorTarget(word) || word.label === 'ref:branch',
      ),
    );
  }

  /** Fields that the DEFAULT of a materialized state at the cursor can assign. */
  ofState(): readonly string[] {
    return this.#of(this.#trace.nearest((word) => isRelay(word, 'STATE')));
  }

  /** Fields of `relay_state.<relay>.`. */
  ofRelay(relay: string): readonly string[] {
    return this.#catalog.fields?.('relay', canonicalName(relay)) ?? [];
  }

  /** Fields of `scope.` at the cursor. */
  inScope(scope: string): readonly string[] {
    switch (scope) {
      case 'input':
        return this.#input();
      case 'message': {
        const route = this.#trace.nearest(isOutput);
        return route === undefined ? this.#input() : this.#of(route);
      }
      case 'output':
      case 'partial_output':
        return this.#of(this.#trace.nearest(isOutput));
      case 'left':
      case 'right':
        return this.#of(this.#trace.first((word) => isRelay(word, `${scope.toUpperCase()} FROM`)));
      case 'branch':
        return this.#of(this.#trace.nearest(({ label }) => label === 'ref:branch'));
      case 'error':
        return this.#error();
      default:
        return [];
    }
  }

  /** Relays whose materialized state the statement uses. */
  states(): readonly string[] {
    const relays: string[] = [];
    for (const word of this.#trace.words()) {
      if (isRelay(word, 'STATE')) relays.unshift(canonicalName(word.text));
    }
    return relays;
  }

  /** Fields of what a reference names. */
  #of(reference: TracedWord | undefined): readonly string[] {
    if (reference === undefined) return [];
    const kind = reference.label.slice(REFERENCE.length);
    return this.#catalog.fields?.(kind, canonicalName(reference.text)) ?? [];
  }

  #input(): readonly string[] {
    // WHERE directly behind an input relay sees the rows of that relay.
    const own = this.#trace.nearest(({ label }) => label !== 'WHERE');
    if (own !== undefined && isRelay(own, 'FROM', ',')) return this.#of(own);
    return this.#of(
      this.#trace.first((word) => isRelay(word, 'FROM')) ??
        this.#trace.first(({ label, lead }) => label === 'ref:codec' && lead === 'DECODE USING') ??
        // What is altered knows its input; a subscription reads the relay it names.
        this.#trace.first(
          ({ label, lead }) => label.startsWith(REFERENCE) && !/STATE$/u.test(lead),
        ),
    );
  }

  /** Only what goes to the relay for failures knows of one. */
  #error(): readonly string[] {
    const target = this.#trace.nearest((word) => isOutput(word) || isErrorTarget(word));
    if (target === undefined || !isErrorTarget(target)) return [];
    const failed = this.#trace.nearest(
      ({ label, lead }) => /^(?:MESSAGE|DECODE)$/u.test(label) && lead.endsWith('ON'),
    );
    const fields = failed?.label === 'DECODE' ? decodeErrorRowFields(false) : ERROR_ROW_FIELDS;
    return fields.map(({ name }) => name);
  }
}
