/** The node stopped before something came to its end; a start or a repetition goes on with it. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';

  constructor() {
    super('the node stopped');
  }
}
