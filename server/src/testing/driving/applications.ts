import * as contract from '@orchestrate/shared';
import { appInput, samlAppInput } from '../editing.ts';
import { spMetadata } from '../metadata.ts';
import { type Driver, USER, type Write } from './driver.ts';

/** Returns writes that change applications. */
export function applicationWrites({ send, write, suidOf }: Driver): Write[] {
  const params = { orgCode: 'acme' };
  const clients = {
    redirect_uris: ['https://drawer.test/callback'],
    post_logout_redirect_uris: ['https://drawer.test/'],
  };
  const saml = {
    orgCode: 'acme',
    name: 'Expenses',
    metadata: spMetadata(),
    redirectUrl: 'https://sp.example/start',
    samlNameId: 'primaryEmail',
    samlAttributes: ['firstName'],
    flags: { didEnabled: true, webAuthnEnabled: false, forceAuthnEnabled: true },
  };
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>';
  const picture = () => {
    const form = new FormData();
    form.append('file', new File([drawing], 'logo.svg'));
    return form;
  };
  const secretIds = async () => {
    const { oidcConfiguration } = (await send(contract.getApp, appInput)).app;
    return oidcConfiguration?.clientSecrets.map(({ secretId }) => secretId) ?? [];
  };

  const radiusApp = async () => {
    const body = { orgCode: 'acme', integrationType: 'radius' as const, name: 'Gateway' };
    return (await send(contract.createApp, { params, body })).app.appId;
  };

  const service = { url: 'http://localhost:9/scim', secret: 'a token of the service' };
  const provisioned = async (more: object = {}) => {
    await send(contract.saveAppProvisioning, { ...appInput, body: { ...service, enabled: false, ...more } });
    return appInput;
  };

  const groupId = async (displayName: string) =>
    (await send(contract.createGroup, { body: { displayName } })).group.groupId;
  const aMember = async () => (await send(contract.getProfile, {})).profile.suid;

  return [
    write(contract.saveAppProvisioning, ['app-provisioning.created'], { ...appInput, body: service }),
    write(contract.deleteAppProvisioning, ['app-provisioning.deleted'], () => provisioned()),
    write(contract.testAppProvisioning, [], { ...appInput, body: service }),
    write(contract.sendAllProvisioning, [], async () => ({ ...(await provisioned({ enabled: true })), body: {} })),
    write(contract.resendProvisionedPerson, [], async () => {
      await provisioned({ enabled: true });
      return { params: { ...appInput.params, suid: suidOf(USER) }, body: {} };
    }),
    write(contract.resendProvisionedGroup, [], async () => {
      await provisioned({ enabled: true, sendGroups: true });
      return { params: { ...appInput.params, groupId: await groupId('Night shift') }, body: {} };
    }),
    write(contract.createApp, ['application.created'], {
      params,
      body: { orgCode: 'acme', name: 'Drawer', oidcConfiguration: { clients } },
    }),
    write(contract.duplicateApp, ['application.created'], { ...appInput, body: { name: 'Second' } }),
    write(contract.checkLogo, [], () => ({ body: picture() })),
    write(contract.saveAppLogo, ['application.updated'], () => ({ ...appInput, body: picture() })),
    write(contract.deleteAppLogo, ['application.updated'], async () => {
      await send(contract.saveAppLogo, { ...appInput, body: picture() });
      return appInput;
    }),
    write(contract.deleteApp, ['application.deleted'], appInput),
    write(contract.createSamlApp, ['application.created'], { params, body: saml }),
    write(contract.createClientSecret, ['application.secret-added'], { ...appInput, body: { name: 'Second' } }),
    write(contract.deleteClientSecret, ['application.secret-deleted'], async () => ({
      params: { ...appInput.params, secretId: (await secretIds())[0] ?? '' },
    })),
    write(contract.replaceSharedSecret, ['application.secret-rotated'], async () => ({
      params: { ...params, appId: await radiusApp() },
      body: {},
    })),
    write(contract.createApiResource, ['api-resource.created'], { body: { identifier: 'urn:acme:api', name: 'API' } }),
    write(contract.deleteApiResource, ['api-resource.deleted'], async () => {
      const body = { identifier: 'urn:acme:gone', name: 'Gone' };
      const { resource } = await send(contract.createApiResource, { body });
      return { params: { resourceId: resource.resourceId } };
    }),
    write(contract.createRegistrationToken, ['registration-token.created'], { body: { name: 'MCP clients' } }),
    write(contract.revokeRegistrationToken, ['registration-token.revoked'], async () => {
      const { token } = await send(contract.createRegistrationToken, { body: { name: 'Gone' } });
      return { params: { tokenId: token.tokenId } };
    }),
    write(contract.createGroup, ['group.created'], { body: { displayName: 'Night watch' } }),
    write(contract.renameGroup, ['group.updated'], async () => ({
      params: { groupId: await groupId('Day watch') },
      body: { displayName: 'Evening watch' },
    })),
    write(contract.addGroupMember, ['group.member-added'], async () => ({
      params: { groupId: await groupId('Joined'), suid: await aMember() },
      body: {},
    })),
    write(contract.removeGroupMember, ['group.member-removed'], async () => {
      const params = { groupId: await groupId('Left'), suid: await aMember() };
      await send(contract.addGroupMember, { params, body: {} });
      return { params };
    }),
    write(contract.deleteGroup, ['group.deleted'], async () => ({ params: { groupId: await groupId('Gone') } })),
    write(contract.validateAppName, [], { params, body: { appName: 'Free', orgId: 'acme' } }),
    write(contract.previewAppDraft, [], { ...appInput, body: { claims: [] } }),
    write(contract.beginAppTry, [], { ...appInput, body: {} }),
    write(contract.beginAppTry, [], { ...samlAppInput, body: {} }),
    write(contract.readSamlMetadata, [], { params, body: { metadata: spMetadata() } }),
  ];
}
