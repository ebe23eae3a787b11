import { expect, test } from 'vitest';
import { decodeMemberSegment, encodeMemberSegment } from './member-address.ts';

const member = { primaryAttr: 'E-10442', suid: 's-1', fullName: 'Zoë Núñez 李 👩🏽‍🚀' };

// covers: spec 1.2.15
test('decodes an encoded member with a name in any script', () => {
  const segment = encodeMemberSegment(member);
  expect(segment).toMatch(/^[\w-]+$/);
  expect(decodeMemberSegment(segment)).toEqual(member);
});

// covers: spec 1.2.15
test('decodes plain base64, percent-encoded or not', () => {
  const bytes = new TextEncoder().encode(JSON.stringify(member));
  const base64 = btoa(String.fromCharCode(...bytes));
  expect(decodeMemberSegment(base64)).toEqual(member);
  expect(decodeMemberSegment(encodeURIComponent(base64))).toEqual(member);
});

test('returns null for a segment that is not an encoded member', () => {
  for (const wrong of [
    '',
    '%',
    '%%%',
    'generate',
    btoa('[]'),
    btoa('null'),
    btoa('{"fullName":3}'),
    btoa('\xff\xfe'),
  ]) {
    expect(decodeMemberSegment(wrong), wrong).toBeNull();
  }
});

test('trims and shortens a name, and drops a name that could hide or reorder text', () => {
  const nameOf = (fullName: string) => decodeMemberSegment(encodeMemberSegment({ ...member, fullName }))?.fullName;
  expect(nameOf(' Zoë Núñez ')).toBe('Zoë Núñez');
  for (const hidden of ['\u202E', '\u2066', '\u200B', '\u0000', '\n']) expect(nameOf(`Zoë${hidden}Núñez`)).toBe('');
  expect(nameOf('x'.repeat(5_000))).toBe(`${'x'.repeat(99)}…`);
});
