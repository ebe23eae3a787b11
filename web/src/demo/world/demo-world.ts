import type { World } from '@orchestrate/shared';
import { addMinutes, differenceInMinutes, max, startOfDay } from 'date-fns';
import { type Company, orgCodeOf } from './company.ts';
import { CAST, type CastName, COLLEAGUES, mailboxOf } from './people.ts';

/** Minutes after 07:30 at which people sign in: few at first, most around 08:30, and some in the rest of the day. */
const ARRIVALS = [
  2, 9, 15, 21, 24, 28, 31, 35, 38, 41, 44, 46, 49, 51, 53, 55, 57, 58, 60, 61, 63, 65, 66, 68, 70, 73, 75, 79, 82, 86,
  90, 95, 99, 104, 110, 117, 125, 138, 155, 176, 204, 236, 270, 318, 341, 377, 415, 450, 489, 530,
];
/** Of them, those that failed: denied by mistake, a wrong number, and one that was really somebody else. */
const FAILED: ReadonlyMap<number, 'cancel' | 'wrong-number' | 'not-me'> = new Map([
  [38, 'cancel'],
  [63, 'wrong-number'],
  [90, 'not-me'],
]);

const BEGIN_MINUTES = 7 * 60 + 30;
/** By then most have come. */
const BUSY_MINUTES = 150;

interface Arrival {
  /** Minutes before now. */
  minutesAgo: number;
  /** Why it failed; null for a success. */
  failure: 'cancel' | 'wrong-number' | 'not-me' | null;
}

/**
 * The sign-ins of the day until `now`, oldest first. Before ten o'clock the morning is drawn together, so that it looks
 * like one whenever the stage is opened; none of it lies before midnight.
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

/** By which the stage knows a world of its own. */
export const STAGE_SEED = 'the-stage';

type Organisation = NonNullable<World['organisations']>[number];
type Device = NonNullable<NonNullable<Organisation['people']>[number]['devices']>[number] & { id: string };
type Person = Omit<NonNullable<Organisation['people']>[number], 'devices'> & { devices?: Device[] };

const NAMES = Object.keys(CAST) as CastName[];

const PHONES = ['Pixel 9', 'iPhone 16', 'Galaxy S24', 'iPhone 15', 'Pixel 8a', 'Fairphone 5'];
/** Of the colleagues, those who have a new phone today. */
const NEW_PHONES: ReadonlySet<number> = new Set([5, 17]);
const OFFICE = '203.0.113.';
/** Where the attempt came from that somebody denied. */
const ELSEWHERE = '198.51.100.77';

/** The address of somebody of the cast. */
export const castEmail = (orgCode: string, name: CastName): string =>
  `${mailboxOf(`${CAST[name].first} ${CAST[name].last}`)}@${orgCode}.example`;

/** The `suid` of somebody of the cast. */
export const castId = (name: CastName): string => `stage-${name}`;

/** The employee id of somebody of the cast. */
export const castAttribute = (name: CastName): string => `E-${1001 + NAMES.indexOf(name)}`;

/** The id of the device with which somebody of the cast signs in. */
export const castDevice = (name: CastName, type: 'mobile' | 'desktop' = 'mobile'): string => `stage-${name}-${type}`;

/** Where the applications of the stage are; the world's redirects lead there. */
export const STAGE_APPS = [
  { id: 'payroll', name: 'Payroll', path: '/demo/app/payroll' },
  { id: 'wiki', name: 'Wiki', path: '/demo/app/wiki' },
] as const;

/** A company of forty people in the middle of its morning. The same company gives the same world at the same time. */
export function stageWorld({ name, colour }: Company, now: Date): World {
  const code = orgCodeOf(name);
  return {
    randomSeed: STAGE_SEED,
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
        applications: STAGE_APPS.map(({ id, name: appName, path }) => ({
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
      id: castId(name),
      firstName: first,
      lastName: last,
      primaryAttr: castAttribute(name),
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
  const phone: Device = { id: castDevice(name), name: PHONES[at % PHONES.length] ?? '', registeredAt: '-300d' };
  if (name !== 'traveller') return [phone];
  return [phone, { id: castDevice(name, 'desktop'), type: 'desktop', name: 'MacBook Air', registeredAt: '-200d' }];
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

/** Lets the colleagues arrive, one after the other; the day before a few fewer did. The cast is still to come. */
function withMorning(people: Person[], now: Date): Person[] {
  const arrivals = arrivalsUntil(now);
  const fromCast = Object.keys(CAST).length;
  return people.map((person, place) => {
    const [device] = person.devices ?? [];
    if (!device) return person;
    if (place < fromCast) return withHabit(person, device, place);
    const own = arrivals.filter((_, at) => fromCast + (at % COLLEAGUES.length) === place);
    const [first] = own;
    // Their phone was registered just before they came.
    const isNew = first !== undefined && NEW_PHONES.has(place - fromCast);
    const registeredAt = isNew ? `-${first.minutesAgo + 2}m` : device.registeredAt;
    const logins = own.flatMap((arrival) => {
      const signIn = signInOf(device, arrival, place);
      const wasHere = !isNew && place % 7 !== 3;
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

/** Somebody who has come every day until yesterday. */
function withHabit(person: Person, device: Device, place: number): Person {
  const mornings = [4, 3, 2, 1].map((days) => days * DAY_MINUTES + 20 + place * 7);
  const logins = mornings.map((minutesAgo) => signInOf(device, { minutesAgo, failure: null }, place));
  const last = logins.at(-1)?.at ?? '';
  const [, ...others] = person.devices ?? [];
  return { ...person, logins, devices: [{ ...device, lastLoginAt: last }, ...others], lastSeenAt: last };
}

function signInOf(device: Device, { minutesAgo, failure }: Arrival, place: number) {
  const app = place % 3 === 2 ? STAGE_APPS[place % 2] : undefined;
  return {
    at: `-${minutesAgo}m`,
    device: device.id,
    deviceName: device.name ?? '',
    deviceType: 'mobile' as const,
    mode: place % 4 === 3 ? 'PUSH' : 'QID',
    ...(app && { appId: app.id, appName: app.name }),
    ip: failure === 'not-me' ? ELSEWHERE : `${OFFICE}${10 + (place % 30)}`,
    status: failure ? ('Failed' as const) : ('Success' as const),
    reason: failure,
  };
}
