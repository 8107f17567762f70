import { PLACEMENT_POLICY } from './administration-clauses.js';
import { RESOURCE_VERSION } from './connector-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import { BRANCHING, IF_NOT_EXISTS } from './graph-clauses.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Relays and lookups', title, draft);

/** What connects the nodes of the graph and what expressions may call upon. */
export const RELAY_STATEMENTS: readonly StatementEntry[] = [
  entry('CREATE RELAY', {
    summary:
      'Creates a relay: the typed, bounded channel through which nodes of the graph pass batches on.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause('SCHEMA', 'The schema of its records.'),
      uses(BRANCHING),
      clause('CAPACITY', 'Batches that may wait in it; producers wait when it is full.', '1'),
      clause(
        'WITH MATERIALIZED STATE LAST BY TIMESTAMP',
        'Keeps the latest record, of each branch, readable for other nodes and for `SHOW RELAY`.',
        'nothing is kept',
      ),
    ],
    notes: ['`message` and `branch` are no names for relays.'],
    examples: [
      'CREATE RELAY readings SCHEMA reading UNBRANCHED;',
      `CREATE RELAY trips SCHEMA trip BRANCHED BY by_city CAPACITY 16
  WITH MATERIALIZED STATE LAST BY TIMESTAMP;`,
    ],
    seeAlso: ['create-branch', 'alter-relay', 'describe-relay', 'create-subscription'],
  }),
  entry('CREATE HASH MAP', {
    summary:
      'Loads a file of a resource as a table that expressions look values up in, with ' +
      "`LOOKUP_HASH_MAP('name', key, 'field')`.",
    clauses: [
      uses(IF_NOT_EXISTS),
      clause('KEY', 'The field to look up by.'),
      clause('FROM RESOURCE', 'The resource with the file.'),
      uses(RESOURCE_VERSION),
      clause('PATH', 'The file within the resource.'),
      clause('DECODE USING', 'The codec that reads it.'),
    ],
    examples: [
      `CREATE HASH MAP cities KEY code FROM RESOURCE tables VERSION LATEST
  PATH 'cities.json' DECODE USING city_codec;`,
    ],
    seeAlso: ['lookup', 'rebind-resource', 'create-codec'],
  }),
  entry('CREATE UDF', {
    summary: 'Defines a function that expressions call as `udf::name(…)`.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause(
        'WITH ECMASCRIPT_2023',
        'The code is ECMAScript and declares a function of the name of the UDF.',
      ),
      clause(
        'WITH ROTO_0_13',
        'The code is Roto. It is kept, printed and checked by its declaration, but no node runs it.',
      ),
      clause('ARGS', 'One to eight arguments with their types.'),
      clause('RETURNS', 'Type of the result.'),
      clause('OPTIONAL', 'The argument or the result before it may be null.', 'it is never null'),
      clause(
        'VOLATILE',
        'Equal arguments may give different results; only then may the code read time and randomness.',
        'equal arguments give equal results',
      ),
      clause('CODE', 'The code, best between dollar quotes; at most 64 KiB.'),
    ],
    notes: [
      'Names that begin with `__nervix_` are reserved.',
      '`docs/reference/udf-ecmascript.md` tells what code in ECMAScript may use, how values look ' +
        'in it and what it may cost.',
    ],
    examples: [
      `CREATE UDF fahrenheit
  WITH ECMASCRIPT_2023
  ARGS (celsius F64)
  RETURNS F64
  CODE $js$
function fahrenheit(celsius) { return celsius * 1.8 + 32; }
test('water boils', () => fahrenheit(100) === 212);
$js$;`,
      `CREATE IF NOT EXISTS UDF jitter
  WITH ECMASCRIPT_2023
  ARGS (base F64, spread F64 OPTIONAL)
  RETURNS F64
  VOLATILE
  CODE $$function jitter(base, spread) { return base + rand_f64() * (spread ?? 1); }$$;`,
      `CREATE UDF double
  WITH ROTO_0_13
  ARGS (x F64)
  RETURNS F64
  CODE $roto$fn double(x: F64Column) -> F64Column { x * 2.0 }$roto$;`,
    ],
    seeAlso: ['show-udfs', 'describe-model'],
  }),
  entry('CREATE PLACEMENT', {
    summary:
      'States how close to each other the nodes on every way from some members of the graph to others are ' +
      'to run.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause('FROM', 'Where the ways begin.'),
      clause('TO', 'Where the ways end.'),
      uses(PLACEMENT_POLICY),
      clause(
        'RANK',
        'Lower numbers win over higher ones and over rules without a rank. Not 0.',
        'weaker than any rank',
      ),
    ],
    notes: [
      'Members are named without their kind.',
      'Rules of one rank must not disagree about a pair of nodes.',
    ],
    examples: [
      'CREATE PLACEMENT together FROM trips_in TO split_trips REQUIRE COLOCATION;',
      `CREATE PLACEMENT apart FROM trips_in, legacy_in TO trips_to_pg
  SUGGEST SEPARATION RANK 2;`,
    ],
    seeAlso: ['alter-placement', 'explain-placement', 'show-placements', 'relocate'],
  }),
];
