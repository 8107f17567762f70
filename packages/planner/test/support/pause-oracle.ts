import type { Model, SchemaModel } from '@nervix/model';
import type { ScheduleEntry } from '@nervix/scheduler';
import { domainModels, domainPlacement, modelAspects } from '../../src/index.js';

/** What a change of a domain's models is judged by. */
export interface TwoEnds {
  readonly before: readonly Model[];
  readonly after: readonly Model[];
  readonly former: readonly ScheduleEntry[];
  readonly latter: readonly ScheduleEntry[];
  readonly isRunning: boolean;
}

/** What has to come of a change, every list sorted. */
export interface Expected {
  readonly pause: 'NO_PAUSE' | 'SUBGRAPH' | 'DOMAIN';
  readonly nodes: readonly string[];
  readonly modelGate: readonly string[];
  readonly ownershipGate: readonly string[];
  readonly activations: readonly string[];
  readonly rebuilds: readonly string[];
  readonly flushes: readonly string[];
}

type Keys = ReadonlySet<string>;
type Level = 'DYNAMIC' | 'ENTITY_PAUSE' | 'DOMAIN_PAUSE';

/** Kinds with work of their own. */
const EXECUTABLE: Keys = new Set([
  'generator',
  'inferencer',
  'ingestor',
  'reingestor',
  'relay',
  'hash_map',
  'deduplicator',
  'correlator',
  'reorderer',
  'junction',
  'window_processor',
  'wasm_processor',
  'emitter',
]);

/** Every clause by which a model of any kind names a relay. */
interface Clauses {
  readonly routes?: readonly { readonly relay: string; readonly messageError: Policy }[];
  readonly messageError?: Policy;
  readonly decodeError?: Policy | null;
  readonly onTimeout?: { readonly left: Policy; readonly right: Policy };
  readonly inputs?: Side;
  readonly left?: Side;
  readonly right?: Side;
  readonly state?: string;
  readonly dependencies?: readonly { readonly relay: string }[];
}
type Policy = { readonly kind: string; readonly relay?: string };
type Side = { readonly relays: readonly { readonly relay: string }[] };

const clausesOf = (model: Model) => model as unknown as Clauses;
const keyOf = ({ kind, name }: Pick<Model, 'kind' | 'name'>) => `${kind}/${name}`;
const relays = (names: readonly (string | undefined)[]) =>
  names.flatMap((name) => (name === undefined ? [] : [`relay/${name}`]));

/** Relays whose records a node takes in; of a generator the one whose state it reads. */
function inputsOf(model: Model): readonly string[] {
  const { inputs, left, right, state } = clausesOf(model);
  const sides = [inputs, left, right].flatMap((side) => side?.relays ?? []);
  return relays([
    ...sides.map(({ relay }) => relay),
    ...(model.kind === 'generator' ? [state] : []),
  ]);
}

/** Relays that a node publishes to, by whichever way. */
function outputsOf(model: Model): readonly string[] {
  const { routes = [], messageError, decodeError, onTimeout } = clausesOf(model);
  const policies = [...routes.map((route) => route.messageError), messageError, decodeError];
  const timeouts = [onTimeout?.left, onTimeout?.right];
  const sent = [...policies, ...timeouts].filter((policy) => policy?.kind === 'send_to');
  return relays([...routes.map(({ relay }) => relay), ...sent.map((policy) => policy?.relay)]);
}

function readersOf(models: readonly Model[], relay: string): readonly string[] {
  return models.flatMap((model) => {
    const states = relays((clausesOf(model).dependencies ?? []).map((each) => each.relay));
    return [...inputsOf(model), ...states].includes(relay) ? [keyOf(model)] : [];
  });
}

/** One end of a change. */
class End {
  readonly models: readonly Model[];
  readonly #byKey: ReadonlyMap<string, Model>;

  constructor(models: readonly Model[]) {
    this.models = models;
    this.#byKey = domainModels(models);
  }

  get(key: string): Model | undefined {
    return this.#byKey.get(key);
  }

  get executables(): readonly string[] {
    return this.models.filter(({ kind }) => EXECUTABLE.has(kind)).map(keyOf);
  }

  next(key: string): readonly string[] {
    const model = this.get(key);
    if (model === undefined) return [];
    const found = model.kind === 'relay' ? readersOf(this.models, key) : outputsOf(model);
    return found.filter((other) => this.get(other) !== undefined);
  }

