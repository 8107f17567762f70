const LINE_MAX = 100;
/** A word, or code or a link with everything in it. */
const WORD = /(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+/gu;

/** Text broken into lines between words. */
export function paragraph(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const [word] of text.matchAll(WORD)) {
    if (line !== '' && line.length + 1 + word.length > LINE_MAX - indent.length) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}

/** Points of a list. */
export function list(points: readonly string[]): string {
  return points.map((point) => `- ${paragraph(point, '  ')}`).join('\n');
}

/** A table; cells may hold anything but line breaks. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Statements as they are written. */
export function nspl(text: string): string {
  return `\`\`\`nspl\n${text}\n\`\`\``;
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** The anchor of a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/gu, '-');
}

/** Blocks of a document with an empty line between each two. */
export function document(blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
