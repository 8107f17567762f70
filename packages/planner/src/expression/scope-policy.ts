/**
 * What an expression may read in one place of the language. A policy is fixed by the place; the
 * rows themselves come with the node.
 */
export interface ScopePolicy {
  /** The place, as messages name it. */
  readonly context: string;
  /** What a name without a scope reads. */
  readonly bare:
    | 'input'
    | 'working'
    | 'finished_output'
    | 'set_output'
    | 'built_branch'
    | 'error_record'
    /** What a model, guest or generator made. */
    | 'generated'
    /** The same, until an output field of the name is set. */
    | 'set_output_or_generated'
    | 'none';
  /** What `message.<field>` reads. */
  readonly message: 'input' | 'working' | 'finished_output' | 'none';
  readonly input: boolean;
  /** `set`: only fields assigned before; `finished`: every field of the complete record. */
  readonly output: 'none' | 'set' | 'finished';
  /** `key`: the present branch key; `built`: the key fields assigned before. */
  readonly branch: 'none' | 'key' | 'built';
  /** Which of `left` and `right` exist. */
  readonly sides: 'none' | 'left' | 'right' | 'both';
  /** `relay_state` of the declared dependencies. */
  readonly states: boolean;
  /** What the source tells about a payload. */
  readonly metadata: boolean;
  /** `error` and, where a route failed, `partial_output`. */
  readonly error: boolean;
  /** Headers of an ingestor's payload. */
  readonly headers: boolean;
  /** LOOKUP_HASH_MAP. */
  readonly lookups: boolean;
  /** Nothing may be read, and equal calls have equal results. */
  readonly isConstant: boolean;
  /** `calls`: aggregates may be called; `arguments`: this is the inside of such a call. */
  readonly aggregates: 'none' | 'calls' | 'arguments';
}

const NOTHING: ScopePolicy = {
  context: 'a constant',
  bare: 'none',
  message: 'none',
  input: false,
  output: 'none',
  branch: 'none',
  sides: 'none',
  states: false,
  metadata: false,
  error: false,
  headers: false,
  lookups: false,
  isConstant: false,
  aggregates: 'none',
};

const INPUT_ROW: ScopePolicy = { ...NOTHING, bare: 'input', message: 'input', input: true };
const PAYLOAD = { metadata: true, headers: true } as const;

export const INGESTOR_FILTER: ScopePolicy = {
  ...INPUT_ROW,
  ...PAYLOAD,
  context: 'an ingestor FILTER WHERE',
  lookups: true,
};

/** `FROM … WHERE` and `FILTER WHERE` of a processor. */
export const PROCESSOR_CONDITION: ScopePolicy = {
  ...INPUT_ROW,
  context: 'FROM WHERE or FILTER WHERE',
  branch: 'key',
  states: true,
  lookups: true,
};

/** `FROM … WHERE` of an emitter, which may read relays of several branches. */
export const EMITTER_CONDITION: ScopePolicy = {
  ...INPUT_ROW,
  context: 'an emitter FROM WHERE',
  states: true,
  lookups: true,
};

/** Keys and orders: DEDUPLICATE ON, BY of a reorderer and INPUTS of an inferencer. */
export const DEDUPLICATE_ON: ScopePolicy = {
  ...INPUT_ROW,
  context: 'DEDUPLICATE ON',
  branch: 'key',
};
export const REORDER_BY: ScopePolicy = { ...DEDUPLICATE_ON, context: 'a reorderer BY' };
export const INFERENCER_INPUTS: ScopePolicy = { ...DEDUPLICATE_ON, context: 'inferencer INPUTS' };

/** METHOD, PATH, FIFO GROUP and the WHERE of an emitter without a body. */
export const EMITTER_SOURCE: ScopePolicy = {
  ...INPUT_ROW,
  context: 'an emitter source expression',
  states: true,
  lookups: true,
};
/** VALUES and ATTRIBUTES. */
export const EMITTER_VALUES: ScopePolicy = {
  ...EMITTER_SOURCE,
  context: 'emitter VALUES or ATTRIBUTES',
  lookups: false,
};

export const SUBSCRIPTION_WHERE: ScopePolicy = { ...INPUT_ROW, context: 'a subscription WHERE' };

const TRANSFORMING_SET: ScopePolicy = {
  ...NOTHING,
  bare: 'working',
  message: 'working',
  input: true,
  output: 'set',
  lookups: true,
};

export const INGESTOR_SET: ScopePolicy = {
  ...TRANSFORMING_SET,
  ...PAYLOAD,
  context: 'an ingestor route SET',
};
export const PROCESSOR_SET: ScopePolicy = {
  ...TRANSFORMING_SET,
  context: 'a route SET',
  branch: 'key',
  states: true,
};
export const EMITTER_SET: ScopePolicy = {
  ...TRANSFORMING_SET,
  context: 'an emitter SET',
  states: true,
};

