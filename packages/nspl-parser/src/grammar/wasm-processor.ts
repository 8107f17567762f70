import { type AckParticipation, readByteCount, type WasmProcessorModel } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import { type LiteralRules, takePositive, takeResourceBinding } from './literals.js';
import type { ProcessorClauseRules } from './processor-clauses.js';
import type { RouteRules } from './route.js';

const K = keywords(
  'WASM',
  'PROCESSOR',
  'USING',
  'RESOURCE',
  'FILE',
  'MAX',
  'FUEL',
  'MEMORY',
  'ON',
  'REJECTED',
  'STATE',
  'PRESERVE',
  'RESET',
);

const NAME = label('wasm_processor_name');
const FILE = label('string_literal');
const FUEL = label('number_literal');

/** `WASM PROCESSOR name FROM … USING RESOURCE … FILE … MAX FUEL … MAX MEMORY …`. */
export function defineWasmProcessor(
  g: GrammarHost,
  literals: LiteralRules,
  rules: { readonly routes: RouteRules; readonly processors: ProcessorClauseRules },
): Rule<WasmProcessorModel, [AckParticipation]> {
  const guest = defineGuest(g, literals);
  const rejectedState = defineRejectedState(g);
  return g.rule('wasmProcessor', (acknowledgement: AckParticipation): WasmProcessorModel => {
    g.take(K.WASM);
    g.take(K.PROCESSOR);
    const name = g.name(NAME);
    const { inputs, filter } = g.call(rules.processors.intake);
    const { resource, file, maxFuel, maxMemory } = g.call(guest);
    const { branching, dependencies } = g.call(rules.processors.setting);
    const outputs = g.oneOrMore(0, () => g.call(rules.routes.wasmRoute));
    const onRejectedState = g.maybe(1, () => g.call(rejectedState)) ?? 'PRESERVE';
    const globalError = g.call(rules.routes.globalError);
    const model: WasmProcessorModel = {
      kind: 'wasm_processor',
      name,
      acknowledgement,
      inputs,
      filter,
      resource,
      file,
      maxFuel,
      maxMemory,
      branching,
      dependencies,
      routes: outputs,
      onRejectedState,
      globalError,
    };
    return g.close(model, 0);
  });
}

type Guest = Pick<WasmProcessorModel, 'resource' | 'file' | 'maxFuel' | 'maxMemory'>;

/** The program and the limits it runs in. */
function defineGuest(g: GrammarHost, literals: LiteralRules): Rule<Guest> {
  return g.rule('guest', (): Guest => {
    g.take(K.USING);
    g.take(K.RESOURCE);
    const resource = takeResourceBinding(g);
    g.take(K.FILE);
    const file = g.text(FILE);
    g.take(K.MAX);
    g.take(K.FUEL);
    const maxFuel = takePositive(g, FUEL, 'MAX FUEL must be greater than zero');
    g.take(K.MAX);
    g.take(K.MEMORY);
    const maxMemory = takeMemory(g, literals);
    return { resource, file, maxFuel, maxMemory };
  });
}

/** A byte size above zero, as a decimal byte count. */
function takeMemory(g: GrammarHost, literals: LiteralRules): string {
  const first = g.position;
  const text = g.call(literals.byteSize);
  if (g.isRecording) return '';
  const count = readByteCount(text);
  if (count.kind === 'refused') {
    g.refuse(`invalid byte_size_literal: ${count.reason}`, first);
    return '';
  }
  if (count.value === 0n) g.refuse('MAX MEMORY must be greater than zero', first);
  return count.value.toString();
}

function defineRejectedState(g: GrammarHost): Rule<WasmProcessorModel['onRejectedState']> {
  return g.rule('rejectedState', () => {
    g.take(K.ON);
    g.take(K.REJECTED);
    g.take(K.STATE);
    return g.choose<WasmProcessorModel['onRejectedState']>(0, [
      { ALT: () => g.takeAs(K.PRESERVE, 'PRESERVE') },
      { ALT: () => g.takeAs(K.RESET, 'RESET') },
    ]);
  });
}
