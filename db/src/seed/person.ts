import { DAY, type DeviceType } from '@orchestrate/shared';
import type { DeviceRowStatus, members } from '../schema/index.ts';
import { Prng } from './prng.ts';

/** A device as the seed describes it. */
export interface DeviceWish {
  name: string;
  nickName?: string;
  type: DeviceType;
  platform: string;
  status?: DeviceRowStatus;
  registeredDaysAgo: number;
}

/** A member's row, and what else the seed knows about the person. */
export type Person = typeof members.$inferInsert & {
  roleCode: string;
  /** Random where not given. */
  devices?: readonly DeviceWish[];
  /** Share of workdays with a sign-in, 0 to 1. */
  diligence?: number;
  managerEmail?: string;
};

type PersonWish = Partial<Person> & Pick<Person, 'orgCode' | 'firstName' | 'lastName' | 'primaryEmail' | 'primaryAttr'>;

/** Statuses of people who have never had a device. */
const NEWCOMERS: ReadonlySet<string> = new Set(['unregistered', 'invited', 'unverified']);

/** Whether somebody has never had a device. */
export function isNewcomer(person: Person): boolean {
  return NEWCOMERS.has(person.accountStatus);
}

/** The member id of somebody in the demo: always the same for the same address. */
export function suidOf(orgCode: string, email: string): string {
  return new Prng(`member ${orgCode}/${email}`).id();
}

/** An active member with the role USER, unless told otherwise. Newcomers were added recently, the others long ago. */
export function person(wish: PersonWish, base: number): Person {
  const suid = suidOf(wish.orgCode, wish.primaryEmail);
  const prng = new Prng(`person ${suid}`);
  const made: Person = {
    roleCode: 'USER',
    accountStatus: 'active',
    suid,
    createdAt: base,
    ...wish,
  };
  const daysAgo = isNewcomer(made) ? 1 + prng.below(25) : 620 + prng.below(900);
  return { ...made, createdAt: base - daysAgo * DAY - prng.below(DAY) };
}
