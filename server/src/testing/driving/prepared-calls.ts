import * as contract from '@orchestrate/shared';
import { startAppSignIn } from '#core/sign-in/app-logins/begin-app-login.ts';
import type { ForeignProvider } from '#features/portal-oidc/foreign-provider-testing.ts';
import { setUpProvider } from '../approving.ts';
import { cookieIn, createRecognisedBrowser, testBrowser } from '../browser.ts';
import { setOrganisation } from '../device.ts';
import { beginByPasskey, registerPasskey } from '../passkey.ts';
import { approveQr, beginQr, type TestPortal } from '../test-portal.ts';
import { type Driver, driverOf, NO_CREDENTIALS, PHONE, providerAt, USER } from './driver.ts';

/** A call that relies on earlier calls and records no audit event. */
export type PreparedCall = () => Promise<unknown>;

/**
 * Returns calls that refer to existing objects and would be refused with input generated from the schema alone.
 * @param foreign provider that knows the portal's callback address
 */
export function preparedCallsOf(portal: TestPortal, foreign: ForeignProvider): PreparedCall[] {
  const driver = driverOf(portal);
  return [...signIns(driver, foreign), ...externalSignIns(driver, foreign), ...devices(driver), ...reads(driver)];
}

/** Returns calls that sign in to the portal and to an application, and the calls that follow. */
function signIns({ portal, send, tokenOf }: Driver, foreign: ForeignProvider): PreparedCall[] {
  const { browser, cookie } = createRecognisedBrowser(portal);
  const beginForApp = () => {
    const request = { protocol: 'oidc' as const, request: '', loginHint: '', needsStepUp: false, browser };
    return startAppSignIn(portal.deps, { orgCode: 'acme', appId: 'payroll', ...request }).id;
  };
  return [
    () => send(contract.getAppLogin, { params: { appLoginId: beginForApp() } }, { cookie }),
    async () => {
      const appLoginId = beginForApp();
      const started = await beginQr(portal, 'acme', { appLoginId, cookie });
      const exchangeToken = await approveQr(portal, portal.device(USER), started);
      const body = { loginId: started.loginId, exchangeToken };
      await send(contract.completeAppLogin, { params: { appLoginId }, body }, { cookie });
    },
    async () => {
      const started = await beginQr(portal);
      const exchangeToken = await approveQr(portal, portal.device(USER), started);
      const signedIn = await send(
        contract.login,
        { body: { loginId: started.loginId, exchangeToken } },
        NO_CREDENTIALS,
      );
      await send(contract.refresh, { body: { refreshToken: signedIn.refreshToken ?? '' } }, NO_CREDENTIALS);
    },
    async () => {
      const { loginId } = await beginQr(portal);
      await send(contract.withdrawLogin, { body: { loginId } }, NO_CREDENTIALS);
    },
    async () => {
      setOrganisation(portal, 'acme', { webAuthnEnabled: 1 });
      const { passkey } = await registerPasskey(portal, tokenOf(USER));
      const { loginId, options } = await beginByPasskey(portal);
      await send(contract.approveByPasskey, { body: { loginId, credential: passkey.use(options) } }, NO_CREDENTIALS);
    },
    async () => {
      const content = { ...providerAt(foreign), clientSecret: 'of the provider' };
      const { approvalId } = await send(contract.beginApproval, {
        body: { action: 'save-oidc-configuration', content },
      });
      await send(contract.approvalState, { params: { approvalId } }, NO_CREDENTIALS);
    },
  ];
}

/** Returns calls that sign in with the organisation's external provider. */
function externalSignIns({ portal, send }: Driver, foreign: ForeignProvider): PreparedCall[] {
  return [
    async () => {
      await setUpProvider(portal, providerAt(foreign), 'security.admin@acme.test');
      foreign.person = { sub: `of ${USER}`, email: USER, email_verified: true };
      const started = await portal.http.get('/api/oidc/login?orgCode=acme');
      const cookie = cookieIn(started);
      const isBack = ({ pathname }: URL) => pathname === '/api/oidc/callback';
      const callback = await testBrowser(portal).walk(started.headers.location ?? '', (url) =>
        isBack(url) ? undefined : url,
      );
      const returned = await portal.http.get(`${callback.pathname}${callback.search}`).set('cookie', cookie);
      const { hash } = new URL(returned.headers.location ?? '', portal.url);
      const code = new URLSearchParams(hash.slice(1)).get('code') ?? '';
      await send(contract.exchangeExternalSignIn, { body: { code } }, { cookie });
    },
  ];
}

/** Returns calls between a device and the portal. */
function devices({ portal, send, tokenOf, suidOf }: Driver): PreparedCall[] {
  const { authenticator } = portal;
  return [
    async () => {
      const [suid, token] = [suidOf(USER), tokenOf(USER)];
      const started = await send(contract.addDevice, { body: { suid, type: 'QID', mode: 'mobile' } }, { token });
      const { aid = '' } = started;
      const live = await portal.open(contract.addDeviceLive, { suid, aid }, { token });
      await live.next();
      const pairing = await authenticator.pair({ orgCode: 'acme', aid, device: PHONE });
      await live.next();
      live.send({ action: 'add-device', type: 'confirm', aid, confirm: 'yes' });
      await live.next();
      live.close();
      await authenticator.pairStatus(pairing);
    },
  ];
}

/** Returns calls that read existing objects. */
function reads({ send, suidOf }: Driver): PreparedCall[] {
  const sample = { orgCode: 'acme', appId: 'team-wiki' };
  const newWebhook = async () => {
    const { webhook } = await send(contract.createWebhook, {
      body: { url: 'http://localhost:9/hook', description: 'Ours' },
    });
    return { webhookId: webhook.id };
  };
  return [
    async () => {
      const { group } = await send(contract.createGroup, { body: { displayName: 'Night watch' } });
      await send(contract.listGroupMembers, { params: { groupId: group.groupId } });
    },
    () => send(contract.searchUsers, { query: { q: 'mar' } }),
    () => send(contract.getPublicFaq, { query: { code: 'acme' } }, NO_CREDENTIALS),
    () => send(contract.previewApp, { params: sample, query: { suid: suidOf(USER) } }),
    () =>
      send(contract.previewAppDraft, {
        params: sample,
        body: { suid: suidOf(USER), claims: [{ name: 'greeting', value: 'Hello ${firstName}' }] },
      }),
    async () => {
      const { tryId } = await send(contract.beginAppTry, { params: sample, body: {} });
      await send(contract.getAppTry, { params: { ...sample, tryId } });
    },
    async () => {
      const body = { url: 'http://localhost:9/scim', secret: 'a token of the service', enabled: false };
      await send(contract.saveAppProvisioning, { params: sample, body });
      await send(contract.getAppProvisioning, { params: sample });
      await send(contract.previewAppProvisioning, { params: sample, query: { suid: suidOf(USER) } });
      await send(contract.listProvisioningDeliveries, { params: sample, query: {} });
    },
    async () => {
      const params = await newWebhook();
      await send(contract.readWebhook, { params });
      await send(contract.readWebhookSecret, { params });
    },
    async () => {
      const params = await newWebhook();
      await send(contract.testWebhook, { params, body: {} });
      await send(contract.listWebhookDeliveries, { params, query: {} });
    },
  ];
}
