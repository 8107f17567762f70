import { NervixError } from '@nervix/model';

/**
 * Thrown for a model that no text reads back as: one with a number that is not finite, or with a
 * name that the language does not have. What the parser has read can always be printed.
 */
export class UnprintableError extends NervixError<'NSPL_UNPRINTABLE'> {
  override readonly name = 'UnprintableError';

  constructor(message: string) {
    super('NSPL_UNPRINTABLE', message);
  }
}
