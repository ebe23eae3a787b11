/** Number of member IDs per organisation. An organisation's IDs start after `number * IDS_PER_ORGANISATION`. */
const IDS_PER_ORGANISATION = 2 ** 32;

/** Returns the exclusive bounds of an organisation's member IDs. */
export function memberIdRange(organisationNumber: number): { after: number; before: number } {
  const after = organisationNumber * IDS_PER_ORGANISATION;
  return { after, before: after + IDS_PER_ORGANISATION };
}

/**
 * Returns a member's number within the organisation, from 1. The number never changes and is never reused.
 * @param id ID of the member's row
 */
export const memberNumber = (id: number): number => id % IDS_PER_ORGANISATION;

/** Number of low bits in which the member IDs of one range differ. Must match `0005_member_index_ranges.sql`. */
const RANGE_BITS = 17n;

/**
 * Yields the ID ranges above `after`, up to `upTo`, that can contain an organisation's members, each with the
 * character that represents it in the search index.
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
