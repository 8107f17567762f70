import type { Model } from '@nervix/model';

/** The pause of a change of a domain that runs. */
export type Level = 'DYNAMIC' | 'ENTITY_PAUSE' | 'DOMAIN_PAUSE';

/** A value that a part of an entity may be given. */
export interface PartValue {
  readonly name: string;
  /** What ALTER says to give it. */
  readonly alter: string;
  /** What the canonical text of the model holds while the part has the value; null for nothing. */
  readonly shows: string | null;
  /** Entities that it refers to, as `kind name`. */
  readonly uses?: readonly string[];
}

/** A part of an entity that ALTER changes. */
export interface Part {
  readonly name: string;
  readonly level: Level;
  /** The first one is that of a new entity. */
  readonly values: readonly PartValue[];
  /** Whether a value may be given only where the part has another one. */
  readonly isStrict?: boolean;
}

/** Something that a domain may hold, told apart from what the planner knows of it. */
export interface Entity {
  readonly kind: Model['kind'];
  readonly name: string;
  /** How ALTER and DROP name it. */
  readonly label: string;
  /** The statement that creates it. */
  readonly create: string;
  /** Other entities that it refers to, as `kind name`; those of its parts come besides. */
  readonly uses: readonly string[];
  /** Whether it runs by itself, so that a graph with it is another graph. */
  readonly isExecutable: boolean;
  /** The resource that it mounts a version of; its statement says `VERSION LATEST`. */
  readonly mounts?: string;
  readonly parts: readonly Part[];
}

