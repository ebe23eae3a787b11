import { createApp, updateApp } from '@orchestrate/shared';
import type { Page } from '@playwright/test';
import type { Scene, Studio } from './scene.ts';

const USER = 'user@acme.test';

/** Requests a push sign-in on an application's sign-in page. */
async function askDevice(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('tab', { name: 'My device' }).click();
  await page.getByRole('textbox', { name: /^Email or/ }).fill(USER);
  await page.getByRole('button', { name: 'Send request' }).click();
}

/** A server-rendered page, shown if the user has no access to an application. */
const noAccess: Scene = {
  name: 'application-no-access',
  async arrange({ portal, page }) {
    const { token } = await portal.signIn('super.admin@acme.test');
    const params = { orgCode: 'acme', appId: 'team-wiki' };
    await portal.call(updateApp, { params, body: { usableBy: { roles: ['AUDITOR'], people: [] } } }, { token });
    await portal.lab.policy({ match: { email: USER }, answer: 'approve', number: 'right' });
    const query = new URLSearchParams({
      client_id: 'team-wiki',
      redirect_uri: 'http://localhost:8080/oidc/callback',
      response_type: 'code',
      scope: 'openid',
    });
    await page.goto(`/oidc/acme/auth?${query}`);
    await askDevice(page);
    await page.getByRole('heading', { name: "You can't use Team Wiki" }).waitFor();
  },
};

/** Starts a device authorization, as a television would. */
async function startDevice({ portal }: Studio): Promise<{ user_code: string; verification_uri_complete: string }> {
  const { token } = await portal.signIn('super.admin@acme.test');
  const clients = { kind: 'native' as const };
  const body = { orgCode: 'acme', name: 'Lobby Television', oidcConfiguration: { clients } };
  await portal.call(createApp, { params: { orgCode: 'acme' }, body }, { token });
  const form = { client_id: 'lobby-television', scope: 'openid' };
  const { body: shown } = await portal.http.post('/oidc/acme/device-authorization').type('form').send(form);
  return shown;
}

/** Replaces the random code with a fixed one to keep the images stable. */
async function showCode(page: Page, code: string): Promise<void> {
  const text = page.getByText(code, { exact: true });
  await text.evaluate((element) => {
    element.textContent = 'WDJB-MJHT';
  });
}

const code: Scene = {
  name: 'device-code',
  async arrange({ page }) {
    await page.goto('/oidc/acme/device');
    await page.getByRole('heading', { name: 'Sign in on a device' }).waitFor();
  },
};

const wrongCode: Scene = {
  name: 'device-code-wrong',
  async arrange({ page }) {
    await page.goto('/oidc/acme/device');
    await page.getByRole('textbox').fill('WDJB-MJHT');
    await page.getByRole('button', { name: 'Keep going' }).click();
    await page.getByRole('alert').waitFor();
  },
};

const confirm: Scene = {
  name: 'device-confirm',
  async arrange(studio) {
    const { page } = studio;
    const shown = await startDevice(studio);
    await page.goto(shown.verification_uri_complete);
    await showCode(page, shown.user_code);
  },
};

const denied: Scene = {
  name: 'device-denied',
  async arrange(studio) {
    await studio.page.goto((await startDevice(studio)).verification_uri_complete);
    await studio.page.getByRole('button', { name: 'Deny' }).click();
    await studio.page.getByRole('heading', { name: 'You denied the sign-in' }).waitFor();
  },
};

/** Enters a code and approves the sign-in on the phone. */
async function enterAndSignIn(studio: Studio): Promise<void> {
  const { portal, page } = studio;
  await portal.lab.policy({ match: { email: USER }, answer: 'approve', number: 'right' });
  await page.goto((await startDevice(studio)).verification_uri_complete);
  await page.getByRole('button', { name: 'Sign in on the device' }).click();
  await askDevice(page);
}

const done: Scene = {
  name: 'device-done',
  async arrange(studio) {
    await enterAndSignIn(studio);
    await studio.page.getByRole('heading', { name: "You're signed in on the device" }).waitFor();
  },
};

/**
 * Signs the user in to the wiki in another browser tab. The wiki has no server here, so this function waits for the
 * request to the wiki instead of a page.
 */
async function signInToWiki({ portal, page }: Studio): Promise<void> {
  await portal.lab.policy({ match: { email: USER }, answer: 'approve', number: 'right' });
  const query = new URLSearchParams({
    client_id: 'team-wiki',
    redirect_uri: 'http://localhost:8080/oidc/callback',
    response_type: 'code',
    scope: 'openid',
  });
  const window = await page.context().newPage();
  await window.goto(`/oidc/acme/auth?${query}`);
  const leaving = window.waitForRequest(/localhost:8080/);
  await askDevice(window);
  await leaving;
  await window.close();
}

/** Server-rendered page, shown when an application requests a sign-out. */
const signOut: Scene = {
  name: 'application-sign-out',
  async arrange(studio) {
    await signInToWiki(studio);
    await studio.page.goto('/oidc/acme/session/end?client_id=team-wiki');
    await studio.page.getByRole('heading', { name: 'Sign out?' }).waitFor();
  },
};

const signedOut: Scene = {
  name: 'application-signed-out',
  async arrange(studio) {
    await signOut.arrange(studio);
    await studio.page.getByRole('button', { name: /^Sign out/ }).click();
    await studio.page.getByRole('heading', { name: /signed out/i }).waitFor();
  },
};

export const protocolScenes: readonly Scene[] = [noAccess, signOut, signedOut, code, wrongCode, confirm, denied, done];
