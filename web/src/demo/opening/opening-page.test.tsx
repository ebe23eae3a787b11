import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { endSpace, getOrgSettings, listSpaces, readWorld } from '@orchestrate/shared';
import { createPortalCall } from '@orchestrate/shared/authenticator';
import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leave, visit } from '#layout/testing.tsx';
import { fill, user } from '#testing.ts';
import StagePage from '../demo-page.tsx';
import { STAGE_SEED } from '../world/demo-world.ts';
import { openStage } from './opening-page.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(async () => {
  await leave(portal);
});

const stage = (
  <Routes>
    <Route path="/demo/*" element={<StagePage />} />
  </Routes>
);
const spaces = async () => (await portal.call(listSpaces, {})).body.spaces;

test('a name that begins with an emoji keeps all of it in the drawing', async () => {
  visit(portal, '/demo', stage);
  await fill(await screen.findByRole('textbox', { name: 'Your organisation’s name' }), '😀Werke');
  expect(await screen.findAllByText('😀')).toHaveLength(2);
});

test('a name and a colour are all that a stage needs: it is a portal of its own, and this one keeps its data', async () => {
  const before = (await portal.call(readWorld, {})).body.world;
  visit(portal, '/demo', stage);
  await screen.findByRole('heading', { name: 'See it as your own' });
  const address = new URL(await openStage({ name: 'Harbour & Sons', colour: '#0F766E' }));
  expect(address.pathname).toBe('/demo/stage');
  expect(address.searchParams.get('from')).toBe(portal.url);
  const call = createPortalCall({ baseUrl: address.origin });
  expect(await call(getOrgSettings, { query: { code: 'harbour-sons' } })).toMatchObject({
    name: 'Harbour & Sons',
    color: '#0F766E',
  });
  expect((await call(readWorld, {})).world.randomSeed).toBe(STAGE_SEED);
  expect((await portal.call(readWorld, {})).body.world).toEqual(before);
  for (const { spaceId } of await spaces()) await portal.call(endSpace, { params: { spaceId } });
});

test('without a name nothing is started', { tags: 'whole' }, async () => {
  visit(portal, '/demo', stage);
  await user.click(await screen.findByRole('button', { name: 'Open the stage' }));
  await screen.findByText('This field is required');
  await user.click(screen.getByRole('radio', { name: 'Teal' }));
  await fill(screen.getByRole('textbox', { name: 'Your organisation’s name' }), '  ');
  await user.click(screen.getByRole('button', { name: 'Open the stage' }));
  expect(await spaces()).toEqual([]);
});

test('the chosen name is seen at once in the drawing of the stage', async () => {
  visit(portal, '/demo', stage);
  await fill(await screen.findByRole('textbox', { name: 'Your organisation’s name' }), 'Harbour');
  await waitFor(() => expect(screen.getByText('Sign in to Harbour')).toBeTruthy());
});

test('where the lab is off the page does not exist', async () => {
  const closed = await testPortal({ config: { lab: false } });
  visit(closed, '/demo', stage);
  await screen.findByRole('heading', { name: /not found/i });
  await leave(closed);
});

test('where the lab wants its token the page asks for it, and the stage takes it along', {
  tags: 'whole',
}, async () => {
  const guarded = await testPortal({ config: { labToken: 'open-sesame', host: '0.0.0.0' } });
  visit(guarded, '/demo', stage);
  await fill(await screen.findByLabelText('Lab token'), 'open-sesame');
  await user.click(screen.getByRole('button', { name: 'Open the lab' }));
  await screen.findByRole('heading', { name: 'See it as your own' });
  const address = new URL(await openStage({ name: 'Harbour', colour: '#0F766E' }));
  expect(address.hash).toBe('#lab-token=open-sesame');
  expect(address.search).not.toContain('open-sesame');
  await leave(guarded);
});
