import { expect, test, vi } from 'vitest';
import { hasOwnAuthenticator, qrLink } from './authenticator-links.ts';

/** The jsdom instance that Vitest provides. */
declare const jsdom: { reconfigure(settings: { url: string }): void };

const testQr = () =>
  Object.fromEntries(new URL(qrLink({ kind: 'test-device', orgCode: 'acme', qidCode: 'q-1' })).searchParams);

// covers: spec 1.7.37
test.each([
  ['http://localhost:3000', 'dev'],
  ['https://portal.acme.test', 'dev'],
  ['https://qa.acme.test', 'qa'],
  ['https://portal-uat.acme.test', 'uat'],
])("includes the environment in the device test's QR code at %s: %s", (origin, appEnv) => {
  jsdom.reconfigure({ url: `${origin}/dashboard` });
  expect(testQr()).toEqual({ qidCode: 'q-1', orgCode: 'acme', sourceId: 'test-device', appEnv });
});

// covers: spec 1.7.37
test("omits the environment from the device test's QR code in production", () => {
  jsdom.reconfigure({ url: 'https://prod.acme.test/dashboard' });
  expect(testQr()).toEqual({ qidCode: 'q-1', orgCode: 'acme', sourceId: 'test-device' });
});

// covers: spec 1.7.37
test("links QR codes to this portal's authenticator unless a template is configured", () => {
  jsdom.reconfigure({ url: 'http://localhost:3000/dashboard' });
  const link = () => qrLink({ kind: 'add-device', orgCode: 'acme', aid: 'a-1' });
  expect(link()).toBe('http://localhost:3000/authenticator?aid=a-1&orgCode=acme');
  expect(hasOwnAuthenticator()).toBe(true);
  vi.stubEnv('VITE_QR_TEMPLATE', 'https://phone.test/open?from=portal');
  expect(link()).toBe('https://phone.test/open?from=portal&aid=a-1&orgCode=acme');
  expect(hasOwnAuthenticator()).toBe(false);
});
