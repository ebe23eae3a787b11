import { expect, test } from 'vitest';
import { system } from './theme.ts';

/** In media queries, 1 rem is always the browser's default of 16 px. */
const from = (px: number) => `@media screen and (min-width: ${px / 16}rem)`;

// covers: spec 1.9.9
test('changes layouts at the widths in the specification', () => {
  expect(system.css({ order: { base: 0, xs: 1, sm: 2, md: 3, lg: 4, xl: 5 } })).toEqual({
    order: 0,
    [from(780)]: { order: 1 },
    [from(1_024)]: { order: 2 },
    [from(1_336)]: { order: 3 },
    [from(1_600)]: { order: 4 },
    [from(1_920)]: { order: 5 },
  });
});

test('compiles each component’s recipe once', () => {
  const [recipe, other] = [{ base: { order: 1 } }, { base: { order: 2 } }];
  const compiled = system.cva(recipe);
  expect(system.cva(recipe)).toBe(compiled);
  expect(compiled.merge(system.cva(other))).toBe(compiled.merge(system.cva(other)));
  expect(compiled.merge(system.cva(other))({})).toMatchObject({ '@layer recipes': { order: 2 } });
});
