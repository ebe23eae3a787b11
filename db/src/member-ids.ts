/** How many ids an organisation has for its members: its `number` times this is the last id before them. */
const IDS_PER_ORGANISATION = 2 ** 32;

/** Between which two numbers the ids of an organisation's members lie; neither is one. */
export function memberIdRange(organisationNumber: number): { after: number; before: number } {
  const after = organisationNumber * IDS_PER_ORGANISATION;
  return { after, before: after + IDS_PER_ORGANISATION };
}
