/** A piece of a grammar as plain data, for documentation and tools. */
export type GrammarNode =
  /** A keyword in canonical spelling. */
  | { readonly kind: 'keyword'; readonly text: string }
  | { readonly kind: 'punctuation'; readonly text: string }
  /** A token whose text varies: a name, a number, a string. The label says what for. */
  | { readonly kind: 'value'; readonly label: string }
  /** Whatever another rule reads; a label says what it stands for here. */
  | { readonly kind: 'rule'; readonly name: string; readonly label?: string }
  | { readonly kind: 'sequence'; readonly items: readonly GrammarNode[] }
  | { readonly kind: 'choice'; readonly alternatives: readonly GrammarNode[] }
  | { readonly kind: 'optional'; readonly item: GrammarNode }
  /** Once or more often, perhaps with something between each two. */
  | {
      readonly kind: 'repeat';
      readonly item: GrammarNode;
      readonly separator: GrammarNode | null;
    };

/** Rules by name. */
export type GrammarRules = ReadonlyMap<string, GrammarNode>;

/** Whether two pieces are the same. */
export function isSameNode(left: GrammarNode, right: GrammarNode): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Pieces in a row, without rows inside the row. */
export function sequenceOf(items: readonly GrammarNode[]): GrammarNode {
  const flat = items.flatMap((item) => (item.kind === 'sequence' ? item.items : [item]));
  const [only] = flat;
  return only !== undefined && flat.length === 1 ? only : { kind: 'sequence', items: flat };
}

/** One of several pieces; equal ones count once, and an empty one makes the rest optional. */
export function choiceOf(alternatives: readonly GrammarNode[]): GrammarNode {
  const flat = alternatives.flatMap((each) =>
    each.kind === 'choice' ? each.alternatives : [each],
  );
  const distinct = flat.filter(
    (each, index) =>
      !isEmpty(each) && !flat.slice(0, index).some((other) => isSameNode(each, other)),
  );
  const [only] = distinct;
  const choice: GrammarNode =
    only !== undefined && distinct.length === 1 ? only : { kind: 'choice', alternatives: distinct };
  return flat.some(isEmpty) ? optionalOf(choice) : choice;
}

/** A piece that may be left out. */
export function optionalOf(item: GrammarNode): GrammarNode {
  return item.kind === 'optional' || isEmpty(item) ? item : { kind: 'optional', item };
}

/** Whether there is nothing in a piece. */
export function isEmpty(node: GrammarNode): boolean {
  if (node.kind === 'sequence') return node.items.length === 0;
  return node.kind === 'choice' && node.alternatives.length === 0;
}

/** The piece with the pieces that it consists of replaced by what `change` makes of them. */
export function mapParts(
  node: GrammarNode,
  change: (part: GrammarNode) => GrammarNode,
): GrammarNode {
  switch (node.kind) {
    case 'sequence':
      return sequenceOf(node.items.map(change));
    case 'choice':
      return choiceOf(node.alternatives.map(change));
    case 'optional':
      return optionalOf(change(node.item));
    case 'repeat': {
      const separator = node.separator === null ? null : change(node.separator);
      return { kind: 'repeat', item: change(node.item), separator };
    }
    default:
      return node;
  }
}

/** The pieces that a piece consists of. */
export function partsOf(node: GrammarNode): readonly GrammarNode[] {
  switch (node.kind) {
    case 'sequence':
      return node.items;
    case 'choice':
      return node.alternatives;
    case 'optional':
      return [node.item];
    case 'repeat':
      return node.separator === null ? [node.item] : [node.item, node.separator];
    default:
      return [];
  }
}

/** Names of the rules that a piece refers to, each once, in order. */
export function referencedRules(node: GrammarNode): readonly string[] {
  if (node.kind === 'rule') return [node.name];
  return [...new Set(partsOf(node).flatMap(referencedRules))];
}
