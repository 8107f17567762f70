import { printStatement } from '../printer/statement.js';
import type { ScriptItem, StatementItem } from './script-items.js';

/** What begins a line of the result, with what goes before and behind it. */
interface Block {
  readonly item: ScriptItem;
  text: string;
  /** Whether the author left a blank line in front of it. */
  readonly isSetOff: boolean;
  /** Whether the statement takes several lines. */
  readonly isTall: boolean;
}

/**
 * Canonical layout of a script: every statement as it prints, unless it has comments inside;
 * comments where they were. Blank lines at the author's choice, at most one, and always one beside
 * statements of several lines.
 *
 * @throws what the printer throws
 */
export function layOut(text: string, items: readonly ScriptItem[]): string {
  const blocks = blocksOf(text, items);
  const described = describedBlocks(blocks);
  const parts = blocks.map((block, index) => {
    const previous = blocks[index - 1];
    if (previous === undefined) return block.text;
    const isApart = previous.isTall || described[index]?.isTall === true;
    const isAfterStatement = previous.item.kind === 'statement' && described[index] !== undefined;
    const hasBlankLine = block.isSetOff || (isAfterStatement && isApart);
    return `${hasBlankLine ? '\n\n' : '\n'}${block.text}`;
  });
  return `${parts.join('')}\n`;
}

function blocksOf(text: string, items: readonly ScriptItem[]): readonly Block[] {
  const blocks: Block[] = [];
  let end = 0;
  for (const item of items) {
    const gap = text.slice(end, item.start);
    end = item.end;
    const previous = blocks.at(-1);
    const isBeside = previous?.item.kind === 'statement' && !gap.includes('\n');
    if (item.kind === 'comment' && previous !== undefined && isBeside) {
      previous.text += ` ${item.source}`;
      continue;
    }
    const printed = item.kind === 'comment' ? item.source : statementText(item);
    blocks.push({
      item,
      text: printed,
      isSetOff: /\n[^\n;]*\n/u.test(gap),
      isTall: item.kind === 'statement' && printed.includes('\n'),
    });
  }
  return blocks;
}

function statementText({ hasComment, source, statement }: StatementItem): string {
  // The text is the author's own: a password in it stays, or it would be lost.
  return hasComment ? source : printStatement(statement, { withSecrets: true });
}

/**
 * The statement that each block belongs to: itself, or for a comment the statement that follows
 * without a blank line in between.
 */
function describedBlocks(blocks: readonly Block[]): readonly (Block | undefined)[] {
  const described: (Block | undefined)[] = new Array<undefined>(blocks.length).fill(undefined);
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const block = blocks[index];
    const isAttached = blocks[index + 1]?.isSetOff === false;
    if (block?.item.kind === 'statement') described[index] = block;
    else if (isAttached) described[index] = described[index + 1];
  }
  return described;
}
