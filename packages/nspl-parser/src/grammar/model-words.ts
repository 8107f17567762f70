import { MODEL_KINDS, type ModelKind, statementWords } from '@nervix/model';

/** How statements spell a kind and label a reference to one of its models. */
export interface ModelWords {
  readonly kind: ModelKind;
  readonly words: readonly string[];
  readonly reference: string;
}

/** Every kind this release reads. */
export const MODEL_WORDS: readonly ModelWords[] = MODEL_KINDS.map((kind) => ({
  kind,
  words: statementWords(kind).split(' '),
  reference: `ref:${kind}`,
}));