export function keyOf({ kind, name }: Pick<Entity, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

/** Graphs with a relay whose name starts so are refused by the data plane of the simulation. */
export const BAD = 'bad';

const ROUTE = 'INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG';
const FIELDS = '(id I64, tenant STRING)';
const SCHEMAS = ['sa', 'sb', 'sc'];

function value(name: string, alter: string, shows: string | null = name): PartValue {
  return { name, alter, shows };
}

const MODE: Part = {
  name: 'mode',
  level: 'ENTITY_PAUSE',
  values: [value('ATTACHED', 'SET ATTACHED'), value('DETACHED', 'SET DETACHED')],
};

function schema(name: string): Entity {
  const extra: Part = {
    name: 'extra',
    level: 'DOMAIN_PAUSE',
    isStrict: true,
    values: [
      value('without', 'DROP FIELD extra', null),
      value('extra I64', 'ADD FIELD extra I64 OPTIONAL'),
    ],
  };
  const create = `CREATE SCHEMA ${name} ${FIELDS};`;
  const label = `SCHEMA ${name}`;
  return { kind: 'schema', name, label, create, uses: [], isExecutable: false, parts: [extra] };
}

/** A relay; the schema that it is created with is the first of its values. */
function relay(name: string, schemas: readonly string[]): Entity {
  const capacity: Part = {
    name: 'capacity',
    level: 'DYNAMIC',
    values: ['8', '16', '64'].map((size) => {
      return value(size, `SET CAPACITY ${size}`, `CAPACITY ${size}`);
    }),
  };
  const of: Part = {
    name: 'schema',
    level: 'DOMAIN_PAUSE',
    values: schemas.map((each) => ({
      ...value(each, `SET SCHEMA ${each}`, `SCHEMA ${each} `),
      uses: [`schema ${each}`],
    })),
  };
  return {
    ...{ kind: 'relay', name, label: `RELAY ${name}`, uses: [], isExecutable: true },
    create: `CREATE RELAY ${name} SCHEMA ${schemas[0]} UNBRANCHED CAPACITY 8;`,
    parts: [capacity, of],
  };
}

const DEDUPLICATOR: Entity = {
  ...{ kind: 'deduplicator', name: 'once', label: 'DEDUPLICATOR once', isExecutable: true },
  create: `CREATE DEDUPLICATOR once FROM ra DEDUPLICATE ON input.id MAX TIME 10m UNBRANCHED
    TO rb ${ROUTE};`,
  uses: ['relay ra', 'relay rb'],
  parts: [
    MODE,
    {
      name: 'keys',
      level: 'ENTITY_PAUSE',
      values: [
        value('id', 'SET DEDUPLICATE ON input.id', 'ON input.id MAX'),
        value('both', 'SET DEDUPLICATE ON input.id, input.tenant', 'ON input.id, input.tenant MAX'),
      ],
    },
    {
      name: 'time',
      level: 'DYNAMIC',
      values: ['10m', '5m', '1h'].map((time) => {
        return value(time, `SET MAX TIME ${time}`, `MAX TIME ${time}`);
      }),
    },
  ],
};

const JUNCTION: Entity = {
  ...{ kind: 'junction', name: 'pass', label: 'JUNCTION pass', isExecutable: true },
  create: `CREATE JUNCTION pass FROM rb UNBRANCHED TO rc ${ROUTE};`,
  uses: ['relay rb', 'relay rc'],
  parts: [
    MODE,
    {
      name: 'where',
      level: 'DYNAMIC',
      values: [
        value('all', 'ALTER FROM rb DROP WHERE', null),
        value('few', 'ALTER FROM rb SET WHERE input.id > 7', 'WHERE input.id > 7'),
      ],
    },
    {
      name: 'second route',
      level: 'ENTITY_PAUSE',
      isStrict: true,
      values: [
        value('one', 'DROP ROUTE TO rd', null),
        { ...value('two', `ADD ROUTE TO rd ${ROUTE}`, 'TO rd'), uses: ['relay rd'] },
      ],
    },
  ],
};

const WINDOW: Entity = {
  ...{ kind: 'window_processor', name: 'totals', label: 'WINDOW PROCESSOR totals' },
  create: `CREATE WINDOW PROCESSOR totals FROM ra WIDTH 100 MESSAGES STEP 10 MESSAGES UNBRANCHED
    TO rd SET id = COUNT(input.id), tenant = LAST(input.tenant) ON MESSAGE ERROR LOG;`,
  uses: ['relay ra', 'relay rd'],
  isExecutable: true,
  parts: [],
};

const EMITTER: Entity = {
  ...{ kind: 'emitter', name: 'outlet', label: 'EMITTER outlet', isExecutable: true },
  create: `CREATE EMITTER outlet FROM rc TO HTTP desk METHOD 'POST' PATH '/out'
    MODE ACK RETRY POLICY BACKOFF 100ms MAX 5s ENCODE USING json INHERIT ALL
    FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG;`,
  uses: ['relay rc', 'client desk', 'codec json'],
  parts: [
    MODE,
    {
      name: 'flush',
      level: 'DYNAMIC',
      values: [
        value('FLUSH IMMEDIATE', 'SET FLUSH IMMEDIATE'),
        value('EACH 1s', 'SET FLUSH EACH 1s MAX BATCH SIZE 1MiB'),
      ],
    },
  ],
};

/** What emitters need around them. */
const OUTSIDE: readonly Entity[] = [
  {
    ...{ kind: 'schema', name: 'base', label: 'SCHEMA base', isExecutable: false, uses: [] },
    create: `CREATE SCHEMA base ${FIELDS};`,
    parts: [],
  },
  {
    ...{ kind: 'wire_json_schema', name: 'wire', label: 'WIRE JSON SCHEMA wire' },
    create: 'CREATE WIRE JSON SCHEMA wire MODE STRICT (id INTEGER, tenant STRING);',
    ...{ uses: [], isExecutable: false },
    parts: [
      {
        name: 'mode',
        level: 'DOMAIN_PAUSE',
        values: ['STRICT', 'LOOSE'].map((mode) => value(mode, `MODE ${mode}`, `MODE ${mode}`)),
      },
    ],
  },
  {
    ...{ kind: 'codec', name: 'json', label: 'CODEC json', isExecutable: false, parts: [] },
    create: 'CREATE CODEC json FROM WIRE JSON SCHEMA wire TO SCHEMA base;',
    uses: ['wire_json_schema wire', 'schema base'],
  },
  {
    ...{ kind: 'client', name: 'desk', label: 'CLIENT desk', isExecutable: false, parts: [] },
    create: `CREATE CLIENT desk TYPE HTTP
      CONFIG { 'endpoint' = 'http://127.0.0.1:9', 'timeout_ms' = 5000 };`,
    uses: [],
  },
];

/** The resource that clients mount. */
export const CERTS = 'certs';

function mounting(name: string): Entity {
  return {
    ...{ kind: 'client', name, label: `CLIENT ${name}`, isExecutable: false, parts: [] },
    create: `CREATE CLIENT ${name} TYPE HTTP MOUNT ${CERTS} VERSION LATEST
      CONFIG { 'endpoint' = 'https://127.0.0.1:9', 'timeout_ms' = 5000 };`,
    uses: [],
    mounts: CERTS,
  };
}

/** What mounts versions, used by a running graph and not. */
const MOUNTING: readonly Entity[] = [
  mounting('bound'),
  mounting('idle'),
  {
    ...{ kind: 'emitter', name: 'outbox', label: 'EMITTER outbox', isExecutable: true, parts: [] },
    create: `CREATE EMITTER outbox FROM rd TO HTTP bound METHOD 'POST' PATH '/out'
      MODE ACK RETRY POLICY BACKOFF 100ms MAX 5s ENCODE USING json INHERIT ALL
      FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG;`,
    uses: ['relay rd', 'client bound', 'codec json'],
  },
];

/** What HTTP ingestors need around them, and one. */
const INSIDE: readonly Entity[] = [
  {
    ...{ kind: 'vhost', name: 'host', label: 'VHOST host', isExecutable: false, parts: [] },
    create: 'CREATE VHOST host localhost;',
    uses: [],
  },
  {
    ...{ kind: 'endpoint', name: 'web', label: 'ENDPOINT web', isExecutable: false, parts: [] },
    create: "CREATE ENDPOINT web ON host PATH '/in' TYPE HTTP;",
    uses: ['vhost host'],
  },
  {
    ...{ kind: 'ingestor', name: 'inlet', label: 'INGESTOR inlet', isExecutable: true },
    create: `CREATE INGESTOR inlet FROM ENDPOINT web MODE NO_ACK SEQUENTIAL
      ON QUIESCE REJECT RETRY AFTER 1s DECODE USING json TIMESTAMP NOW
      FILTER WHERE input.id >= 0 TO ra INHERIT ALL UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG
      ON DECODE ERROR LOG ON GENERAL ERROR LOG;`,
    uses: ['relay ra', 'endpoint web', 'codec json'],
    parts: [
      {
        name: 'filter',
        level: 'ENTITY_PAUSE',
        values: [
          value('all', 'SET FILTER WHERE input.id >= 0', 'FILTER WHERE input.id >= 0'),
          value('few', 'SET FILTER WHERE input.id > 7', 'FILTER WHERE input.id > 7'),
        ],
      },
    ],
  },
];

const PLACEMENT: Entity = {
  ...{ kind: 'placement', name: 'near', label: 'PLACEMENT near', isExecutable: false },
  create: 'CREATE PLACEMENT near FROM ra TO rb REQUIRE COLOCATION RANK 1;',
  uses: ['relay ra', 'relay rb'],
  parts: [
    {
      name: 'rank',
      level: 'DYNAMIC',
      values: ['1', '2'].map((rank) => value(rank, `SET RANK ${rank}`, `RANK ${rank}`)),
    },
  ],
};

/** Relays alone, some of which no data plane takes: their nodes may be anywhere. */
export const RELAYS: readonly Entity[] = [
  ...SCHEMAS.map(schema),
  relay('ra', ['sa', 'sb', 'sc']),
  relay('rb', ['sb', 'sc', 'sa']),
  relay('rc', ['sc', 'sa', 'sb']),
  relay(`${BAD}_relay`, SCHEMAS),
];

/** A graph with processors and an emitter. */
export const PIPELINE: readonly Entity[] = [
  ...RELAYS,
  relay('rd', SCHEMAS),
  ...OUTSIDE,
  ...[DEDUPLICATOR, JUNCTION, WINDOW, EMITTER, PLACEMENT],
];

/** A graph that listens besides, which one node alone can run. */
export const LISTENING_PIPELINE: readonly Entity[] = [...PIPELINE, ...INSIDE];

/** A graph of which parts mount versions of a resource. */
export const MOUNTING_PIPELINE: readonly Entity[] = [...PIPELINE, ...MOUNTING];

/** All of it, in a cluster, where a graph that listens is refused by whoever does not own its relays. */
export const WHOLE_PIPELINE: readonly Entity[] = [...MOUNTING_PIPELINE, ...INSIDE];
