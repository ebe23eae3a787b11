import { expect, test } from 'vitest';
import { failedUsersCsv, type InviteReply, outcomeOf, usersNotFoundText } from './invite-outcome.ts';

const reply: InviteReply = {
  resultCode: 0,
  emailsNotExist: 'a@x.test,=cmd@x.test',
  desktopAppNotEnabled: 'b@x.test',
  mobileAppNotEnabled: 'c@x.test',
  emailsNotExistCount: 20_001,
  desktopAppNotEnabledCount: 1,
  mobileAppNotEnabledCount: 1,
  invited: 7,
  unchanged: 2,
  duplicates: 3,
  rejected: [{ line: 12, value: 'd@x.test', reason: 'This account is inactive. Contact the Administrator.' }],
  created: 0,
  rejectedCount: 1,
};

test("counts all failed users, including those that aren't listed", () => {
  expect(outcomeOf(reply)).toMatchObject({
    invited: 7,
    created: 0,
    unchanged: 2,
    duplicates: 3,
    failed: 20_004,
    notFound: 20_001,
  });
  expect(outcomeOf({ ...reply, rows: 9, created: 3 }).created).toBe(3);
});

// covers: spec 1.8.13
test('uses singular and plural for users not found', () => {
  expect([1, 2, 0].map(usersNotFoundText)).toEqual(['1 user not found', '2 users not found', '0 users not found']);
});

// covers: spec 1.8.14
test('exports failed users with reasons in a CSV that is safe for spreadsheets', () => {
  const lines = failedUsersCsv(outcomeOf(reply).failedUsers).slice(1).trimEnd().split('\r\n');
  expect(lines).toEqual([
    '#,User,Status,Reason',
    '1,a@x.test,Rejected,',
    `2,"'=cmd@x.test",Rejected,`,
    '3,b@x.test,Failed,Desktop App is not enabled for this user',
    '4,c@x.test,Failed,Mobile App is not enabled for this user',
    '5,d@x.test,Failed,This account is inactive. Contact the Administrator.',
  ]);
});
