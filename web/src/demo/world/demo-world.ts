import type { World } from '@orchestrate/shared';
import { addMinutes, differenceInMinutes, max, startOfDay } from 'date-fns';
import { type Company, orgCodeOf } from './company.ts';
import { CAST, type CastName, COLLEAGUES, mailboxOf } from './people.ts';

/** Sign-in times in minutes after 07:30, mostly around 08:30. */
const ARRIVALS = [
  2, 9, 15, 21, 24, 28, 31, 35, 38, 41, 44, 46, 49, 51, 53, 55, 57, 58, 60, 61, 63, 65, 66, 68, 70, 73, 75, 79, 82, 86,
  90, 95, 99, 104, 110, 117, 125, 138, 155, 176, 204, 236, 270, 318, 341, 377, 415, 450, 489, 530,
];
/** Failed sign-ins by minute: one denied by mistake, one with a wrong number, and a stranger's attempt. */
const FAILED: ReadonlyMap<number, 'cancel' | 'wrong-number' | 'not-me'> = new Map([
  [38, 'cancel'],
  [63, 'wrong-number'],
  [90, 'not-me'],
]);

const BEGIN_MINUTES = 7 * 60 + 30;
/** Minutes after 07:30 by which most users have signed in. */
const BUSY_MINUTES = 150;

interface Arrival {
  /** Time in minutes before now. */
  minutesAgo: number;
  /** Reason for the failure. Null if the sign-in succeeded. */
  failure: 'cancel' | 'wrong-number' | 'not-me' | null;
}

/**
 * Returns the day's sign-ins until `now`, oldest first. Before ten o'clock, the morning is compressed to make the
 * demo look busy at any time, but it never starts before midnight.
 */
export function arrivalsUntil(now: Date): Arrival[] {
  const midnight = startOfDay(now);
  const begin = addMinutes(midnight, BEGIN_MINUTES);
  const passed = differenceInMinutes(now, begin);
  const isEarly = passed < BUSY_MINUTES;
  const from = isEarly ? max([midnight, addMinutes(now, -BUSY_MINUTES)]) : begin;
  const length = Math.max(differenceInMinutes(now, from) - 1, 0);
  const scale = isEarly ? length / BUSY_MINUTES : 1;
  return ARRIVALS.filter((minute) => minute * scale < length).map((minute) => ({
    minutesAgo: length + 1 - Math.round(minute * scale),
    failure: FAILED.get(minute) ?? null,
  }));
}

/** Random seed that marks a world as created for the demo. */
export const DEMO_SEED = 'the-stage';

type Organisation = NonNullable<World['organisations']>[number];
type Device = NonNullable<NonNullable<Organisation['people']>[number]['devices']>[number] & { id: string };
type Person = Omit<NonNullable<Organisation['people']>[number], 'devices'> & { devices?: Device[] };

const NAMES = Object.keys(CAST) as CastName[];

const PHONES = ['Pixel 9', 'iPhone 16', 'Galaxy S24', 'iPhone 15', 'Pixel 8a', 'Fairphone 5'];
/** Indices of the colleagues who get a new phone today. */
const NEW_PHONES: ReadonlySet<number> = new Set([5, 17]);
const OFFICE = '203.0.113.';
/** IP address used for the stranger's attempt. */
const ELSEWHERE = '198.51.100.77';

/** Returns a character's email address. */
export const castEmail = (orgCode: string, name: CastName): string =>
  `${mailboxOf(`${CAST[name].first} ${CAST[name].last}`)}@${orgCode}.example`;

/** Returns a character's `suid`. */
export const castSuid = (name: CastName): string => `stage-${name}`;

/** Returns a character's employee ID. */
export const castEmployeeId = (name: CastName): string => `E-${1001 + NAMES.indexOf(name)}`;

/** Returns a character's device ID. */
export const castDeviceId = (name: CastName, type: 'mobile' | 'desktop' = 'mobile'): string => `stage-${name}-${type}`;

/** The sample applications and their paths, which also serve as redirect URIs. */
export const DEMO_APPS = [
  { id: 'payroll', name: 'Payroll', path: '/demo/app/payroll' },
  { id: 'wiki', name: 'Wiki', path: '/demo/app/wiki' },
] as const;

/**
 * Creates the world of a company with forty users on a busy morning. The same company and time always produce the
 * same world.
 */
export function demoWorld({ name, colour }: Company, now: Date): World {
  const code = orgCodeOf(name);
  return {
    randomSeed: DEMO_SEED,
    organisations: [
      {
        code,
        name,
        createdAt: '-900d',
        branding: {
          color: colour,
          title: `Sign in to ${name}`,
          bannerText: 'Your phone is the key.\nNo password to remember, nothing to steal.',
        },
        loginOptions: { maxCookieLife: 480 },
        applications: DEMO_APPS.map(({ id, name: appName, path }) => ({
          id,
          name: appName,
          createdAt: '-400d',
          maxCookieLife: 28_800,
          oidc: { redirectUris: [path], postLogoutRedirectUris: [path], secrets: [] },
        })),
        people: withMorning([...cast(code), ...colleagues(code)], now),
      },
    ],
  };
}

