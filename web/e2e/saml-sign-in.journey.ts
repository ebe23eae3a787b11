import { seededDevice } from './fixtures/seeded-device.ts';
import { approveShown } from './fixtures/sign-in.ts';
import { expect, test } from './fixtures/test.ts';

/** Origin of the demo's SAML application, which exists only as a stub in this test. */
const APPLICATION = 'https://travel.acme.test';

test('opening a SAML application posts the member’s identity to it', async ({ page, portal, authenticator }) => {
  const posted: URLSearchParams[] = [];
  await page.route(`${APPLICATION}/**`, async (route) => {
    const request = route.request();
    if (request.method() === 'POST') posted.push(new URLSearchParams(request.postData() ?? ''));
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
});
