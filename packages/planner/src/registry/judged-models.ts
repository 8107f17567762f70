import { MODEL_KINDS, type Model, type ModelKind, NO_SPANS, type SpanLookup } from '@nervix/model';
import { emptyParts, judgeModel, type PlanParts } from '../checks/judge-model.js';
import { PlanningContext, type Verdict } from '../checks/planning-context.js';
import { compareModels, compareNames } from '../domain-models.js';
import type { PlanRefusal, PlanWarning } from '../errors.js';
import { IndexChanges, InvertedIndex } from './inverted-index.js';
import { ModelSet } from './model-set.js';
import { termsOf } from './model-terms.js';
import { SharedTable } from './shared-table.js';

/** What is wrong in a domain, in dependency order of kinds, then by name. */
export interface DomainFaults {
  readonly refusals: readonly PlanRefusal[];
  readonly warnings: readonly PlanWarning[];
}

/** What a set of models is judged with besides them. */
export interface ValidityQuestion {
  readonly domain: string;
  /** Keys of the models that a batch created or changed. */
  readonly touched: ReadonlySet<string>;
}

/** The verdicts on all models of a domain, and who has to be judged again when something differs. */
export interface Judged {
  readonly domain: string;
  readonly models: ModelSet;
  readonly verdicts: SharedTable<Verdict>;
  /** Keys of the models whose verdicts looked something up, by what they looked up. */
  readonly readers: InvertedIndex;
  /** Keys of the models with refusals or warnings. */
  readonly remarkable: ReadonlySet<string>;
  /** Keys of the models whose verdicts depend on what a batch touched. */
  readonly contested: ReadonlySet<string>;
}

/** What is known of a domain without models. */
export function nothingJudged(domain: string): Judged {
  return {
    domain,
    models: ModelSet.EMPTY,
    verdicts: SharedTable.of<Verdict>([]),
    readers: InvertedIndex.EMPTY,
    remarkable: new Set(),
    contested: new Set(),
  };
}

/** How judgements are watched, by who makes more of them than verdicts. */
export interface JudgementWatch {
  /** Source ranges of a model. */
  spansOf(model: Model): SpanLookup;
  /** Told of everyone that is judged, with what it runs as. */
  judged(key: string, parts: PlanParts): void;
}

const UNWATCHED: JudgementWatch = { spansOf: () => NO_SPANS, judged: () => undefined };

/**
 * Judges what may have another verdict in a set, or run as something else, than in the one that was
 * judged before.
 */
export function judgedAfter(
  before: Judged,
  models: ModelSet,
  { domain, touched }: ValidityQuestion,
  watch: JudgementWatch = UNWATCHED,
): Judged {
  const { models: base } = before;
  const pending = new PendingModels();
  for (const key of before.contested) pending.add(key);
  for (const key of models.differencesFrom(base)) {
    pending.add(key);
    for (const term of alteredTerms(base, models, key)) {
      for (const reader of before.readers.membersOf(term)) pending.add(reader);
    }
  }
  const verdicts = new Map<string, Verdict | undefined>();
  const verdictOn = (key: string) =>
    verdicts.has(key) ? verdicts.get(key) : before.verdicts.get(key);
  const isUnsound = (key: string) => verdictOn(key)?.isUnsound === true;
  let spans = NO_SPANS;
  const context = new PlanningContext({
    domain,
    models,
    // Expressions are those of the model at hand.
    spans: { spanOf: (node) => spans.spanOf(node) },
    touched,
    isUnsound,
    hasReads: true,
  });
  for (const key of pending) {
    const model = models.get(key);
    const wasUnsound = isUnsound(key);
    const parts = emptyParts();
    if (model !== undefined) spans = watch.spansOf(model);
    const verdict = model === undefined ? undefined : judgeModel(context, model, parts);
    verdicts.set(key, verdict);
    watch.judged(key, parts);
    if ((verdict?.isUnsound === true) === wasUnsound) continue;
    for (const reader of before.readers.membersOf(key)) pending.add(reader);
  }
  return withVerdicts(before, models, verdicts);
}

/** Everything that a verdict can have looked up and found otherwise because of one model. */
function alteredTerms(base: ModelSet, models: ModelSet, key: string): readonly string[] {
  const [before, after] = [termsOf(base.get(key)).claims, termsOf(models.get(key)).claims];
  if (before === after) return [key];
  const gone = before.filter((term) => !after.includes(term));
  return [key, ...gone, ...after.filter((term) => !before.includes(term))];
}

function withVerdicts(
  before: Judged,
  models: ModelSet,
  changes: ReadonlyMap<string, Verdict | undefined>,
): Judged {
  const reads = new IndexChanges();
  const remarkable = new Set(before.remarkable);
  const contested = new Set(before.contested);
  for (const [key, verdict] of changes) {
    reads.move(key, before.verdicts.get(key)?.reads ?? [], verdict?.reads ?? []);
    put(remarkable, key, verdict !== undefined && isRemarkable(verdict));
    put(contested, key, verdict?.isContested === true);
  }
  return {
    domain: before.domain,
    models,
    verdicts: before.verdicts.with(changes),
    readers: before.readers.with(reads),
    remarkable,
    contested,
  };
}

function isRemarkable({ refusals, warnings }: Verdict): boolean {
  return refusals.length > 0 || warnings.length > 0;
}

function put(set: Set<string>, key: string, isMember: boolean): void {
  if (isMember) set.add(key);
  else set.delete(key);
}

/**
 * Models to be judged, by kind in dependency order: whoever is added while another one is being judged
 * names that one, and is of a later kind.
 */
class PendingModels {
  readonly #kinds = new Map<string, Set<string>>(MODEL_KINDS.map((kind) => [kind, new Set()]));

  add(key: string): void {
    this.#kinds.get(kindOf(key))?.add(key);
  }

  *[Symbol.iterator](): Generator<string, undefined> {
    for (const keys of this.#kinds.values()) {
      // No model is judged by another one of its kind, so none of a kind adds to its own.
      yield* [...keys].sort(compareNames);
    }
  }
}

function kindOf(key: string): ModelKind {
  return key.slice(0, key.indexOf('/')) as ModelKind;
}

/** All that is wrong in a judged domain. */
export function judgedFaults({ remarkable, verdicts }: Judged): DomainFaults {
  const found = [...remarkable].sort(compareKeys).flatMap((key) => verdicts.get(key) ?? []);
  return {
    refusals: found.flatMap(({ refusals }) => refusals),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

/** Dependency order of kinds, then names. */
function compareKeys(left: string, right: string): number {
  return compareModels(identityOf(left), identityOf(right));
}

function identityOf(key: string) {
  const kind = kindOf(key);
  return { kind, name: key.slice(kind.length + 1) };
}
