import { LedgerMachine } from './ledger-machine.ts';

const text = new TextDecoder();

/** How a machine that a test wants to break behaves. */
export interface FragileOptions {
  readonly restoreFails?: boolean;
}

/** A ledger, as a worker loads it by its name. */
export function ledger(): LedgerMachine {
  return new LedgerMachine();
}

/** A ledger that takes its thread along when it is told to. */
export function fragile({ restoreFails = false }: FragileOptions = {}): LedgerMachine {
  const machine = new LedgerMachine();
  if (restoreFails) machine.restore = () => Promise.reject(new Error('cannot restore'));
  const apply = machine.apply.bind(machine);
  machine.apply = (entry, context) => {
    const command = text.decode(entry.payload);
    if (command === 'exit') process.exit(9);
    if (command === 'break') {
      queueMicrotask(() => {
        throw new Error('the thread broke');
      });
      return { writes: [], result: new Uint8Array(0) };
    }
    return apply(entry, context);
  };
  return machine;
}

/** No function. */
export const notAFunction = 7;

/** Admits the nodes whose names begin so. */
export function admission(prefix: string): (candidate: { readonly nodeId: string }) => boolean {
  return ({ nodeId }) => nodeId.startsWith(prefix);
}
