import {
  fieldsOf,
  isId,
  isName,
  isText,
  isUnsigned64,
  listOf,
  type OptionCheck,
  oneOf,
  wholeNumber,
} from '../options/option-check.ts';
import type { Member, MemberChange } from '../raft/configuration.ts';
import { type FeatureLevels, FIRST_LEVEL, LEVEL_MAX } from '../raft/feature-levels.ts';
import type { MemberId } from '../raft/member-id.ts';

const isMemberId = fieldsOf<MemberId>({ nodeId: isName, storeId: isId });

const isLevel = wholeNumber(FIRST_LEVEL, LEVEL_MAX);

const areLevels: OptionCheck = (value, option) => {
  fieldsOf<FeatureLevels>({ oldest: isLevel, newest: isLevel })(value, option);
  const { oldest, newest } = value as FeatureLevels;
  wholeNumber(oldest, LEVEL_MAX)(newest, `${option}.newest`);
};

const isMember = fieldsOf<Member>({
  nodeId: isName,
  storeId: isId,
  incarnation: isUnsigned64,
  endpoint: isText,
  levels: areLevels,
});

/** What each kind of change has to say of its member. */
const MEMBER_CHECKS: { readonly [K in Exclude<MemberChange['kind'], 'activate'>]: OptionCheck } = {
  addLearner: isMember,
  promote: isMemberId,
  demote: isMemberId,
  remove: isMemberId,
  update: isMember,
};

const isKind = oneOf(...Object.keys(MEMBER_CHECKS), 'activate');

const isChange: OptionCheck = (value, option) => {
  fieldsOf<Pick<MemberChange, 'kind'>>({ kind: isKind })(value, option);
  const change = value as MemberChange;
  if (change.kind === 'activate') isLevel(change.level, `${option}.level`);
  else MEMBER_CHECKS[change.kind](change.member, `${option}.member`);
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
