import type {
  AckParticipation,
  InferencerModel,
  InputTensor,
  OutputTensor,
  TensorDimension,
  TensorType,
} from '@nervix/model';
import {
  Equals,
  Greater,
  IntegerText,
  keywords,
  LeftBrace,
  LeftBracket,
  Less,
  RightBrace,
  RightBracket,
} from '../tokens.js';
import { ExpressionSlot, NO_EXPRESSION } from './expression.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import { takeResourceBinding } from './literals.js';
import type { ProcessorClauseRules } from './processor-clauses.js';
import type { RouteRules } from './route.js';

const K = keywords(
  'INFERENCER',
  'USING',
  'RESOURCE',
  'FILE',
  'INPUTS',
  'DENSE',
  'TENSOR',
  'F32',
  'BATCH',
  'DYNAMIC',
);
const PHRASE_OUTPUT_SCHEMA = phraseOf('OUTPUT SCHEMA');

const NAME = label('inferencer_name');
const TEXT = label('string_literal');
const VALUE = label('value_expression');
const DIMENSION = label('number_literal');

const NO_DIMENSIONS: readonly TensorDimension[] = Object.freeze([]);

/** `INFERENCER name FROM … USING RESOURCE … FILE … INPUTS {…} OUTPUT SCHEMA {…}`. */
export function defineInferencer(
  g: GrammarHost,
  routes: RouteRules,
  processors: ProcessorClauseRules,
): Rule<InferencerModel, [AckParticipation]> {
  const inference = defineInference(g);
  return g.rule('inferencer', (acknowledgement: AckParticipation): InferencerModel => {
    g.take(K.INFERENCER);
    const name = g.name(NAME);
    const { inputs, filter } = g.call(processors.intake);
    const { resource, file, inputTensors, outputSchema } = g.call(inference);
    const { branching, dependencies } = g.call(processors.setting);
    const outputs = g.oneOrMore(0, () => g.call(routes.flushedRoute));
    const model: InferencerModel = {
      kind: 'inferencer',
      name,
      acknowledgement,
      inputs,
      filter,
      resource,
      file,
      inputTensors,
      outputSchema,
      branching,
      dependencies,
      routes: outputs,
    };
    return g.close(model, 0);
  });
}

type Inference = Pick<InferencerModel, 'resource' | 'file' | 'inputTensors' | 'outputSchema'>;

/** The program and the tensors that go in and come out. */
function defineInference(g: GrammarHost): Rule<Inference> {
  const tensor = defineTensor(g);
  const inputTensor = g.rule('inputTensor', (): InputTensor => {
    const first = g.position;
    const name = g.text(TEXT);
    const type = g.call(tensor);
    g.take(Equals);
    const value = g.slot(ExpressionSlot, VALUE, NO_EXPRESSION);
    return g.close({ name, type, value }, first);
  });
  const outputTensor = g.rule('outputTensor', (): OutputTensor => {
    const first = g.position;
    const name = g.text(TEXT);
    return g.close({ name, type: g.call(tensor) }, first);
  });
  return g.rule('inference', (): Inference => {
    g.take(K.USING);
    g.take(K.RESOURCE);
    const resource = takeResourceBinding(g);
    g.take(K.FILE);
    const file = g.text(TEXT);
    g.take(K.INPUTS);
    g.take(LeftBrace);
    const inputTensors = g.closedList(0, () => g.call(inputTensor));
    g.take(RightBrace);
    g.phrase(PHRASE_OUTPUT_SCHEMA);
    g.take(LeftBrace);
    const outputSchema = g.closedList(1, () => g.call(outputTensor));
    g.take(RightBrace);
    return { resource, file, inputTensors, outputSchema };
  });
}

function defineTensor(g: GrammarHost): Rule<TensorType> {
  const dimension = defineDimension(g);
  return g.rule('tensor', (): TensorType => {
    const first = g.position;
    g.take(K.DENSE);
    g.take(K.TENSOR);
    g.take(Less);
    g.take(K.F32);
    g.take(Greater);
    g.take(LeftBracket);
    const dimensions = g.maybe(1, () => g.closedList(0, () => g.call(dimension))) ?? NO_DIMENSIONS;
    g.take(RightBracket);
    return g.close({ element: 'F32', dimensions }, first);
  });
}

function defineDimension(g: GrammarHost): Rule<TensorDimension> {
  const batch: TensorDimension = Object.freeze({ kind: 'batch' });
  const dynamic: TensorDimension = Object.freeze({ kind: 'dynamic' });
  return g.rule('tensorDimension', () =>
    g.choose<TensorDimension>(0, [
      { ALT: () => g.takeAs(K.BATCH, batch) },
      { ALT: () => g.takeAs(K.DYNAMIC, dynamic) },
      { ALT: () => takeFixedDimension(g), IGNORE_AMBIGUITIES: true },
    ]),
  );
}

function takeFixedDimension(g: GrammarHost): TensorDimension {
  const size = g.take(IntegerText, DIMENSION).image;
  if (!/^[0-9]+$/u.test(size)) {
    g.refuse('tensor dimension must be a positive integer, DYNAMIC, or BATCH');
  }
  if (size === '0') g.refuse('tensor dimension must be greater than zero');
  return Object.freeze({ kind: 'fixed', size });
}
