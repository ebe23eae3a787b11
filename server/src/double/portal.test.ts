import { expect, test } from 'vitest';
import { startPortal } from './start-portal.ts';

test('the world of a portal is the seed of another one, of a space and of a reset', async () => {
  await using first = await startPortal({ now: '2026-03-02T09:30:00Z' });
  await first.person({ org: 'acme', email: 'grace.hopper@acme.test' });
  const world = await first.world();
  expect(JSON.stringify(world)).toContain('grace.hopper@acme.test');

  await using second = await startPortal({ seed: world });
  expect(await second.world()).toEqual(world);
  await using space = await first.space({ seed: world });
  expect(await space.world()).toEqual(world);

  await first.reset();
  expect(JSON.stringify(await first.world())).not.toContain('grace.hopper@acme.test');
  await first.reset({ seed: world });
  expect(await first.world()).toEqual(world);
});
