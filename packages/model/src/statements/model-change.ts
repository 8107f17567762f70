import type { Model, ModelKind } from '../models/model.js';
import type { ModelAlteration } from './alter.js';

/** `CREATE` of a model. */
export interface CreateModelStatement {
  readonly kind: 'create_model';
  readonly ifNotExists: boolean;
  readonly model: Model;
}
/** Operations apply in written order. */
export type AlterModelStatement = {
  readonly kind: 'alter_model';
  readonly name: string;
} & ModelAlteration;
/** `DROP` of a model. */
export interface DropModelStatement {
  readonly kind: 'drop_model';
  readonly modelKind: ModelKind;
  readonly name: string;
}

/** Statements that change models. */
export type ModelChangeStatement = CreateModelStatement | AlterModelStatement | DropModelStatement;
