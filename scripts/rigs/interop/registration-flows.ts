import assert from 'node:assert/strict';
import type { Browser, Portal } from '@orchestrate/server/testing-api';
import type { RegisteringClient, RegistrationFlow, RegistrationSettings } from './foreign-client.ts';
import { excerptOf, PERSON_EMAIL, requireRefusal, requireSignedIn } from './oidc-flows.ts';

/** A running client and the portal it registers at. */
export interface RegistrationStage {
  portal: Portal;
  client: RegisteringClient;
  url: string;
  issuer: string;
  /** Returns the names of the organisation's applications. */
  applications(): Promise<string[]>;
  /** Restarts the client to make it register again. */
  restart(settings?: Partial<RegistrationSettings>): Promise<void>;
}

const REGISTER = { method: 'POST', path: '/oidc/acme/reg' } as const;

const open = ({ client, url, issuer }: RegistrationStage, browser: Browser) =>
  client.signIn?.(browser, url, issuer) ?? browser.open(`${url}/login`);

async function signedIn(stage: RegistrationStage): Promise<Browser> {
  const browser = stage.portal.browser({ as: PERSON_EMAIL });
  const page = await open(stage, browser);
  await requireSignedIn(browser, stage.url, page);
  return browser;
}

export const registrationFlows: Record<RegistrationFlow, (stage: RegistrationStage) => Promise<void>> = {
  async 'registers and signs in'(stage) {
    const before = await stage.applications();
    await signedIn(stage);
    await stage.portal.verify({ ...REGISTER, count: 1 });
    const made = (await stage.applications()).filter((name) => !before.includes(name));
    assert.equal(made.length, 1, `the new applications are ${made.join(', ')}`);
  },
  async 'registers once'(stage) {
    await signedIn(stage);
    await stage.portal.verify({ ...REGISTER, count: 0 });
  },
  async refresh(stage) {
    const browser = await signedIn(stage);
    const page = await browser.open(`${stage.url}/refresh`);
    assert.equal(page.status, 200, excerptOf(page));
    await stage.portal.verify({ method: 'POST', path: '/oidc/acme/token', count: 2 });
    await requireSignedIn(browser, stage.url, page);
  },
  async 'removes itself'(stage) {
    await stage.restart();
    const before = await stage.applications();
    const browser = await signedIn(stage);
    const page = await browser.open(`${stage.url}/unregister`);
    assert.equal(page.status, 200, excerptOf(page));
    assert.deepEqual(await stage.applications(), before);
  },
  async 'wrong token'(stage) {
    await stage.restart({ initialToken: 'a-token-that-is-wrong' });
    const before = await stage.applications();
    const browser = stage.portal.browser({ as: PERSON_EMAIL });
    await requireRefusal(browser, stage.url, await open(stage, browser));
    await stage.portal.verify({ ...REGISTER, atLeast: 1 });
    assert.deepEqual(await stage.applications(), before);
  },
};
