import { DAY } from '@orchestrate/shared';
import type { DeviceRowStatus, devices } from '../schema/index.ts';
import { isNewcomer, type Person, type SeedDevice } from './person.ts';
import { Prng } from './prng.ts';

export type DeviceRow = typeof devices.$inferInsert;

type Model = readonly [name: string, platform: string];

const PHONES: readonly [Model, ...Model[]] = [
  ['Pixel 8', 'Android 15'],
  ['Pixel 9', 'Android 16'],
  ['Galaxy S24', 'Android 15'],
  ['Galaxy A55', 'Android 15'],
  ['Fairphone 5', 'Android 14'],
  ['Xperia 1 VI', 'Android 15'],
  ['iPhone 13', 'iOS 18'],
  ['iPhone 15', 'iOS 18'],
  ['iPhone 15 Pro', 'iOS 18'],
  ['iPhone 16', 'iOS 19'],
];
const DESKTOPS: readonly [Model, ...Model[]] = [
  ['ThinkPad T14', 'Windows 11'],
  ['Latitude 7450', 'Windows 11'],
  ['EliteBook 840', 'Windows 11'],
  ['Surface Laptop 6', 'Windows 11'],
  ['MacBook Air', 'macOS 26'],
  ['MacBook Pro', 'macOS 26'],
  ['Framework 13', 'Ubuntu 24.04'],
];
const KEYS: readonly [Model, ...Model[]] = [
  ['YubiKey 5C', 'FIDO2'],
  ['YubiKey 5 NFC', 'FIDO2'],
  ['Titan Security Key', 'FIDO2'],
];
const NICKNAMES = ['Pocket', 'Work phone', 'Desk', 'Home office', 'Travel', 'Backup', 'Blue one'] as const;

/**
 * Returns the devices of these people. The demo's security keys can't be used because their private keys don't exist.
 */
export function demoDevices(people: readonly Person[], base: number): DeviceRow[] {
  const devices: DeviceRow[] = [];
  for (const person of people) {
    const prng = new Prng(`devices ${person.suid}`);
    for (const options of person.devices ?? drawDevices(person, prng)) {
      const zid = prng.id();
      const { registeredDaysAgo, status = 'active', ...device } = options;
      const registeredAt = base - registeredDaysAgo * DAY - prng.below(DAY);
      const { orgCode, suid } = person;
      devices.push({ zid, orgCode, suid, registeredAt, status, ...device });
    }
  }
  return devices;
}

function drawDevices(person: Person, prng: Prng): SeedDevice[] {
  if (isNewcomer(person)) return [];
  if (person.accountStatus === 'deleted') return [draw(PHONES, 'mobile', prng, 'removed')];
  const drawn: SeedDevice[] = [];
  const hasPhone = person.hasPermissionForMobileApp !== false;
  const canUseDesktop = person.hasPermissionForWindowsApp !== false;
  if (hasPhone) drawn.push(draw(PHONES, 'mobile', prng));
  if (!hasPhone || (canUseDesktop && prng.chance(0.35))) drawn.push(draw(DESKTOPS, 'desktop', prng));
  if (hasPhone && prng.chance(0.12)) drawn.push(draw(PHONES, 'mobile', prng, prng.chance(0.5) ? 'paused' : 'active'));
  if (prng.chance(0.12)) drawn.push(draw(KEYS, 'webauthn', prng));
  if (hasPhone && prng.chance(0.06)) drawn.push(draw(PHONES, 'mobile', prng, 'lost'));
  if (canUseDesktop && prng.chance(0.06)) drawn.push(draw(DESKTOPS, 'desktop', prng, 'removed'));
  return drawn;
}

function draw(
  models: readonly [Model, ...Model[]],
  type: SeedDevice['type'],
  prng: Prng,
  status: DeviceRowStatus = 'active',
): SeedDevice {
  const [name, platform] = prng.pick(models);
  const nickName = prng.chance(0.4) ? prng.pick(NICKNAMES) : '';
  // Only active devices can be recently registered.
  const registeredDaysAgo = status === 'active' ? 20 + prng.below(560) : 200 + prng.below(400);
  return { name, platform, nickName, type, status, registeredDaysAgo };
}
