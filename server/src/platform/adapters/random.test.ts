import { TYPED_CODE_ALPHABET } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { createRandom } from './random.ts';

const random = createRandom();

// covers: security 6.5.3, security 6.5.4, security 11.5.1
test('generates unique URL-safe IDs of 128 bits and secrets of 256 bits', () => {
  const ids = Array.from({ length: 1_000 }, () => random.id());
  expect(new Set(ids).size).toBe(1_000);
  expect(ids.every((id) => /^[\w-]{22}$/.test(id))).toBe(true);
  expect(random.secret()).toMatch(/^[\w-]{43}$/);
});

// covers: spec 1.9.2, security 6.4.1
test('keeps leading zeros and draws all digits about equally often', () => {
  const digits = random.digits(50_000);
  expect(digits).toMatch(/^\d{50000}$/);
  // Each digit is expected 5,000 times. Ten standard deviations of a fair draw are 671.
  for (const digit of '0123456789') expect(Math.abs(digits.split(digit).length - 1 - 5_000)).toBeLessThan(671);
});

test('draws typed codes evenly from unambiguous characters', () => {
  const code = random.typedCode(31_000);
  expect([...code].every((character) => TYPED_CODE_ALPHABET.includes(character))).toBe(true);
  for (const character of TYPED_CODE_ALPHABET) {
    expect(Math.abs(code.split(character).length - 1 - 1_000)).toBeLessThan(311);
  }
});

test('generates IDs with a common prefix and different suffixes at the same time', () => {
  const [one, other] = [random.idAt(1_772_442_600_000), random.idAt(1_772_442_600_000)];
  expect(one).toMatch(/^[\w-]{22}$/);
  expect(one.slice(0, 8)).toBe(other.slice(0, 8));
  expect(one).not.toBe(other);
  expect(random.idAt(1_772_442_700_000).slice(0, 8)).not.toBe(one.slice(0, 8));
});
