/** `CREATE` or `CREATE IF NOT EXISTS`. */
export function createWords(ifNotExists: boolean): string {
  return ifNotExists ? 'CREATE IF NOT EXISTS' : 'CREATE';
}
