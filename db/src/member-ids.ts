/** How many ids an organisation has for its members: its `number` times this is the last id before them. */
const IDS_PER_ORGANISATION = 2 ** 32;

/** Between which two numbers the ids of an organisation's members lie; neither is one. */
export function memberIdRange(organisationNumber: number): { after: number; before: number } {
  const after = organisationNumber * IDS_PER_ORGANISATION;
  return { after, before: after + IDS_PER_ORGANISATION };
}

/** How many bits of an id members of one range do not share, as in `0005_member_index_ranges.sql`. */
const RANGE_BITS = 17n;

/**
 * The ranges of ids, each with the character that stands for it in the search index, in which members with ids above
 * `after`, up to `upTo`, of one organisation may be.
 */
export function* memberIdRanges(
  after: number,
  upTo: number,
): Generator<{ mark: string; after: bigint; before: bigint }> {
  const last = BigInt(upTo) >> RANGE_BITS;
  for (let range = (BigInt(after) + 1n) >> RANGE_BITS; range <= last; range += 1n) {
    const first = range << RANGE_BITS;
    const mark = String.fromCodePoint(0xf0000 + Number(BigInt.asUintN(32, first) >> RANGE_BITS));
    yield { mark, after: first - 1n, before: first + (1n << RANGE_BITS) };
  }
}
