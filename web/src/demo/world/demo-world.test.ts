import { PUBLIC_SEGMENTS, world } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { orgCodeOf } from './company.ts';
import { arrivalsUntil, demoWorld } from './demo-world.ts';

const at = (time: string) => new Date(`2026-11-20T${time}:00`);
const worldAt = (time: string) => demoWorld({ name: 'Harbour & Sons', colour: '#0F766E' }, at(time));

test('derives the organisation code from the name, but never uses a portal path', () => {
  expect(orgCodeOf('Harbour & Sons')).toBe('harbour-sons');
  expect(orgCodeOf('  Café Zoë, Ltd. ')).toBe('cafe-zoe-ltd');
  expect(orgCodeOf(`${'x'.repeat(39)} co`)).toBe('x'.repeat(39));
  expect(orgCodeOf('Gesellschaft für große und außerordentlich lange Namen')).toBe('gesellschaft-fur-grosse-und');
  expect(orgCodeOf('x'.repeat(60))).toBe('x'.repeat(40));
  expect(orgCodeOf('株式会社')).toBe('our-company');
  for (const segment of PUBLIC_SEGMENTS) expect(orgCodeOf(segment)).not.toBe(segment);
});

test('creates a valid and deterministic world', () => {
  const read = world.parse(worldAt('09:40'));
  expect(read.organisations[0]).toMatchObject({ code: 'harbour-sons', branding: { color: '#0F766E' } });
  expect(read.organisations[0]?.people).toHaveLength(42);
  expect(worldAt('09:40')).toEqual(worldAt('09:40'));
});

test('contains realistic sign-ins, failures and new phones at 9:40', () => {
  const people = world.parse(worldAt('09:40')).organisations[0]?.people ?? [];
  const today = people.flatMap(({ logins }) => logins).filter((login) => minutesAgo(login.at) < 9 * 60 + 40);
  expect(today.filter(({ status }) => status === 'Success').length).toBeGreaterThan(30);
  expect(today.flatMap(({ reason }) => reason ?? [])).toEqual(expect.arrayContaining(['cancel', 'not-me']));
  const phones = people.flatMap(({ devices }) => devices ?? []);
  expect(phones.filter(({ registeredAt }) => registeredAt?.endsWith('m'))).toHaveLength(2);
});

test.each(['00:00', '00:20', '06:00', '07:31', '09:59', '10:00', '23:59'])(
  'places all of the day’s sign-ins between midnight and %s',
  (time) => {
    const now = at(time);
    const sinceMidnight = now.getHours() * 60 + now.getMinutes();
    const passed = arrivalsUntil(now).map((arrival) => arrival.minutesAgo);
    for (const minutes of passed) {
      expect(minutes).toBeGreaterThan(0);
      expect(minutes).toBeLessThanOrEqual(sinceMidnight);
    }
    expect(passed).toEqual(passed.toSorted((a, b) => b - a));
  },
);

const minutesAgo = (moment: string): number => Number(/^-(\d+)m$/.exec(moment)?.[1]);
