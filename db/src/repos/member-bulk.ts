import type { AccountStatus } from '@orchestrate/shared';
import { sql } from 'drizzle-orm';
import { whileTriggersRest } from '../member-index.ts';
import type { Tx } from '../open.ts';
import { nextMemberId } from './members.ts';

/** A member who is entered by somebody else: an Org User without a device. */
export interface EnteredMember {
  suid: string;
  primaryAttr: string;
  firstName: string;
  lastName: string;
  /** Lower case. */
  primaryEmail: string;
  mobileNumber?: string | null;
}

/**
 * Enters many members of one organisation at once, in the order given. The triggers rest meanwhile, and counts and search
 * index follow in two statements for all of them: twice the speed of row by row. Belongs into a transaction. A thousand
 * take about 20 ms, in which nobody else is served.
 * @throws where an address or primary attribute is taken, in the organisation or twice among them: then nobody is entered.
 */
export function enterMembers(
  tx: Tx,
  orgCode: string,
  entered: readonly EnteredMember[],
  { accountStatus, now }: { accountStatus: AccountStatus; now: number },
): void {
  const first = nextMemberId(tx, orgCode);
  const ids = JSON.stringify(entered.map((_, index) => first + index));
  whileTriggersRest(tx, () => {
    tx.run(sql`
      INSERT INTO members
        (id, suid, orgCode, primaryAttr, firstName, lastName, primaryEmail, mobileNumber, accountStatus, createdAt)
      SELECT ${first} + key, value ->> 'suid', ${orgCode}, value ->> 'primaryAttr', value ->> 'firstName',
        value ->> 'lastName', value ->> 'primaryEmail', value ->> 'mobileNumber', ${accountStatus}, ${now}
      FROM json_each(${JSON.stringify(entered)})`);
    tx.run(countThem(ids));
    tx.run(indexThem(ids));
  });
}

/** @param ids JSON. */
const countThem = (ids: string) => sql`
  INSERT INTO member_counts
    SELECT orgCode, roleCode, accountStatus, count(*) FROM members
    WHERE id IN (SELECT value FROM json_each(${ids})) GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET members = members + excluded.members`;

const indexThem = (ids: string) => sql`
  INSERT INTO member_search (rowid, text, status)
    SELECT id, text, status FROM member_search_texts WHERE memberId IN (SELECT value FROM json_each(${ids}))`;
