import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { listSnapshots, login, readWorld, world } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPhone } from '#authenticator/phone/phone-storage.ts';
import { closePage, visit } from '#layout/testing.tsx';
import { user } from '#testing.ts';
import DemoPage from '../demo-page.tsx';
import { castEmail, demoWorld } from '../world/demo-world.ts';

const NOW = new Date('2026-11-20T09:40:00');
const COMPANY = { name: 'Harbour & Sons', colour: '#0F766E' };
const MAYA = castEmail('harbour-sons', 'employee');

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal({ seed: world.parse(demoWorld(COMPANY, NOW)), now: NOW.getTime() });
});
afterEach(() => closePage(portal));

const screens = (
  <Routes>
    <Route path="/demo/*" element={<DemoPage />} />
  </Routes>
);
const open = async () => {
  visit(portal, '/demo/stage', screens);
  await screen.findByRole('heading', { name: 'The first sign-in' });
  await screen.findByTitle('The phone');
};
const present = () => screen.getByRole('list', { name: 'Steps' }).querySelector('[aria-current=step]')?.textContent;
const events = () => screen.getByRole('list', { name: 'Live events' });

/** Approves the sign-in on the scene's phone, as the phone's page would. */
async function signIn(): Promise<void> {
  const { body } = await portal.call(login, { body: { orgCode: 'harbour-sons', mode: 'QID' } });
  await waitFor(() => expect(present()).toContain('The phone scans the code'));
  const [account] = readPhone().accounts;
  if (!account) throw new Error('Expected an account on the phone, found none.');
  const { challenge } = await portal.authenticator.resolve(account, body.qid ?? '');
  await portal.authenticator.respond(account, { challengeId: challenge.challengeId, decision: 'approve' });
}

test('shows browser, phone and events side by side, and completes the steps of a real sign-in', async () => {
  await open();
  expect(screen.getByTitle('The browser').getAttribute('src')).toBe('/harbour-sons/sign-in');
  expect(readPhone().accounts.map(({ email }) => email)).toEqual([MAYA]);
  expect(present()).toContain('The browser shows a code');
  await signIn();
  await waitFor(() => expect(present()).toContain('Signed in'));
  await within(events()).findByText('approved the sign-in', { exact: false });
  expect(within(events()).getAllByText(/Maya Okafor/).length).toBeGreaterThan(0);
});

test('resets the scene on R, and selects another scene on a number key', async () => {
  await open();
  const before = (await portal.call(readWorld, {})).body.world;
  await signIn();
  await waitFor(() => expect(present()).toContain('Signed in'));
  await user.keyboard('r');
  await waitFor(() => expect(present()).toContain('The browser shows a code'));
  await waitFor(async () => expect((await portal.call(readWorld, {})).body.world).toEqual(before));
  await user.keyboard('2');
  await screen.findByRole('heading', { name: 'A lost phone' });
  await waitFor(() => expect(screen.getByTitle('The browser').getAttribute('src')).toMatch(/^\/manage-users\//));
  expect(readPhone().accounts.map(({ name }) => name)).toEqual(['Galaxy S24']);
  expect((await portal.call(listSnapshots, {})).body.snapshots).toHaveLength(1);
});

test('turns shortcuts off and on', { tags: 'whole' }, async () => {
  await open();
  await user.click(screen.getByRole('button', { name: 'Turn shortcuts off' }));
  await user.keyboard('3');
  await user.click(screen.getByRole('button', { name: 'Turn shortcuts on' }));
  await user.keyboard('4');
  await screen.findByRole('heading', { name: 'A denied attempt' });
});

test('shows today’s figures, and counts a new sign-in', { tags: 'whole' }, async () => {
  await open();
  const today = within(await screen.findByRole('region', { name: 'Today' }));
  const count = async () => Number((await today.findByText('signed in')).querySelector('strong')?.textContent);
  const before = await count();
  expect(before).toBeGreaterThan(30);
  await signIn();
  await waitFor(async () => expect(await count()).toBe(before + 1));
});

test('leaves a portal unchanged if it was not started for a demo', { tags: 'whole' }, async () => {
  const other = await testPortal();
  const before = (await other.call(readWorld, {})).body.world;
  visit(other, '/demo/stage?from=http://localhost:3000', screens);
  await screen.findByRole('heading', { name: "This isn't a demo portal" });
  expect(screen.getByRole('link', { name: 'Start a new demo' }).getAttribute('href')).toBe(
    'http://localhost:3000/demo',
  );
  expect((await other.call(readWorld, {})).body.world).toEqual(before);
  expect((await other.call(listSnapshots, {})).body.snapshots).toEqual([]);
  await closePage(other);
});

test('after the demo’s space has ended, links to the portal that started the demo', {
  tags: 'whole',
}, async () => {
  const ending = await testPortal({ seed: world.parse(demoWorld(COMPANY, NOW)), now: NOW.getTime() });
  visit(ending, '/demo/stage?from=http://localhost:3000', screens);
  await screen.findByRole('heading', { name: 'The first sign-in' });
  await screen.findByTitle('The phone');
  await ending.close();
  await screen.findByRole('heading', { name: 'The demo has ended' });
  expect(screen.getByRole('link', { name: 'Start a new demo' }).getAttribute('href')).toBe(
    'http://localhost:3000/demo',
  );
});
