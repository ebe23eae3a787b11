import { DAY, type DeviceType } from '@orchestrate/shared';
import type { DeviceRowStatus, members } from '../schema/index.ts';
import { Prng } from './prng.ts';

/** A device in the seed's own format, before it becomes a row. */
export interface SeedDevice {
  name: string;
  nickName?: string;
  type: DeviceType;
  platform: string;
  status?: DeviceRowStatus;
  registeredDaysAgo: number;
}

/** A member row with extra data for the seed. */
export type Person = typeof members.$inferInsert & {
  roleCode: string;
  /** Generated at random if omitted. */
  devices?: readonly SeedDevice[];
  /** Share of workdays on which the person signs in, 0 to 1. */
  diligence?: number;
  managerEmail?: string;
};

type PersonOptions = Partial<Person> &
  Pick<Person, 'orgCode' | 'firstName' | 'lastName' | 'primaryEmail' | 'primaryAttr'>;

/** Statuses of people who have never had a device. */
const NEWCOMERS: ReadonlySet<string> = new Set(['unregistered', 'invited', 'unverified']);

/** Returns true if a person has never had a device. */
export function isNewcomer(person: Person): boolean {
  return NEWCOMERS.has(person.accountStatus);
}

/** Returns the member ID of a person in the demo. The same email always yields the same ID. */
export function suidOf(orgCode: string, email: string): string {
  return new Prng(`member ${orgCode}/${email}`).id();
}

/** Creates a member, by default active with the role USER. Newcomers were added recently, everyone else long ago. */
export function person(options: PersonOptions, base: number): Person {
  const suid = suidOf(options.orgCode, options.primaryEmail);
  const prng = new Prng(`person ${suid}`);
  const result: Person = {
    roleCode: 'USER',
    accountStatus: 'active',
    suid,
    createdAt: base,
    ...options,
  };
  const daysAgo = isNewcomer(result) ? 1 + prng.below(25) : 620 + prng.below(900);
  return { ...result, createdAt: base - daysAgo * DAY - prng.below(DAY) };
}