function cast(code: string): Person[] {
  return NAMES.map((name, at) => {
    const { first, last, role } = CAST[name];
    const isNew = name === 'newcomer';
    return {
      email: castEmail(code, name),
      id: castSuid(name),
      firstName: first,
      lastName: last,
      primaryAttr: castEmployeeId(name),
      role,
      status: isNew ? 'unregistered' : 'active',
      isManager: name === 'admin',
      ...(name !== 'admin' && { manager: castEmail(code, 'admin') }),
      createdAt: isNew ? '-2h' : '-600d',
      devices: isNew ? [] : castDevices(name, at),
    };
  });
}

function castDevices(name: CastName, at: number): Device[] {
  const phone: Device = { id: castDeviceId(name), name: PHONES[at % PHONES.length] ?? '', registeredAt: '-300d' };
  if (name !== 'traveller') return [phone];
  return [phone, { id: castDeviceId(name, 'desktop'), type: 'desktop', name: 'MacBook Air', registeredAt: '-200d' }];
}

const colleagues = (code: string): Person[] =>
  COLLEAGUES.map((fullName, at) => {
    const [firstName = '', ...rest] = fullName.split(' ');
    const registeredAt = `-${40 + at * 17}d`;
    return {
      email: `${mailboxOf(fullName)}@${code}.example`,
      firstName,
      lastName: rest.join(' '),
      primaryAttr: `E-${1101 + at}`,
      manager: castEmail(code, 'admin'),
      createdAt: `-${60 + at * 17}d`,
      devices: [{ id: `stage-colleague-${at + 1}`, name: PHONES[at % PHONES.length] ?? '', registeredAt }],
    };
  });

const DAY_MINUTES = 1_440;

/** Adds today's and yesterday's sign-ins for the colleagues. The characters haven't signed in today. */
function withMorning(people: Person[], now: Date): Person[] {
  const arrivals = arrivalsUntil(now);
  const fromCast = Object.keys(CAST).length;
  return people.map((person, index) => {
    const [device] = person.devices ?? [];
    if (!device) return person;
    if (index < fromCast) return withHabit(person, device, index);
    const own = arrivals.filter((_, at) => fromCast + (at % COLLEAGUES.length) === index);
    const [first] = own;
    // A new phone is registered just before its first sign-in.
    const isNew = first !== undefined && NEW_PHONES.has(index - fromCast);
    const registeredAt = isNew ? `-${first.minutesAgo + 2}m` : device.registeredAt;
    const logins = own.flatMap((arrival) => {
      const signIn = signInOf(device, arrival, index);
      const wasHere = !isNew && index % 7 !== 3;
      const before = {
        ...signIn,
        at: `-${arrival.minutesAgo + DAY_MINUTES}m`,
        status: 'Success' as const,
        reason: null,
      };
      return wasHere ? [before, signIn] : [signIn];
    });
    const last = logins.findLast(({ status }) => status === 'Success')?.at;
    const used = last && { lastLoginAt: last };
    return { ...person, logins, devices: [{ ...device, registeredAt, ...used }], ...(last && { lastSeenAt: last }) };
  });
}

/** Adds one sign-in for each of the last few days, up to yesterday. */
function withHabit(person: Person, device: Device, index: number): Person {
  const mornings = [4, 3, 2, 1].map((days) => days * DAY_MINUTES + 20 + index * 7);
  const logins = mornings.map((minutesAgo) => signInOf(device, { minutesAgo, failure: null }, index));
  const last = logins.at(-1)?.at ?? '';
  const [, ...others] = person.devices ?? [];
  return { ...person, logins, devices: [{ ...device, lastLoginAt: last }, ...others], lastSeenAt: last };
}

function signInOf(device: Device, { minutesAgo, failure }: Arrival, index: number) {
  const app = index % 3 === 2 ? DEMO_APPS[index % 2] : undefined;
  return {
    at: `-${minutesAgo}m`,
    device: device.id,
    deviceName: device.name ?? '',
    deviceType: 'mobile' as const,
    mode: index % 4 === 3 ? 'PUSH' : 'QID',
    ...(app && { appId: app.id, appName: app.name }),
    ip: failure === 'not-me' ? ELSEWHERE : `${OFFICE}${10 + (index % 30)}`,
    status: failure ? ('Failed' as const) : ('Success' as const),
    reason: failure,
  };
}