  /** The given nodes, as far as they are there, and all that anything of them flows to. */
  downstream(from: Iterable<string>): Keys {
    const seen = new Set([...from].filter((key) => this.get(key) !== undefined));
    for (const key of seen) for (const next of this.next(key)) seen.add(next);
    return seen;
  }

  producers(relay: string): readonly string[] {
    return this.models.filter((model) => outputsOf(model).includes(relay)).map(keyOf);
  }

  /** The given nodes and all that lies on a way from one of them to another. */
  between(ends: Keys): Keys {
    const there = [...ends].filter((key) => this.get(key) !== undefined);
    const inside = [...this.downstream(there)].filter((key) =>
      there.some((end) => this.downstream([key]).has(end)),
    );
    return new Set(inside);
  }

  /** What tells a node apart from one that would have to be built anew: branches and columns. */
  form(key: string): string {
    const model = this.get(key);
    if (model === undefined) return '';
    const { branching } = model as { readonly branching?: { readonly branch?: string } };
    const branch = this.get(`branch/${branching?.branch}`) as
      | { readonly schema?: string }
      | undefined;
    const read = model.kind === 'relay' ? [key] : inputsOf(model);
    const columns = read.map((relay) => {
      return this.#fields((this.get(relay) as { readonly schema?: string } | undefined)?.schema);
    });
    return JSON.stringify([branching, this.#fields(branch?.schema), [...new Set(columns)].sort()]);
  }

  #fields(schema: string | undefined): string {
    const model = this.get(`schema/${schema}`) as SchemaModel | undefined;
    return JSON.stringify(model?.fields ?? null);
  }

  coverage(key: string): string {
    const model = this.get(key);
    const { branching } = model as { readonly branching?: { readonly branch?: string } };
    const isOfAll = model?.kind === 'emitter' || model?.kind === 'reingestor';
    if (isOfAll) return `${key} ALL`;
    return branching?.branch === undefined
      ? `${key} UNBRANCHED`
      : `${key} ALL_OF_BRANCH ${branching.branch}`;
  }
}

/** The nodes that differ, each with the widest level of what differs about it. */
function changedOf(before: End, after: End): ReadonlyMap<string, Level> {
  const found = new Map<string, Level>();
  for (const key of new Set([...before.models, ...after.models].map(keyOf))) {
    const aspects = modelAspects(before.get(key), after.get(key));
    if (JSON.stringify(before.get(key)) === JSON.stringify(after.get(key))) continue;
    const levels = aspects.map(({ level }) => level);
    if (levels.length === 0) continue;
    const widest = (['DOMAIN_PAUSE', 'ENTITY_PAUSE'] as const).find((level) =>
      levels.includes(level),
    );
    found.set(key, widest ?? 'DYNAMIC');
  }
  return found;
}

/** Nodes of one owner that get another one. */
function movedOf({ former, latter }: TwoEnds): readonly string[] {
  return latter.flatMap(({ kind, name, nodes: [owner, ...others] }) => {
    const old = former.find((entry) => entry.kind === kind && entry.name === name)?.nodes[0];
    const isListener = kind === 'ingestor' && others.length > 0;
    const isMoved = old !== undefined && owner !== undefined && old !== owner && !isListener;
    return isMoved ? [`${kind}/${name}`] : [];
  });
}

/** Nodes that have to stay with others, group by group. */
function groupsOf({ models }: End): readonly Keys[] {
  const input = { domain: 'taxi', models: domainModels(models), defaultPolicy: 'NEUTRAL' } as const;
  const outcome = domainPlacement(input);
  if (outcome.kind === 'rejected') throw new Error(outcome.refusal.message);
  const { groups, graph } = outcome.placement;
  return groups.map(({ members }) => {
    const keys = members.map((id) => graph.keys[id]);
    return new Set(keys.map((key) => `${key?.kind}/${key?.name}`));
  });
}

/** The nodes and all that hard groups at either end tie to them, however many groups away. */
function withGroups(nodes: readonly string[], ends: readonly End[]): Keys {
  const all = new Set(nodes);
  const groups = ends.flatMap(groupsOf);
  for (let size = -1; size !== all.size; ) {
    size = all.size;
    for (const group of groups) {
      if ([...group].some((key) => all.has(key))) for (const key of group) all.add(key);
    }
  }
  return all;
}

/** Whether nothing but building every node anew brings the one graph in place of the other. */
function isRebuild(before: End, after: End, changed: ReadonlyMap<string, Level>): boolean {
  const exempt = ['ingestor', 'reingestor', 'generator', 'emitter'];
  const keys = new Set([...before.executables, ...after.executables]);
  const isOther = [...keys].some((key) => {
    if (before.get(key) === undefined || after.get(key) === undefined) return true;
    const isExempt =
      exempt.includes(after.get(key)?.kind ?? '') && changed.get(key) === 'ENTITY_PAUSE';
    return !isExempt && before.form(key) !== after.form(key);
  });
  const isReplaced = [...changed.keys()].some((key) =>
    modelAspects(before.get(key), after.get(key)).some(
      ({ aspect }) => aspect === 'ENTITY_REPLACED',
    ),
  );
  return isOther || isReplaced || [...changed.values()].includes('DOMAIN_PAUSE');
}

/** Relays at one end that feed what is affected from outside of it, or from nowhere. */
function gatesOf(end: End, affected: Keys, isGate: (relay: string) => boolean): readonly string[] {
  const candidates = [...affected].flatMap((key) => {
    const model = end.get(key);
    if (model === undefined) return [];
    return model.kind === 'relay' ? [key].filter(isGate) : inputsOf(model);
  });
  return candidates.filter((relay) => {
    const producers = end.producers(relay);
    return producers.length === 0 || producers.some((key) => !affected.has(key));
  });
}

const sorted = (texts: Iterable<string>) => [...new Set(texts)].sort();
const NOTHING = {
  nodes: [],
  modelGate: [],
  ownershipGate: [],
  activations: [],
  rebuilds: [],
  flushes: [],
};

/** What a change has to come to, derived the long way from both ends of it. */
export function expectedImpact(ends: TwoEnds): Expected {
  const [before, after] = [new End(ends.before), new End(ends.after)];
  const changed = changedOf(before, after);
  const moved = movedOf(ends);
  if (!ends.isRunning || changed.size === 0) return { pause: 'NO_PAUSE', ...NOTHING };
  const at = (level: Level) =>
    [...changed].filter((entry) => entry[1] === level).map(([key]) => key);
  const runs = (end: End) => (key: string) => end.executables.includes(key);
  const updated = at('DYNAMIC')
    .filter(runs(after))
    .map((key) => `ACTIVATE ${after.coverage(key)}`);
  const ownership = moved.map((key) => `OWNERSHIP ${after.coverage(key)}`);
  const flushes = sorted(before.executables.map((key) => before.coverage(key)));
  if (isRebuild(before, after, changed)) {
    const all = after.executables.map((key) => after.coverage(key));
    return {
      ...NOTHING,
      pause: 'DOMAIN',
      activations: sorted([
        ...flushes.map((each) => `DEACTIVATE ${each}`),
        ...all.map((each) => `ACTIVATE ${each}`),
      ]),
      rebuilds: sorted([...all.map((each) => `CONFIGURATION ${each}`), ...ownership]),
      flushes,
    };
  }
  const replaced = at('ENTITY_PAUSE');
  const swapped = [...replaced, ...moved];
  if (swapped.length === 0) return { ...NOTHING, pause: 'NO_PAUSE', activations: sorted(updated) };
  const held = moved.length === 0 ? new Set<string>() : withGroups(moved, [before, after]);
  const sides = [before, after].map((end) => {
    const affected = end.downstream(replaced);
    const between = end.between(held);
    return {
      nodes: [...affected, ...between].filter(runs(end)).map((key) => end.coverage(key)),
      model: gatesOf(end, affected, (relay) => replaced.includes(relay)),
      ownership: gatesOf(end, between, () => true),
    };
  });
  const isPlaced = (relay: string) =>
    ends.former.some(({ kind, name }) => `${kind}/${name}` === relay);
  const names = (gates: readonly string[]) =>
    sorted(gates.filter(isPlaced).map((key) => key.slice(6)));
  return {
    pause: 'SUBGRAPH',
    nodes: sorted(sides.flatMap(({ nodes }) => nodes)),
    modelGate: names(sides.flatMap(({ model }) => model)),
    ownershipGate: names(sides.flatMap(({ ownership: gates }) => gates)),
    activations: sorted([
      ...swapped.filter(runs(before)).map((key) => `DEACTIVATE ${before.coverage(key)}`),
      ...swapped.map((key) => `ACTIVATE ${after.coverage(key)}`),
      ...updated,
    ]),
    rebuilds: sorted([
      ...replaced.map((key) => `CONFIGURATION ${after.coverage(key)}`),
      ...ownership,
    ]),
    flushes,
  };
}
