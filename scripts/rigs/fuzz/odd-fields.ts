import { oddValue } from '@orchestrate/server/testing/hostile';
import fc from 'fast-check';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Unusual strings. */
export const unusualText = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  oddValue.map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))),
);

/** Returns query or form fields: some valid, some invalid, some repeated. */
export function unusualFields(usual: Readonly<Record<string, string>>): fc.Arbitrary<string> {
  const name = fc.oneof(fc.constantFrom(...Object.keys(usual)), fc.constantFrom('unknown', '__proto__', 'toString'));
  return fc.array(fc.tuple(name, unusualText), { maxLength: 3 }).map((changes) => {
    const unchanged = Object.entries(usual).filter(([name]) => !changes.some(([changed]) => changed === name));
    return [...unchanged, ...changes]
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`)
      .join('&')
      .slice(0, 7_000);
  });
}
