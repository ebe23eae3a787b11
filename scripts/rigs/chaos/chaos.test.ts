import { expect, test } from 'vitest';
import { runChaos } from './run-chaos.ts';

test('keeps every confirmed write and leaves no partial writes when killed', {
  tags: 'whole',
}, async () => {
  // A short run of `pnpm chaos`.
  const { kills, answered, lost, half, refused, damage } = await runChaos({ kills: 2, seed: 20_260_302 });
  expect({ kills, lost, half, refused, damage }).toEqual({ kills: 2, lost: [], half: [], refused: [], damage: [] });
  expect(Math.min(answered.edit, answered.question, answered.person)).toBeGreaterThan(0);
});