const FINISHED: ScopePolicy = {
  ...NOTHING,
  bare: 'finished_output',
  message: 'finished_output',
  input: true,
  output: 'finished',
  lookups: true,
};

export const INGESTOR_ROUTE_WHERE: ScopePolicy = {
  ...FINISHED,
  ...PAYLOAD,
  context: 'an ingestor route WHERE',
};
export const PROCESSOR_ROUTE_WHERE: ScopePolicy = {
  ...FINISHED,
  context: 'a route WHERE',
  branch: 'key',
  states: true,
};
/** WHERE and INVOKE of an emitter with a body. */
export const EMITTER_FINISHED: ScopePolicy = {
  ...FINISHED,
  context: 'an emitter WHERE or INVOKE',
  states: true,
};

/** `BRANCHED BY … SET` of an ingestor. */
export const BRANCH_SET: ScopePolicy = {
  ...FINISHED,
  ...PAYLOAD,
  context: 'a branch SET',
  bare: 'built_branch',
  branch: 'built',
};
/** The same of a reingestor, whose sources may be materialized. */
export const REINGESTOR_BRANCH_SET: ScopePolicy = {
  ...BRANCH_SET,
  metadata: false,
  headers: false,
  states: true,
};

/** Routes that build a record from something other than one input row. */
const SET_ONLY: ScopePolicy = { ...NOTHING, output: 'set', branch: 'key', states: true };
const SET_ONLY_WHERE: ScopePolicy = {
  ...SET_ONLY,
  bare: 'finished_output',
  output: 'finished',
};

export const GENERATOR_SET: ScopePolicy = {
  ...SET_ONLY,
  context: 'a generator SET',
  bare: 'generated',
};
export const GENERATOR_ROUTE_WHERE: ScopePolicy = {
  ...SET_ONLY_WHERE,
  context: 'a generator route WHERE',
};
/** SET of an inferencer or a WASM processor. */
export const GUEST_SET: ScopePolicy = {
  ...SET_ONLY,
  context: 'an inferencer or WASM route SET',
  bare: 'set_output_or_generated',
  lookups: true,
};
export const GUEST_ROUTE_WHERE: ScopePolicy = {
  ...SET_ONLY_WHERE,
  context: 'an inferencer or WASM route WHERE',
  lookups: true,
};

export const CORRELATOR_LEFT_WHERE: ScopePolicy = {
  ...NOTHING,
  context: 'a correlator LEFT FROM WHERE',
  bare: 'input',
  message: 'input',
  input: true,
  branch: 'key',
  sides: 'left',
};
export const CORRELATOR_RIGHT_WHERE: ScopePolicy = {
  ...CORRELATOR_LEFT_WHERE,
  context: 'a correlator RIGHT FROM WHERE',
  sides: 'right',
};
export const CORRELATE_WHERE: ScopePolicy = {
  ...NOTHING,
  context: 'CORRELATE WHERE',
  branch: 'key',
  sides: 'both',
  states: true,
};
export const CORRELATOR_SET: ScopePolicy = {
  ...SET_ONLY,
  context: 'a correlator route SET',
  sides: 'both',
};
export const CORRELATOR_ROUTE_WHERE: ScopePolicy = {
  ...SET_ONLY_WHERE,
  context: 'a correlator route WHERE',
};

export const WINDOW_SET: ScopePolicy = {
  ...SET_ONLY,
  context: 'a window route SET',
  bare: 'set_output',
  aggregates: 'calls',
};
export const AGGREGATE_ARGUMENT: ScopePolicy = {
  ...NOTHING,
  context: 'a window aggregate argument',
  input: true,
  aggregates: 'arguments',
};
export const WINDOW_ROUTE_WHERE: ScopePolicy = {
  ...SET_ONLY_WHERE,
  context: 'a window route WHERE',
  lookups: true,
};

/** ON MESSAGE ERROR SEND TO … SET; the record under construction is the error record. */
export const ERROR_SET: ScopePolicy = {
  ...NOTHING,
  context: 'an error record SET',
  bare: 'error_record',
  input: true,
  branch: 'key',
  states: true,
  error: true,
};
export const INGESTOR_ERROR_SET: ScopePolicy = {
  ...ERROR_SET,
  branch: 'none',
  states: false,
  headers: true,
};
/** The same of a correlator, which has two rows. */
export const CORRELATOR_ERROR_SET: ScopePolicy = { ...ERROR_SET, input: false, sides: 'both' };
/** ON DECODE ERROR SEND TO … SET: there is no row, only the payload. */
export const DECODE_ERROR_SET: ScopePolicy = {
  ...INGESTOR_ERROR_SET,
  context: 'a decode error SET',
  input: false,
  metadata: true,
};

/** DEFAULT of a materialized dependency. */
export const MATERIALIZED_DEFAULT: ScopePolicy = {
  ...NOTHING,
  context: 'a materialized-state DEFAULT',
  isConstant: true,
};
