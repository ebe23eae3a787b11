import { createApp, type InputOf } from '@orchestrate/shared';
import type { TestPortal } from '#testing/test-portal.ts';

type Clients = NonNullable<NonNullable<InputOf<typeof createApp>['body']>['oidcConfiguration']>['clients'];

const ADDRESSES = {
  redirect_uris: ['http://localhost:8080/oidc/callback'],
  post_logout_redirect_uris: ['http://localhost:8080/'],
};

/** An application, made in the portal as an administrator does. */
export async function makeApplication(
  portal: TestPortal,
  token: string,
  name: string,
  clients: Clients,
  orgCode = 'acme',
) {
  const addresses = clients.kind === 'machine' ? {} : ADDRESSES;
  const body = { orgCode, name, oidcConfiguration: { clients: { ...addresses, ...clients } } };
  const { body: answer } = await portal.call(createApp, { params: { orgCode }, body }, { token });
  return answer.app;
}
