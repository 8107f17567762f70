/**
 * A list in order after members have gone from it and others, in any order, have come to it. Of the
 * members that stay hardly any is compared.
 *
 * @param compare the order in which the list is
 */
export function orderedList<Member>(
  list: readonly Member[],
  gone: ReadonlySet<Member>,
  come: readonly Member[],
  compare: (left: Member, right: Member) => number,
): readonly Member[] {
  const kept = gone.size === 0 ? list : list.filter((member) => !gone.has(member));
  const stretches: (readonly Member[])[] = [];
  let from = 0;
  for (const member of come.toSorted(compare)) {
    const place = firstBehind(kept, from, (other) => compare(other, member) > 0);
    stretches.push(kept.slice(from, place), [member]);
    from = place;
  }
  return stretches.length === 0 ? kept : stretches.concat([kept.slice(from)]).flat();
}

/** First place from one on where a condition holds, which from there on always does. */
function firstBehind<Member>(
  list: readonly Member[],
  from: number,
  isBehind: (member: Member) => boolean,
): number {
  let [low, high] = [from, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBehind(list[middle] as Member)) high = middle;
    else low = middle + 1;
  }
  return low;
}
