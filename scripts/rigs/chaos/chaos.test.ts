import { expect, test } from 'vitest';
import { runChaos } from './run-chaos.ts';

test('a portal killed in the middle of writes keeps everything it answered, and nothing half-written', {
  tags: 'whole',
}, async () => {
  // A small part of what `pnpm chaos` does.
  const { kills, answered, lost, half, refused, damage } = await runChaos({ kills: 2, seed: 20_260_302 });
  expect({ kills, lost, half, refused, damage }).toEqual({ kills: 2, lost: [], half: [], refused: [], damage: [] });
  expect(Math.min(answered.edit, answered.question, answered.person)).toBeGreaterThan(0);
});
