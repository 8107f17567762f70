import type { EmitterPlan, SchemaPlan } from '@nervix/model';
import type { RowEncoder } from '../codec/payload-codec.js';
import { readValue } from '../column/column.js';
import type { PreparedRequest } from '../connector/http/http-sink.js';
import {
  checkHeader,
  checkMethod,
  checkPath,
  joinHeaders,
} from '../connector/http/request-rules.js';
import { compileExpressions, type Expressions } from '../program/compile-expressions.js';
import type { ExecutionSnapshot, RowFailure, RowSchemas, RowSet } from '../program/row-set.js';
import type { FailureCause } from './message-failure.js';

/** What became of each row of a batch: a request that is ready, or why there is none. */
export interface BuiltRequests {
  /** By row; undefined for rows that failed. */
  readonly requests: readonly (PreparedRequest | undefined)[];
  /** Failures of expressions. */
  readonly expressionFailures: readonly RowFailure[];
  /** Failures of the values themselves. */
  readonly refused: readonly FailureCause[];
}

/** Evaluates and encodes requests once; their bytes never change afterwards. */
export class RequestBuilder {
  readonly #label: string;
  readonly #encoder: RowEncoder | null;
  readonly #method: Expressions;
  readonly #path: Expressions;
  readonly #headers: readonly Expressions[];

  constructor(options: {
    readonly label: string;
    readonly plan: EmitterPlan;
    readonly inputSchema: SchemaPlan;
    readonly outputSchema: SchemaPlan | null;
    readonly encoder: RowEncoder | null;
  }) {
    const { plan, outputSchema } = options;
    const schemas: RowSchemas =
      outputSchema === null
        ? { input: options.inputSchema }
        : { input: options.inputSchema, output: outputSchema };
    this.#label = options.label;
    this.#encoder = options.encoder;
    this.#method = compileExpressions([plan.sink.method], schemas, 'publish');
    this.#path = compileExpressions([plan.sink.path], schemas, 'publish');
    this.#headers = plan.headers.map(({ name, value }) =>
      compileExpressions([name, value], schemas, 'invoke'),
    );
  }

  /** @param rows the rows read, with the finished records as `output` when there are any */
  build(rows: RowSet, snapshot: ExecutionSnapshot): BuiltRequests {
    const failureOf = new Map<number, RowFailure>();
    const note = (failures: readonly RowFailure[], operationIndex: number | null): void => {
      for (const failure of failures) {
        if (!failureOf.has(failure.row)) failureOf.set(failure.row, { ...failure, operationIndex });
      }
    };
    const headers = this.#headers.map((expressions, index) => {
      const result = expressions.evaluate(rows, snapshot);
      note(result.failures, index);
      return result.columns;
    });
    const method = this.#method.evaluate(rows, snapshot);
    note(method.failures, null);
    const path = this.#path.evaluate(rows, snapshot);
    note(path.failures, null);
    const refused: FailureCause[] = [];
    const requests: (PreparedRequest | undefined)[] = [];
    for (let row = 0; row < rows.rowCount; row += 1) {
      requests.push(undefined);
      if (failureOf.has(row)) continue;
      const text = (columns: typeof method.columns, index: number): string => {
        const column = columns[index];
        return column === undefined ? '' : String(readValue(column, row));
      };
      const built = this.#buildRow(rows, row, {
        method: text(method.columns, 0),
        path: text(path.columns, 0),
        headers: headers.map((columns) => [text(columns, 0), text(columns, 1)] as const),
      });
      if ('operation' in built) refused.push(built);
      else requests[row] = built;
    }
    return { requests, expressionFailures: [...failureOf.values()], refused };
  }

  #buildRow(
    rows: RowSet,
    row: number,
    values: {
      readonly method: string;
      readonly path: string;
      readonly headers: readonly (readonly [string, string])[];
    },
  ): PreparedRequest | FailureCause {
    const fail = (
      operation: 'publish' | 'invoke' | 'encode',
      operationIndex: number | null,
      path: string | undefined,
      reason: string,
    ): FailureCause => ({
      row,
      code: 'validation',
      message: `${this.#label}: ${reason}`,
      operation,
      operationIndex,
      paths: path === undefined ? [] : [path],
    });
    const body =
      rows.output === undefined ? null : (this.#encoder?.encode(rows.output, row) ?? null);
    if (body !== null && 'kind' in body) {
      const path = body.field === undefined ? undefined : `output.${body.field}`;
      return fail('encode', null, path, body.message);
    }
    for (const [index, [name, value]] of values.headers.entries()) {
      const reason = checkHeader(name, value);
      if (reason !== null) return fail('invoke', index, undefined, reason);
    }
    const headers = joinHeaders(values.headers);
    if (headers.kind === 'refused') return fail('invoke', null, undefined, headers.reason);
    const method = checkMethod(values.method, body !== null);
    if (method.kind === 'refused') return fail('publish', null, 'method', method.reason);
    const path = checkPath(values.path);
    if (path.kind === 'refused') return fail('publish', null, 'path', path.reason);
    return { method: method.value, path: path.value, headers: headers.value, body };
  }
}
