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

test('stores accounts with a version, replaces them by zid and removes them', () => {
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

test('returns the same object until the state changes', () => {
  addAccount(account('z-1'));

  expect(readPhone()).toBe(readPhone());
});

test.each(['not json', '{"version":2,"accounts":[]}', '{"version":1,"accounts":[{"zid":"z-1"}],"pairing":null}'])(
  'treats %s as an empty phone, and backs it up before writing',
  (foreign) => {
    localStorage.setItem(KEY, foreign);
    expect(readPhone()).toEqual({ accounts: [], pairing: null, pin: null });

    addAccount(account('z-1'));
    expect(localStorage.getItem(`${KEY}.unreadable`)).toBe(foreign);
    expect(readPhone().accounts).toHaveLength(1);
  },
);
