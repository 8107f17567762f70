import type { ReadStream } from 'node:tty';
import { CancelledError } from '../errors.js';

const endOfText = '\u0003';
const endOfTransmission = '\u0004';
const erasures: ReadonlySet<string> = new Set(['\u0008', '\u007f']);

/**
 * Asks for the password on a terminal, without showing what is typed.
 *
 * @param write shows the question
 */
export function promptPassword(
  terminal: ReadStream,
  write: (text: string) => void,
  user: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const typed: string[] = [];
    const finish = (settle: () => void): void => {
      terminal.off('data', onData);
      terminal.setRawMode(false);
      terminal.pause();
      write('\n');
      settle();
    };
    const onData = (chunk: Buffer): void => {
      for (const key of chunk.toString('utf8')) {
        if (key === '\r' || key === '\n' || key === endOfTransmission) {
          finish(() => resolve(typed.join('')));
          return;
        }
        if (key === endOfText) {
          finish(() => reject(new CancelledError('before_send')));
          return;
        }
        if (erasures.has(key)) typed.pop();
        else if (key >= ' ') typed.push(key);
      }
    };
    write(`password of '${user}': `);
    terminal.setRawMode(true);
    terminal.on('data', onData);
    terminal.resume();
  });
}
