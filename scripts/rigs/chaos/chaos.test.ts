import { expect, test } from 'vitest';
import { runChaos } from './run-chaos.ts';

test('a portal killed during writes has every confirmed write and no partial one', {
  tags: 'whole',
}, async () => {
  // A short run of `pnpm chaos`.
  const { kills, answered, lost, half, refused, damage } = await runChaos({ kills: 2, seed: 20_260_302 });
  expect({ kills, lost, half, refused, damage }).toEqual({ kills: 2, lost: [], half: [], refused: [], damage: [] });
  expect(Math.min(answered.edit, answered.question, answered.person)).toBeGreaterThan(0);
});
