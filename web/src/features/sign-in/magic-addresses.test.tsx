import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { MAGIC_VALUES, RESULT_NAMES, readFaults, resultOf, verifyJournal } from '@orchestrate/shared';
import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visit } from '#layout/testing.tsx';
import { fill, user } from '#testing.ts';
import SignInScreen from './sign-in-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

/** Expected message for each address. Addresses not listed here are tested over HTTP (server/src/lab/magic). */
const EXPECTED = {
  'expired@magic.test': resultOf('EXPIRED').sentence,
  'ratelimited@magic.test': 'Too many requests. Try again in 1 minute.',
  'code-35@magic.test': resultOf('USER_INACTIVE').sentence,
  'user-inactive+2@magic.test': resultOf('USER_INACTIVE').sentence,
  'account-locked@magic.test': resultOf('ACCOUNT_LOCKED').sentence,
  'expird@magic.test': "expird@magic.test isn't a magic address. Did you mean expired@magic.test?",
};

test('acceptance 19: shows the expected message for each reserved address typed in the client', async () => {
  visit(
    portal,
    '/acme/sign-in?with=device',
    <Routes>
      <Route path="/:orgId/sign-in" element={<SignInScreen />} />
    </Routes>,
  );
  for (const [address, sentence] of Object.entries(EXPECTED)) {
    await fill(await screen.findByRole('textbox', { name: 'Email or employee ID' }), address);
    await user.click(screen.getByRole('button', { name: 'Send request' }));
    await screen.findByText(sentence);
  }
  const { faults, fired } = (await portal.call(readFaults, {})).body;
  const met = fired.map(({ fault }) => ('answer' in fault ? (fault.answer.resultName ?? fault.answer.status) : fault));
  expect({ faults, met }).toEqual({
    faults: [],
    met: ['ACCOUNT_LOCKED', 'USER_INACTIVE', 'USER_INACTIVE', 429, 'EXPIRED'],
  });
  const noControl = { method: 'POST', path: '/api/lab/faults', count: 0 } as const;
  expect((await portal.call(verifyJournal, { body: noControl })).body).toMatchObject({ ok: true });
  const mapped = MAGIC_VALUES.flatMap(({ answer }) => answer.resultName ?? []);
  expect(mapped).toEqual(RESULT_NAMES.filter((name) => !name.startsWith('RESERVED')));
});
