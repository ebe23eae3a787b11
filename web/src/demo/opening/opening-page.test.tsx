import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { endSpace, getOrgSettings, listSpaces, readWorld } from '@orchestrate/shared';
import { createPortalCall } from '@orchestrate/shared/authenticator';
import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visit } from '#layout/testing.tsx';
import { fill, user } from '#testing.ts';
import DemoPage from '../demo-page.tsx';
import { DEMO_SEED } from '../world/demo-world.ts';
import { startDemo } from './opening-page.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(async () => {
  await closePage(portal);
});

const screens = (
  <Routes>
    <Route path="/demo/*" element={<DemoPage />} />
  </Routes>
);
const spaces = async () => (await portal.call(listSpaces, {})).body.spaces;

test('keeps a leading emoji in the name whole in the preview', async () => {
  visit(portal, '/demo', screens);
  await fill(await screen.findByRole('textbox', { name: 'Your organisation’s name' }), '😀Werke');
  expect(await screen.findAllByText('😀')).toHaveLength(2);
});

test('starts a demo with the entered name and colour in a separate portal', async () => {
  const before = (await portal.call(readWorld, {})).body.world;
  visit(portal, '/demo', screens);
  await screen.findByRole('heading', { name: 'See the portal in your colours' });
  const address = new URL(await startDemo({ name: 'Harbour & Sons', colour: '#0F766E' }));
  expect(address.pathname).toBe('/demo/stage');
  expect(address.searchParams.get('from')).toBe(portal.url);
  const call = createPortalCall({ baseUrl: address.origin });
  expect(await call(getOrgSettings, { query: { code: 'harbour-sons' } })).toMatchObject({
    name: 'Harbour & Sons',
    color: '#0F766E',
  });
  expect((await call(readWorld, {})).world.randomSeed).toBe(DEMO_SEED);
  expect((await portal.call(readWorld, {})).body.world).toEqual(before);
  for (const { spaceId } of await spaces()) await portal.call(endSpace, { params: { spaceId } });
});

test('requires a name', { tags: 'whole' }, async () => {
  visit(portal, '/demo', screens);
  await user.click(await screen.findByRole('button', { name: 'Start the demo' }));
  await screen.findByText('This field is required');
  await user.click(screen.getByRole('radio', { name: 'Teal' }));
  await fill(screen.getByRole('textbox', { name: 'Your organisation’s name' }), '  ');
  await user.click(screen.getByRole('button', { name: 'Start the demo' }));
  expect(await spaces()).toEqual([]);
});

test('shows the name in the preview immediately', async () => {
  visit(portal, '/demo', screens);
  await fill(await screen.findByRole('textbox', { name: 'Your organisation’s name' }), 'Harbour');
  await waitFor(() => expect(screen.getByText('Sign in to Harbour')).toBeTruthy());
});

test('shows the not-found page if the lab is off', async () => {
  const closed = await testPortal({ config: { lab: false } });
  visit(closed, '/demo', screens);
  await screen.findByRole('heading', { name: /not found/i });
  await closePage(closed);
});

test('asks for the lab token, and passes it to the demo', {
  tags: 'whole',
}, async () => {
  const guarded = await testPortal({ config: { labToken: 'open-sesame', host: '0.0.0.0' } });
  visit(guarded, '/demo', screens);
  await fill(await screen.findByLabelText('Lab token'), 'open-sesame');
  await user.click(screen.getByRole('button', { name: 'Open the lab' }));
  await screen.findByRole('heading', { name: 'See the portal in your colours' });
  const address = new URL(await startDemo({ name: 'Harbour', colour: '#0F766E' }));
  expect(address.hash).toBe('#lab-token=open-sesame');
  expect(address.search).not.toContain('open-sesame');
  await closePage(guarded);
});
