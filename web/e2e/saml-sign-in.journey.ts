import { deflateRawSync } from 'node:zlib';
import { updateSamlApp } from '@orchestrate/shared';
import { seededDevice } from './fixtures/data.ts';
import { approveShown } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

/** Origin of the demo data's SAML application, which is a stub in this test. */
const APPLICATION = 'https://travel.acme.test';

test(
  'posts the member’s identity to a SAML application, and later does so without a prompt',
  WHOLE,
  async ({ page, portal, authenticator, complaints }) => {
    const { token } = await portal.session({ email: 'super.admin@acme.test' });
    const flags = { didEnabled: true, webAuthnEnabled: false, forceAuthnEnabled: false };
    const params = { orgCode: 'acme', appId: 'travel-desk' };
    await portal.call(updateSamlApp, { params, body: { flags, maxCookieLife: 3_600 } }, { token });
    const posted: URLSearchParams[] = [];
    const origins: (string | null)[] = [];
    await page.route(`${APPLICATION}/**`, async (route) => {
      const request = route.request();
      if (request.method() === 'POST') {
        posted.push(new URLSearchParams(request.postData() ?? ''));
        origins.push(await request.headerValue('origin'));
      }
      return route.fulfill({ contentType: 'text/html', body: '<title>Trips</title><h1>Your trips</h1>' });
    });

    await page.goto('/saml/acme/travel-desk/sso');
    await expect(page.getByText('Travel Desk').first()).toBeVisible();
    const phone = await seededDevice(portal, 'user@acme.test');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await approveShown(page, authenticator, phone);

    await expect(page.getByRole('heading', { name: 'Your trips' })).toBeVisible();
    const [answer] = posted;
    expect(answer?.get('RelayState')).toBe(`${APPLICATION}/trips`);
    const response = Buffer.from(answer?.get('SAMLResponse') ?? '', 'base64').toString();
    expect(response).toContain('>user@acme.test</saml:NameID>');
    expect(response).toContain(`Recipient="${APPLICATION}/saml/acs"`);
    expect(origins).toEqual([portal.url]);

    /** Opens a portal page that returns to the application automatically, possibly before the page has loaded. */
    const visit = (path: string) => page.evaluate((address) => window.location.assign(address), `${portal.url}${path}`);
    const passive = () => {
      const request = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${crypto.randomUUID()}" Version="2.0" IsPassive="true" IssueInstant="${new Date().toISOString()}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${APPLICATION}/saml/metadata</saml:Issuer></samlp:AuthnRequest>`;
      return `/saml/acme/travel-desk/sso?${new URLSearchParams({ SAMLRequest: deflateRawSync(request).toString('base64') })}`;
    };
    const statusOf = (form: URLSearchParams | undefined) =>
      Buffer.from(form?.get('SAMLResponse') ?? '', 'base64')
        .toString()
        .match(/status:(\w+)"/g)
        ?.join(' ');
    // This browser is now remembered, so the passive sign-in succeeds without a prompt.
    await visit(passive());
    await expect.poll(() => statusOf(posted[1])).toBe('status:Success"');
    // Without its cookie, the browser isn't remembered, so the automatic sign-in fails.
    complaints.expect(/status of 40\d/);
    await page.context().clearCookies();
    await visit(passive());
    await expect.poll(() => statusOf(posted[2])).toBe('status:Responder" status:NoPassive"');
  },
);
