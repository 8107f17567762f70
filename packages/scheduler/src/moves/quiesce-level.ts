/** How much of a domain stands still while a planned change is made. */
export type MoveLevel = 'DYNAMIC' | 'ENTITY_PAUSE';

/** Work pauses only where an owner changes while its domain runs. */
export function moveLevel(hasRunningMove: boolean): MoveLevel {
  return hasRunningMove ? 'ENTITY_PAUSE' : 'DYNAMIC';
}
