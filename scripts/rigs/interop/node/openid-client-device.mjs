import * as client from 'openid-client';

const { ISSUER, CLIENT_ID, INITIAL_TOKEN } = process.env;
const issuer = new URL(ISSUER);
const onThisMachine = { execute: [client.allowInsecureRequests] };
const metadata = {
  client_name: 'Television',
  token_endpoint_auth_method: 'none',
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  response_types: [],
};
const config = INITIAL_TOKEN
  ? await client.dynamicClientRegistration(issuer, metadata, client.None(), {
      ...onThisMachine,
      initialAccessToken: INITIAL_TOKEN,
    })
  : await client.discovery(issuer, CLIENT_ID, undefined, client.None(), onThisMachine);
const shown = await client.initiateDeviceAuthorization(config, { scope: 'openid profile email offline_access' });
console.log(JSON.stringify(shown));
try {
  const tokens = await client.pollDeviceAuthorizationGrant(config, shown);
  const { sub, email } = tokens.claims();
  console.log(`Signed in as ${email}.`);
  console.log(JSON.stringify(await client.fetchUserInfo(config, tokens.access_token, sub)));
  await client.refreshTokenGrant(config, tokens.refresh_token);
  console.log('refreshed');
} catch (reason) {
  console.log(`Refused: ${reason.error ?? reason.message}`);
}
