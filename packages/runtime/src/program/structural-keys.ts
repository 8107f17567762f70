import { BUILTIN_FUNCTIONS, type TypedExpression, typedNodes, typedParts } from '@nervix/model';

/**
 * Numbers of expressions by their structure: two that give one value for each row have one number,
 * wherever they stand in the statement.
 */
export class StructuralKeys {
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<TypedExpression, number | null>();

  /** @returns undefined for an expression whose every occurrence may differ */
  keyOf(expression: TypedExpression): number | undefined {
    const key = this.#known.get(expression);
    if (key !== undefined) return key ?? undefined;
    // Parts before what they are in, without a call for each link of a chain.
    for (const node of [...typedNodes(expression)].reverse()) {
      if (!this.#known.has(node)) this.#known.set(node, this.#number(node));
    }
    return this.#known.get(expression) ?? undefined;
  }

  #number(expression: TypedExpression): number | null {
    if (isVolatile(expression)) return null;
    const parts: number[] = [];
    for (const part of typedParts(expression)) {
      const key = this.#known.get(part) ?? null;
      if (key === null) return null;
      parts.push(key);
    }
    const text = JSON.stringify([expression.kind, expression.type, ownFacts(expression), parts]);
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}

function isVolatile(expression: TypedExpression): boolean {
  if (expression.kind === 'udf_call') return expression.volatile;
  if (expression.kind !== 'call') return false;
  return BUILTIN_FUNCTIONS.get(expression.function)?.stability === 'volatile';
}

/** What distinguishes a node beside its parts. */
function ownFacts(expression: TypedExpression): readonly unknown[] {
  switch (expression.kind) {
    case 'literal': {
      const { value } = expression;
      return [Object.is(value, -0) ? '-0' : value];
    }
    case 'column':
      return [expression.row, expression.field];
    case 'state':
      return [expression.relay, expression.field];
    case 'unary':
    case 'binary':
      return [expression.operator];
    case 'distinct':
    case 'in':
    case 'between':
      return [expression.negated];
    case 'cast':
      return [expression.isTry];
    case 'case':
      return [expression.operand === null, expression.otherwise === null];
    case 'call':
      return [expression.overload];
    case 'udf_call':
      return [expression.name];
    case 'lookup':
      return [expression.map, expression.field];
    case 'json_read':
      return [expression.isTry, expression.path];
    case 'json_exists':
      return [expression.path];
    case 'aggregate':
      return [expression.index];
    case 'list':
      return [];
  }
}
