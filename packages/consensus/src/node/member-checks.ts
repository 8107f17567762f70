import {
  fieldsOf,
  isId,
  isName,
  isText,
  isUnsigned64,
  listOf,
  type OptionCheck,
  oneOf,
} from '../options/option-check.ts';
import type { Member, MemberChange } from '../raft/configuration.ts';
import type { MemberId } from '../raft/member-id.ts';

const isMemberId = fieldsOf<MemberId>({ nodeId: isName, storeId: isId });

const isMember = fieldsOf<Member>({
  nodeId: isName,
  storeId: isId,
  incarnation: isUnsigned64,
  endpoint: isText,
});

/** What each kind of change has to say of its member. */
const MEMBER_CHECKS: { readonly [K in MemberChange['kind']]: OptionCheck } = {
  addLearner: isMember,
  promote: isMemberId,
  demote: isMemberId,
  remove: isMemberId,
  update: isMember,
};

const isKind = oneOf(...Object.keys(MEMBER_CHECKS));

const isChange: OptionCheck = (value, option) => {
  fieldsOf<Pick<MemberChange, 'kind'>>({ kind: isKind })(value, option);
  const { kind, member } = value as MemberChange;
  MEMBER_CHECKS[kind](member, `${option}.member`);
};

/**
 * Throws `RAFT_INVALID_OPTION`, naming the place, for what is no list of changes. In the log it
 * would be an entry that no member can read again.
 */
export function checkChanges(changes: unknown): void {
  listOf(isChange)(changes, 'changes');
}

/** Throws `RAFT_INVALID_OPTION`, naming the field, for what does not name a member. */
export function checkTarget(target: unknown): void {
  isMemberId(target, 'target');
}
