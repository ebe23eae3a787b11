import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { createApp, inviteUsers, saveBranding } from '@orchestrate/shared';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { paths } from '#paths.ts';
import { user } from '#testing.ts';
import { FirstSteps } from './first-steps.tsx';
import { OrganisationPart } from './organisation-part.tsx';

let portal: TestPortal;
afterEach(() => closePage(portal));

const ADMIN = 'bill@initech.test';
const MOBILE = [{ type: 'mobile' as const }];

async function open(devices = MOBILE) {
  const people = [{ email: ADMIN, role: 'SUPER_ADMIN', devices }];
  portal = await testPortal({ seed: 'none' });
  await portal.lab.reset({ seed: { organisations: [{ code: 'initech', people }] } });
  return visitSignedIn(portal, ADMIN, paths.dashboard, <FirstSteps />);
}

const panel = () => screen.findByRole('region', { name: 'First steps' });

test('lists the first steps of a new organisation, each with a link', async () => {
  await open();
  const steps = within(await panel());
  steps.getByText('0 of 4 done');
  expect(steps.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Invite users',
    'Add an application',
    'Add a second device',
    'Brand the sign-in page',
  ]);
  expect(steps.getByRole('link', { name: 'Add an application' }).getAttribute('href')).toBe(paths.applications);
  expect(steps.getByRole('link', { name: 'Open Branding' }).getAttribute('href')).toBe(paths.branding);
  const signIn = steps.getByRole('link', { name: /^View your organisation's sign-in page/ });
  expect(signIn.getAttribute('href')).toBe(paths.signIn('initech'));
  await user.click(steps.getByRole('button', { name: 'Invite users' }));
  await screen.findByRole('dialog', { name: 'Invite users' });
});

test('ticks finished steps, and disappears once all are done', { tags: 'whole' }, async () => {
  const { token } = await open([...MOBILE, ...MOBILE]);
  await panel();
  await portal.call(saveBranding, { body: brandingForm() }, { token });
  const body = { orgEmails: ['peter@initech.test'], type: 'mobile' as const, addNew: true };
  await portal.call(inviteUsers, { body }, { token });
  cleanup();
  await visitSignedIn(portal, ADMIN, paths.dashboard, <FirstSteps />);
  const steps = within(await panel());
  steps.getByText('3 of 4 done');
  steps.getByRole('heading', { name: 'Invite users · done' });
  expect(steps.queryByRole('button', { name: 'Invite users' })).toBeNull();

  const params = { orgCode: 'initech' };
  const app = { orgCode: 'initech', integrationType: 'radius' as const, name: 'Gateway' };
  await portal.call(createApp, { params, body: app }, { token });
  cleanup();
  await visitSignedIn(
    portal,
    ADMIN,
    paths.dashboard,
    <>
      <FirstSteps />
      <OrganisationPart />
    </>,
  );
  await screen.findByRole('region', { name: 'Organisation overview' });
  expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
});

test('stays hidden in this browser after the user hides it', async () => {
  await open();
  await user.click(within(await panel()).getByRole('button', { name: 'Hide' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull());
  expect(localStorage.getItem('orchestrate.first-steps-hidden')).toBe('initech');
});

test('reserves the space of the steps once this browser has shown them', async () => {
  await open();
  await panel();
  expect(localStorage.getItem('orchestrate.first-steps-shown')).toBe('initech');
  cleanup();
  await portal.lab.fault({ match: { method: 'GET', path: '/api/org/summary' }, answer: { delayMs: 500 }, times: 1 });
  await visitSignedIn(portal, ADMIN, paths.dashboard, <Reloaded />);
  await screen.findByRole('status', { name: 'Loading first steps' });
  await screen.findByText('0 of 4 done');
});

/** The steps after a reload, with what the browser has stored. */
function Reloaded() {
  useState(() => localStorage.setItem('orchestrate.first-steps-shown', 'initech'));
  return <FirstSteps />;
}

test("hides steps that the user's role doesn't allow", async () => {
  const roles = [{ code: 'CLERK', name: 'Clerk', permissions: ['SEARCH_USER' as const, 'BULK_INVITE' as const] }];
  const people = [{ email: 'milton@initech.test', role: 'CLERK', devices: MOBILE }];
  portal = await testPortal({ seed: 'none' });
  await portal.lab.reset({ seed: { organisations: [{ code: 'initech', roles, people }] } });
  await visitSignedIn(portal, 'milton@initech.test', paths.dashboard, <FirstSteps />);
  const steps = within(await panel());
  steps.getByText('0 of 2 done');
  expect(steps.queryByRole('link', { name: 'Open Branding' })).toBeNull();
});

function brandingForm(): FormData {
  const form = new FormData();
  const texts = { name: 'Initech', color: '#0F766E', title: 'Initech', loginButtonName: 'Sign in' };
  for (const [name, value] of Object.entries(texts)) form.append(name, value);
  return form;
}
