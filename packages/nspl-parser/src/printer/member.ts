import { type RuntimeMember, statementWords } from '@nervix/model';

/** `RELAY r`, `WINDOW PROCESSOR w`. */
export function printMember({ kind, name }: RuntimeMember): string {
  return `${statementWords(kind)} ${name}`;
}
