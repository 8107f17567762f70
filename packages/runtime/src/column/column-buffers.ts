import { giveBack, keepBuffer } from './buffer-pool.js';
import type { Column } from './column.js';

/** Gives the buffers of columns back, with which everything that shares them becomes empty. */
export function giveColumnsBack(columns: readonly Column[]): void {
  for (const column of columns) eachBuffer(column, giveBack);
}

/** Keeps the buffers of a column from being given back, whoever shares them. */
export function keepColumn(column: Column): void {
  eachBuffer(column, keepBuffer);
}

function eachBuffer(column: Column, visit: (buffer: ArrayBufferLike) => void): void {
  if (column.validity !== null) visit(column.validity.buffer);
  switch (column.kind) {
    case 'fixed':
      visit(column.values.buffer);
      return;
    case 'boolean':
      visit(column.bits.buffer);
      return;
    case 'binary':
      visit(column.offsets.buffer);
      visit(column.bytes.buffer);
      return;
    case 'vec':
      visit(column.offsets.buffer);
      eachBuffer(column.child, visit);
      return;
    case 'array':
      eachBuffer(column.child, visit);
  }
}
