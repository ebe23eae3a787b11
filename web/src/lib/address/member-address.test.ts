import { expect, test } from 'vitest';
import { paths } from '#paths.ts';
import { memberOf } from '#testing.ts';
import { decodeMemberSegment, memberAddress } from './member-address.ts';

const segmentOf = (address: string) => decodeMemberSegment(address.split('/').at(-1)?.split('?')[0] ?? '');

test("encodes a member's primary attribute, suid and full name in the URL", () => {
  const address = memberAddress(paths.member, memberOf({ firstName: 'Zoë', lastName: 'Lefèvre', suid: 's-7' }));
  expect(segmentOf(address)).toEqual({ primaryAttr: 'E-10001', suid: 's-7', fullName: 'Zoë Lefèvre' });
});

// covers: spec 1.2.17
test.each([
  ['unregistered', '?status=unregistered'],
  ['invited', '?status=invited'],
  ['deleted', '?status=deleted'],
  ['active', ''],
  ['inactive', ''],
] as const)('ends the URL of an %s member with the query “%s”', (accountStatus, ending) => {
  const address = memberAddress(paths.directReport, memberOf({ accountStatus }));
  expect(address).toMatch(/^\/direct-reports\//);
  expect(new URL(address, 'http://portal').search).toBe(ending);
});
