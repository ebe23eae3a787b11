import * as client from 'openid-client';

/** Signs a user in on a device that has no browser. @param print displays a line on the device */
export async function signIn(issuer: string, clientId: string, print: (line: string) => void): Promise<void> {
  const console = { log: print };
  const config = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const shown = await client.initiateDeviceAuthorization(config, { scope: 'openid email' });
  console.log(`Open ${shown.verification_uri} and enter ${shown.user_code}`);
  const tokens = await client.pollDeviceAuthorizationGrant(config, shown);
  console.log(`Hello, ${tokens.claims()?.email}`);
}
