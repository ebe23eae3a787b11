import { DAY, HOUR, type LoginMode, MINUTE, SECOND } from '@orchestrate/shared';
import type { loginHistory } from '../schema/index.ts';
import type { DeviceRow } from './devices.ts';
import type { Person } from './person.ts';
import { Prng } from './prng.ts';
import { HISTORY_DAYS, isWorkday, startOfDay } from './seed-time.ts';

type LoginRow = typeof loginHistory.$inferInsert;

export interface LoginHistory {
  /** In chronological order. */
  logins: LoginRow[];
  /** When the person (`suid`) and each device (`zid`) last signed in, in milliseconds. */
  last: ReadonlyMap<string, number>;
}

const APPS = ['Portal', 'Portal', 'Portal', 'Payroll', 'Wiki', 'Wiki', 'Source Control'] as const;
/** Those that are applications of the demo; the others have been deleted since. */
const APP_IDS: Readonly<Record<string, string>> = {
  Payroll: 'payroll',
  Wiki: 'team-wiki',
  'Source Control': 'source-control',
};
const REASONS = ['cancel', 'not-me', 'wrong-number'] as const;

const MODES: Record<DeviceRow['type'], readonly [LoginMode, ...LoginMode[]]> = {
  mobile: ['QID', 'QID', 'PUSH', 'DID'],
  desktop: ['PUSH', 'PUSH', 'QID'],
  webauthn: ['WEBAUTHN'],
};

/** How many days ago devices that are no longer active were last used. */
const GIVEN_UP_DAYS = 30;

interface Day {
  /** Midnight (UTC) in milliseconds. */
  start: number;
  daysAgo: number;
  isWorkday: boolean;
}

/** The days of the history, oldest first. */
export function historyDays(base: number): Day[] {
  return Array.from({ length: HISTORY_DAYS }, (_, nth) => {
    const daysAgo = HISTORY_DAYS - 1 - nth;
    const start = startOfDay(base) - daysAgo * DAY;
    return { start, daysAgo, isWorkday: isWorkday(start) };
  });
}

/** A person's sign-ins of these days; none before a device was registered. */
export function demoLoginHistory(
  person: Person,
  devices: readonly DeviceRow[],
  days: readonly Day[],
  base: number,
): LoginHistory {
  const prng = new Prng(`logins ${person.suid}`);
  const logins: LoginRow[] = [];
  const last = new Map<string, number>();
  const address = { office: `203.0.113.${1 + prng.below(40)}`, home: `198.51.100.${1 + prng.below(254)}` };
  const diligence = person.diligence ?? 0.3 + prng.below(12) / 100;
  const lastDay = person.accountStatus === 'active' ? 0 : GIVEN_UP_DAYS;

  const record = (timestamp: number, isSuccess: boolean) => {
    const device = deviceAt(devices, timestamp, base, prng);
    if (!device || timestamp >= base) return;
    const id = prng.id();
    const appName = prng.pick(APPS);
    if (isSuccess) last.set(person.suid, timestamp).set(device.zid, timestamp);
    logins.push({
      id,
      orgCode: person.orgCode,
      suid: person.suid,
      zid: device.zid,
      deviceName: device.name,
      deviceType: device.type,
      appName,
      appId: APP_IDS[appName] ?? '',
      mode: prng.pick(MODES[device.type]),
      ip: prng.chance(0.8) ? address.office : address.home,
      loginStatus: isSuccess ? 'Success' : 'Failed',
      reason: isSuccess ? null : prng.pick(REASONS),
      timestamp,
    });
  };

  days.forEach((day) => {
    if (day.daysAgo < lastDay || !prng.chance(day.isWorkday ? diligence : 0.02)) return;
    const morning = day.start + 7 * HOUR + prng.below(150 * MINUTE);
    if (prng.chance(0.07)) record(morning - 20 * SECOND - prng.below(4 * MINUTE), false);
    record(morning, true);
    if (prng.chance(0.2)) record(morning + 3 * HOUR + prng.below(5 * HOUR), prng.chance(0.95));
  });
  return { logins, last };
}

/** One of the devices that the person used then: mostly the first, which is the newest phone. */
function deviceAt(devices: readonly DeviceRow[], time: number, base: number, prng: Prng): DeviceRow | undefined {
  const isUsed = (device: DeviceRow) =>
    device.registeredAt <= time && (device.status === 'active' || time < base - GIVEN_UP_DAYS * DAY);
  // Most people have one.
  if (devices.length === 1) return devices.find(isUsed);
  const used = devices.filter(isUsed);
  // Not by destructuring, which takes twice as long in a first portal.
  return used.length > 1 && prng.chance(0.35) ? used[1 + prng.below(used.length - 1)] : used[0];
}
