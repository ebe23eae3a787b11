import assert from 'node:assert/strict';
import type { Browser, Page, Portal } from '@orchestrate/server/testing-api';
import type { Device, DeviceFlow } from './foreign-client.ts';
import { excerptOf, PERSON_EMAIL } from './oidc-flows.ts';

/** A device client and its portal. */
export interface DeviceStage {
  portal: Portal;
  start(): Promise<Device>;
  /** Starts the client without registering an application for it at the portal. */
  startUnknown(): Promise<Device>;
}

const EXPIRES_AFTER_SECONDS = 600;
const SIGNED_IN = /You(?:'|&#39;)re signed in on the device/;

/** Submits the page's code entry form. */
async function submit(browser: Browser, { url, text }: Page, fields: Record<string, string>): Promise<Page> {
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(text) ?? [];
  return browser.open(`${url.origin}${url.pathname}`, { xsrf, ...fields });
}

async function enter(browser: Browser, { shown: { address, code } }: Device): Promise<Page> {
  return submit(browser, await browser.open(address), { user_code: code });
}

async function signedIn({ portal, start }: DeviceStage): Promise<string> {
  return signIn(portal, await start());
}

async function signIn(portal: Portal, device: Device): Promise<string> {
  const page = await enter(portal.browser({ as: PERSON_EMAIL }), device);
  assert.match(page.text, SIGNED_IN, excerptOf(page));
  return requireSignedIn(device);
}

async function requireSignedIn({ written }: Device): Promise<string> {
  const text = await written;
  assert.ok(text.includes(PERSON_EMAIL), `the device says: ${text}`);
  return text;
}

export const deviceFlows: Record<DeviceFlow, (stage: DeviceStage) => Promise<void>> = {
  async 'sign-in'(stage) {
    await signedIn(stage);
    await stage.portal.verify({ method: 'POST', path: '/oidc/acme/device-authorization', count: 1 });
  },
  async link({ portal, start }) {
    const device = await start();
    assert.ok(device.shown.link, 'the device shows no link');
    const page = await portal.browser({ as: PERSON_EMAIL }).open(device.shown.link);
    assert.match(page.text, SIGNED_IN, excerptOf(page));
    await requireSignedIn(device);
  },
  async 'denied on the page'({ portal, start }) {
    const device = await start();
    const browser = portal.browser();
    const page = await enter(browser, device);
    await submit(browser, page, { user_code: device.shown.code, abort: 'yes' });
    await requireRefusal(device, /access_denied|denied/i);
  },
  async userinfo(stage) {
    assert.match(await signedIn(stage), /Daniel/);
    await stage.portal.verify({ path: '/oidc/acme/me', atLeast: 1 });
  },
  async refresh(stage) {
    assert.match(await signedIn(stage), /refreshed/);
    const entries = await stage.portal.journal({ path: '/oidc/acme/token' });
    const grants = entries.map((entry) => JSON.stringify(entry)).filter((entry) => entry.includes('refresh_token'));
    assert.ok(grants.length > 0, 'the portal received no refresh request');
  },
  async 'registers itself'({ portal, startUnknown }) {
    await signIn(portal, await startUnknown());
    await portal.verify({ method: 'POST', path: '/oidc/acme/reg', count: 1 });
  },
  async 'expired code'({ portal, start }) {
    const device = await start();
    await portal.clock({ advanceSeconds: EXPIRES_AFTER_SECONDS + 1 });
    await requireRefusal(device, /expired/i);
  },
};

async function requireRefusal({ written }: Device, why: RegExp): Promise<void> {
  const text = await written;
  assert.ok(!text.includes(PERSON_EMAIL), `the device says: ${text}`);
  assert.match(text, why);
}
