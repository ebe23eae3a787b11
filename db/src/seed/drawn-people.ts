import type { AccountStatus } from '@orchestrate/shared';
import { drawNames } from './names.ts';
import { ACME } from './organisations.ts';
import { type Person, person } from './person.ts';
import { Prng } from './prng.ts';

/** Number of generated people per status. Together with the named people, acme has 250 people, 214 of them active. */
const COUNTS: readonly (readonly [AccountStatus, count: number])[] = [
  ['active', 199],
  ['inactive', 10],
  ['unregistered', 11],
  ['invited', 4],
  ['unverified', 2],
  ['deleted', 5],
];

const TEAM_SIZE = 11;

/** Returns the generated people who fill acme's lists. */
export function generatedPeople(base: number): Person[] {
  const prng = new Prng('drawn people');
  const statuses = spread(COUNTS);
  const names = drawNames(statuses.length, new Prng('names'));
  let leader = 'super.admin@acme.test';
  return names.map(({ mail, firstName, lastName }, index) => {
    const primaryEmail = `${mail}@acme.test`;
    const accountStatus = statuses[index] ?? 'active';
    const isManager = index % TEAM_SIZE === 0 && accountStatus === 'active';
    const managerEmail = isManager ? 'super.admin@acme.test' : leader;
    if (isManager) leader = primaryEmail;
    return person(
      {
        orgCode: ACME,
        firstName,
        lastName,
        primaryEmail,
        primaryAttr: `E-${12_001 + index * 4 + prng.below(4)}`,
        accountStatus,
        roleCode: roleOf(index),
        isManager,
        managerEmail,
        mobileNumber: prng.chance(0.6) ? `+447700900${String(index).padStart(3, '0')}` : null,
        hasPermissionForMobileApp: index % 41 !== 7,
        hasPermissionForWindowsApp: index % 23 !== 5,
        // Kept low because these people's sign-ins make up most of the demo's rows, which slow down a process's first
        // portal.
        diligence: 0.1 + (index % 8) / 100,
      },
      base,
    );
  });
}

/** Spreads rare statuses evenly across the pages of a list. */
function spread(counts: typeof COUNTS): AccountStatus[] {
  return counts
    .flatMap(([status, count]) => Array.from({ length: count }, (_, nth) => ({ status, place: (nth + 0.5) / count })))
    .sort((a, b) => a.place - b.place)
    .map(({ status }) => status);
}

function roleOf(index: number): string {
  if (index % 60 === 17) return 'AUDITOR';
  if (index % 45 === 30) return 'ONBOARDING_TEAM';
  if (index % 110 === 50) return 'HELPDESK_ADMIN';
  return 'USER';
}
