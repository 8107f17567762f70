export interface CreateUserStatement {
  readonly kind: 'create_user';
  readonly ifNotExists: boolean;
  readonly name: string;
  readonly password: string;
}
export interface AlterUserStatement {
  readonly kind: 'alter_user';
  readonly name: string;
  readonly password: string;
}
export interface DropUserStatement {
  readonly kind: 'drop_user';
  readonly name: string;
}

export type UserStatement = CreateUserStatement | AlterUserStatement | DropUserStatement;
