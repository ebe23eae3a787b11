import type { Scene } from './scene.ts';

/** Pages with a single message. */
const pages = {
  'access-restricted': '/',
  'access-denied': '/access-denied',
  'not-found': '/acme/no/such/page',
  'static-activation-sent': '/static/activation-sent',
  'static-link-invalid': '/static/link-invalid',
  'static-link-early': '/static/link-early?validFrom=2026-11-21T09:00:00.000Z',
  'static-ip-blocked': '/static/ip-blocked',
  'static-sso-unknown-email': '/static/sso-unknown-email?org=acme',
  'static-sso-provider-down': '/static/sso-provider-down?org=acme',
  'sign-in-sso-over': '/acme/sign-in?login=success#code=over',
};

export const staticScenes: Scene[] = Object.entries(pages).map(([name, address]) => ({
  name,
  async arrange({ page }) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
  },
}));
