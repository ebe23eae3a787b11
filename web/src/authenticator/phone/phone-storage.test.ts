import { createDeviceKey, type DeviceState } from '@orchestrate/shared/authenticator';
import { beforeEach, expect, test } from 'vitest';
import { addAccount, readPhone, removeAccount } from './phone-storage.ts';

const KEY = 'orchestrate.authenticator';
const account = (zid: string): DeviceState => ({
  zid,
  suid: 's-1',
  orgCode: 'acme',
  orgName: 'Acme Corporation',
  name: 'Pixel 9',
  type: 'mobile',
  platform: 'Chrome on Android',
  privateKeyJwk: createDeviceKey(),
});

beforeEach(() => localStorage.clear());

test('accounts are kept with their version, replaced by zid and removed', () => {
  const [first, second] = [account('z-1'), account('z-2')];
  addAccount(first);
  addAccount(second);
  addAccount({ ...first, name: 'Pixel 10' });

  expect(readPhone().accounts.map(({ zid, name }) => [zid, name])).toEqual([
    ['z-2', 'Pixel 9'],
    ['z-1', 'Pixel 10'],
  ]);
  expect(JSON.parse(localStorage.getItem(KEY) ?? '')).toMatchObject({ version: 1, pairing: null });
  removeAccount('z-2');
  expect(readPhone().accounts).toHaveLength(1);
});

test('the remembered state stays the same object until it changes', () => {
  addAccount(account('z-1'));

  expect(readPhone()).toBe(readPhone());
});

test.each(['not json', '{"version":2,"accounts":[]}', '{"version":1,"accounts":[{"zid":"z-1"}],"pairing":null}'])(
  '%s counts as an empty phone, and is set aside before anything is written',
  (foreign) => {
    localStorage.setItem(KEY, foreign);
    expect(readPhone()).toEqual({ accounts: [], pairing: null, pin: null });

    addAccount(account('z-1'));
    expect(localStorage.getItem(`${KEY}.unreadable`)).toBe(foreign);
    expect(readPhone().accounts).toHaveLength(1);
  },
);
