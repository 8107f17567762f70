/** `CREATE USER`. */
export interface CreateUserStatement {
  readonly kind: 'create_user';
  readonly ifNotExists: boolean;
  readonly name: string;
  readonly password: string;
}
/** `ALTER USER`. */
export interface AlterUserStatement {
  readonly kind: 'alter_user';
  readonly name: string;
  readonly password: string;
}
/** `DROP USER`. */
export interface DropUserStatement {
  readonly kind: 'drop_user';
  readonly name: string;
}

/** Statements about users. */
export type UserStatement = CreateUserStatement | AlterUserStatement | DropUserStatement;
