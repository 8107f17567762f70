import type { Model, ModelKind } from '../models/model.js';
import type { ModelAlteration } from './alter.js';

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
export interface DropModelStatement {
  readonly kind: 'drop_model';
  readonly modelKind: ModelKind;
  readonly name: string;
}

export type ModelChangeStatement = CreateModelStatement | AlterModelStatement | DropModelStatement;
