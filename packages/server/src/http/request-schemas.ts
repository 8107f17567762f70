const UUID_V7 =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-7[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$';
const POSITION_MAX = 2_147_483_647;

/** A JSON schema as the validator and the API description take it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Body of `POST /api/v1/commands`. */
export const commandRequestSchema: JsonSchema = {
  type: 'object',
  required: ['query'],
  additionalProperties: false,
  properties: {
    query: { type: 'string', minLength: 1 },
    domain: { type: 'string', minLength: 1 },
    execution_reference: { type: 'string', pattern: UUID_V7 },
    expected_transaction_position: { type: 'integer', minimum: 0, maximum: POSITION_MAX },
    expected_preview: {
      type: 'object',
      required: ['transaction_id', 'position', 'planning_basis'],
      additionalProperties: false,
      properties: {
        transaction_id: { type: 'string', minLength: 1 },
        position: { type: 'integer', minimum: 0, maximum: POSITION_MAX },
        planning_basis: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      },
    },
    transaction: { type: 'string', minLength: 1 },
  },
};

/** Query parameters of a command; those of a JSON body win over them. */
export const commandQuerySchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    domain: { type: 'string', minLength: 1 },
    transaction: { type: 'string', minLength: 1 },
    expected_transaction_position: { type: 'string', pattern: '^(?:0|[1-9][0-9]{0,8})$' },
  },
};

/** Query parameters of a row stream. */
export const rowsQuerySchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    where: { type: 'string', minLength: 1 },
    // A number from 0 to 1 in any spelling of a double; the pattern leaves the range to the reader.
    sample: { type: 'string', pattern: '^[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$' },
    delivery: { type: 'string', enum: ['blocking', 'dropping'] },
  },
};

/** Query of the report of a transaction. */
export const inspectionQuerySchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { operation: { type: 'string', pattern: '^[1-9][0-9]{0,17}$' } },
};

/** Most characters of a key of a secret. */
const SECRET_KEY_LENGTH_MAX = 256;

/** Query of a value of a secret. */
export const secretQuerySchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { key: { type: 'string', minLength: 1, maxLength: SECRET_KEY_LENGTH_MAX } },
};

/** Query of requests that take no parameter. */
export const emptyQuerySchema: JsonSchema = { type: 'object', additionalProperties: false };
