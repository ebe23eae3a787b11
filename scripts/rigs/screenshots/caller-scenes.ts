import { startVerbal } from '@orchestrate/shared';
import type { Page } from '@playwright/test';
import { Phone } from '../../../web/e2e/fixtures/phone.ts';
import { shownCode } from '../../../web/e2e/fixtures/sign-in.ts';
import type { Scene, Studio } from './scene.ts';

const STAFF = 'callcenter.admin@acme.test';
const CALLER = 'user@acme.test';
const on = ['desktop'] as const;

async function open({ page, signIn }: Studio, path = ''): Promise<void> {
  await signIn(STAFF);
  await page.getByRole('table', { name: 'Registered devices' }).waitFor();
  await page.goto(`/authenticate-caller${path}`);
}

/** Enters the code as the caller. Returns a function that sends the caller's decision. */
async function typeCode(studio: Studio): Promise<(decision: 'approve' | 'deny') => Promise<unknown>> {
  await open(studio, '/generate');
  const { authenticator, device } = studio.portal;
  const { challenge } = await authenticator.resolve(device(CALLER), await shownCode(studio.page));
  const { challengeId } = challenge;
  return (decision) => authenticator.respond(device(CALLER), { challengeId, decision });
}

/** Opens the caller's phone and enters the code that the staff member read out. */
async function request({ page, portal }: Studio): Promise<Phone> {
  const { token } = await portal.signIn(STAFF);
  const { code } = (await portal.call(startVerbal, { query: {} }, { token })).body;
  const phone = new Phone(page);
  await phone.startAs(CALLER);
  await phone.typeCode(code);
  await page.getByText('Confirm to Noor Haddad that it’s you?').first().waitFor();
  return phone;
}

const untilShown = (page: Page, text: string) => page.getByText(text).waitFor();

export const callerScenes: Scene[] = [
  {
    name: 'caller',
    async arrange(studio) {
      await open(studio);
      const { page, view } = studio;
      if (view === 'desktop') await page.getByRole('button', { name: 'Generate' }).waitFor();
      else await page.getByRole('link', { name: 'Back to dashboard' }).waitFor();
    },
  },
  {
    name: 'caller-code',
    on,
    async arrange(studio) {
      await open(studio, '/generate');
      await shownCode(studio.page);
      await studio.pass(34);
    },
  },
  {
    name: 'caller-consent',
    on,
    async arrange(studio) {
      await typeCode(studio);
      await untilShown(studio.page, 'Waiting for consent');
    },
  },
  {
    name: 'caller-confirmed',
    on,
    async arrange(studio) {
      const answer = await typeCode(studio);
      await answer('approve');
      await untilShown(studio.page, 'Caller confirmed');
      await untilShown(studio.page, 'Employee ID');
    },
  },
  {
    name: 'caller-denied',
    on,
    async arrange(studio) {
      const answer = await typeCode(studio);
      await answer('deny');
      await untilShown(studio.page, 'Consent Denied');
    },
  },
  {
    name: 'caller-expired',
    on,
    async arrange(studio) {
      await open(studio, '/generate');
      await shownCode(studio.page);
      await studio.pass(121);
      await untilShown(studio.page, 'This code has expired.');
    },
  },
  {
    name: 'authenticator-caller',
    async arrange(studio) {
      await request(studio);
    },
  },
  {
    name: 'authenticator-caller-why',
    on: ['phone'],
    async arrange(studio) {
      await (await request(studio)).button('Deny').click();
    },
  },
  {
    name: 'authenticator-caller-denied',
    on: ['phone'],
    async arrange(studio) {
      await (await request(studio)).deny("It wasn't me");
      await untilShown(studio.page, 'Denied and reported');
    },
  },
];
