import * as client from 'openid-client';
import { seededDevice } from './fixtures/data.ts';
import { approveShown } from './fixtures/sign-in.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

/** Starts a device authorization for a program without a browser, e.g. on a television. */
async function startDevice(issuer: string) {
  const config = await client.discovery(new URL(issuer), 'television', undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const shown = await client.initiateDeviceAuthorization(config, { scope: 'openid email' });
  return { shown, tokens: () => client.pollDeviceAuthorizationGrant(config, { ...shown, interval: 0 }) };
}

test(
  'creates an application without a redirect URI, and signs in on a device with a code',
  WHOLE,
  async ({ page, portal, authenticator, complaints, signIn, openBrowser }) => {
    // The browser logs a 404 for the wrong code.
    complaints.expect(/status of 404 .*\/oidc\/acme\/device/);
    await signIn('super.admin@acme.test');
    await page.goto('/applications');
    await page.getByRole('button', { name: 'Add application', exact: true }).click();
    await page.getByRole('menuitem', { name: 'OIDC' }).click();
    await page.getByRole('textbox', { name: 'App name', exact: true }).fill('Television');
    await page.getByRole('combobox', { name: 'Application kind' }).selectOption('native');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await expect(page.getByText("Devices without a browser don't need one")).toBeVisible();
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Television / OIDC' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Test sign-in' })).toBeHidden();

    const { shown, tokens } = await startDevice(`${portal.url}/oidc/acme`);
    const phone = await openBrowser(PHONE);
    await phone.goto(shown.verification_uri);
    const code = phone.getByRole('textbox', { name: 'Code that the device shows' });
    await code.fill('bbbb-bbbb');
    await code.press('Enter');
    await expect(phone.getByRole('alert')).toHaveText(
      "This code doesn't match any device. Compare it with the code on your device.",
    );
    await code.fill(shown.user_code.toLowerCase());
    await phone.getByRole('button', { name: 'Continue' }).click();
    await expect(phone.getByRole('heading', { name: 'Is this the device in front of you?' })).toBeVisible();
    await expect(phone.getByText(shown.user_code)).toBeVisible();
    await phone.getByRole('button', { name: 'Sign in on the device' }).click();
    await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
    await approveShown(phone, authenticator, await seededDevice(portal, 'user@acme.test'));
    await expect(phone.getByRole('heading', { name: "You're signed in on the device" })).toBeVisible();
    expect((await tokens()).claims()?.email).toBe('user@acme.test');

    // This browser is signed in now, so the URL with the code requires only one click.
    const second = await startDevice(`${portal.url}/oidc/acme`);
    await phone.goto(second.shown.verification_uri_complete ?? '');
    await expect(phone.getByText("You're signed in here as user@acme.test.")).toBeVisible();
    await phone.getByRole('button', { name: 'Deny' }).click();
    await expect(phone.getByRole('heading', { name: 'You denied the sign-in' })).toBeVisible();
    await expect(second.tokens()).rejects.toMatchObject({ error: 'access_denied' });
  },
);
