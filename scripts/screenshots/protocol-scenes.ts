import { updateApp } from '@orchestrate/shared';
import type { Scene } from './scene.ts';

const USER = 'user@acme.test';

/** A page of the server itself, without the client: somebody who may not use an application. */
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
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('tab', { name: 'My device' }).click();
    await page.getByRole('textbox', { name: /^E-mail or/ }).fill(USER);
    await page.getByRole('button', { name: 'Ask my device' }).click();
    await page.getByRole('heading', { name: 'You may not use Team Wiki' }).waitFor();
  },
};

export const protocolScenes: readonly Scene[] = [noAccess];
