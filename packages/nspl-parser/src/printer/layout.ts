/** Lines of text; an indented block is a list of lines that each begin with spaces. */
export type Lines = readonly string[];

/** Moves lines one level to the right. */
export function indent(lines: Lines): Lines {
  return lines.map((line) => `  ${line}`);
}

/** A header and its clauses one level in; the last line ends the statement. */
export function clauseStatement(header: string, clauses: Lines): string {
  return `${[header, ...indent(clauses)].join('\n')};`;
}

/** A head line with nested clauses. */
export function group(head: string, nested: Lines): Lines {
  return [head, ...indent(nested)];
}

/** `SET ` and its items, each later item under the first. */
export function aligned(head: string, items: readonly string[]): Lines {
  const pad = ' '.repeat(head.length + 1);
  const last = items.length - 1;
  return items.map((item, index) => {
    const start = index === 0 ? `${head} ` : pad;
    return `${start}${item}${index === last ? '' : ','}`;
  });
}

function separated(items: readonly string[]): Lines {
  const last = items.length - 1;
  return indent(items.map((item, index) => (index === last ? item : `${item},`)));
}

/** `head {`, an item a line, `}`. */
export function block(head: string, items: readonly string[]): Lines {
  if (items.length === 0) return [`${head} {}`];
  return [`${head} {`, ...separated(items), '}'];
}

/** `header (`, an item a line, `);`. */
export function blockStatement(header: string, items: readonly string[]): string {
  if (items.length === 0) return `${header} ();`;
  return [`${header} (`, ...separated(items), ');'].join('\n');
}
