import type { AccountStatus } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { memberOf } from '#testing.ts';
import { filterReportees } from './direct-reports-screen.tsx';

const mara = memberOf({
  firstName: 'Mara',
  lastName: 'Lindholm',
  primaryAttr: 'E-11020',
  primaryEmail: 'ml@acme.test',
});
const omar = memberOf({
  firstName: 'Omar',
  lastName: 'Hassan',
  primaryAttr: 'E-11207',
  primaryEmail: 'omar@acme.test',
  accountStatus: 'inactive',
});

const margot = memberOf({ firstName: 'Margot', lastName: 'Ito', accountStatus: 'deleted' });

const found = (query: string, status?: AccountStatus) =>
  filterReportees([mara, omar, margot], { query, status }).map(({ firstName }) => firstName);

// covers: spec 1.2.46
test('finds direct reports by name, username or email in any case', () => {
  expect(found('')).toEqual(['Mara', 'Omar']);
  expect(found(' MARA lind ')).toEqual(['Mara']);
  expect(found('e-112')).toEqual(['Omar']);
  expect(found('ml@')).toEqual(['Mara']);
  expect(found('nobody')).toEqual([]);
  expect(found('hässan')).toEqual(['Omar']);
});

test('filters by status', () => {
  expect(found('mar', 'inactive')).toEqual(['Omar']);
});

test('includes deleted direct reports only if filtered by that status', () => {
  expect(found('mar')).toEqual(['Mara', 'Omar']);
  expect(found('mar', 'deleted')).toEqual(['Margot']);
});
