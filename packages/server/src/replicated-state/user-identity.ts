/**
 * Whom records belong to. A user that is dropped and created again under its name is another one: what
 * the former left behind is not the latter's.
 */
export interface UserIdentity {
  /** Name. */
  readonly user: string;
  /** Which of the users of that name, as its record tells. */
  readonly incarnation: string;
}

/** Whether two identities are those of one user. */
export function isSameUser(one: UserIdentity, other: UserIdentity): boolean {
  return one.user === other.user && one.incarnation === other.incarnation;
}
