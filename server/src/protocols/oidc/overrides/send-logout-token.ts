import type { Client } from 'oidc-provider';

/**
 * Sends a logout token to an application's server (OpenID Connect Back-Channel Logout 1.0 §2.5) with the library's
 * method `Client.backchannelLogout`, which is missing from its types. Rejects if the server doesn't accept the token.
 * No option: the library sends logout tokens only when a browser opens the library's own logout endpoint. Checked
 * with oidc-provider 9.13.3.
 */
export async function sendLogoutToken(client: Client, suid: string, sid: string): Promise<void> {
  const { backchannelLogout: send } = client;
  if (typeof send !== 'function') throw new Error('Expected oidc-provider to have Client.backchannelLogout.');
  await send.call(client, suid, sid);
}
