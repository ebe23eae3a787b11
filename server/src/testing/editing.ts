import { memberRepo } from '@orchestrate/db';
import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import * as contract from '@orchestrate/shared';
import { approvalFor } from './approving.ts';
import type { Credentials, TestPortal, TestResponse } from './test-portal.ts';

const upload = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};

/** An edit made twice with different values. */
export interface Edit {
  entry: EndpointDefinition;
  /** Reads the edited resource and returns its version. */
  read: () => Promise<string | undefined>;
  write: (value: string, credentials: Credentials) => Promise<TestResponse<EndpointDefinition>>;
  /** Returns the fields that `current` contains after `write(value)`. */
  shows: (value: string) => object;
}

/** Returns a response's entity tag. */
export const etagOf = ({ headers }: { headers: Record<string, string> }) => headers.etag;

export const appInput = { params: { orgCode: 'acme', appId: 'team-wiki' } };
export const samlAppInput = { params: { orgCode: 'acme', appId: 'travel-desk' } };

/** Returns the acme member who is edited. */
export const findEditedMember = ({ deps }: TestPortal) =>
  memberRepo.findMemberByEmail(deps.db, 'acme', 'user@acme.test') as memberRepo.MemberRow;

/**
 * Returns an edit of each versioned resource, targeting acme's demo data.
 * @param tokenNow returns a Super Admin's current access token
 */
export function editsOf(portal: TestPortal, tokenNow: () => string): Edit[] {
  const call = <const D extends EndpointDefinition>(entry: D, input: InputOf<D>, credentials: Credentials = {}) =>
    portal.call(entry, input, { token: tokenNow(), ...credentials });
  const member = () => findEditedMember(portal);
  const tree = async () => (await call(contract.getFaq, {})).body.categories;

  /** Returns the organisation's only API. */
  async function api() {
    const [known] = (await call(contract.listApiResources, {})).body.resources;
    if (known) return known;
    const body = { identifier: 'urn:acme:orders', name: 'Orders' };
    return (await call(contract.createApiResource, { body })).body.resource;
  }

  /** Returns the organisation's only webhook. */
  async function webhook() {
    const [known] = (await call(contract.listWebhooks, {})).body.webhooks;
    if (known) return known;
    return (await call(contract.createWebhook, { body: { url: 'http://localhost:9/hook' } })).body.webhook;
  }

  async function schema() {
    const [known] = (await call(contract.listScimSchemas, {})).body.schemas;
    if (known) return known;
    const body = { urn: 'urn:acme:edited:2.0:User', name: 'Edited', attributes: [{ name: 'costCode' }] };
    return (await call(contract.createScimSchema, { body })).body.schema;
  }

  async function mailText() {
    const { mails } = (await call(contract.listMailTexts, {})).body;
    const [first] = mails;
    if (!first) throw new Error('There is no email.');
    return first;
  }

  /** Alternates between two languages to make the first two values differ. */
  const languageOf = (value: string) => (value === 'another' ? 'en' : 'de');

  const brandedBy = (title: string) => ({
    configuration: `organisations: [{ code: acme, branding: { title: ${title} } }]`,
  });

  /** Returns an application's SCIM service. */
  async function service() {
    const { provisioning } = (await call(contract.getAppProvisioning, appInput)).body;
    if (provisioning) return provisioning;
    const body = { url: 'http://localhost:9/scim', secret: 'a token of the service', enabled: false };
    return (await call(contract.saveAppProvisioning, { ...appInput, body })).body.provisioning;
  }

  return [
    {
      entry: contract.saveAppProvisioning,
      read: async () => (await service()).version,
      write: async (username, by) => {
        const { url } = await service();
        return call(contract.saveAppProvisioning, { ...appInput, body: { url, username, enabled: false } }, by);
      },
      shows: (username) => ({ username, enabled: false }),
    },
    {
      entry: contract.updateApiResource,
      read: async () => (await api()).version,
      write: async (name, by) =>
        call(contract.updateApiResource, { params: { resourceId: (await api()).resourceId }, body: { name } }, by),
      shows: (name) => ({ name, scopes: [] }),
    },
    {
      entry: contract.updateScimSchema,
      read: async () => (await schema()).version,
      write: async (name, by) => {
        const { schemaId, attributes } = await schema();
        return call(contract.updateScimSchema, { params: { schemaId }, body: { name, attributes } }, by);
      },
      shows: (name) => ({ name, description: '' }),
    },
    {
      entry: contract.saveMailText,
      read: async () => (await mailText()).version,
      write: async (subject, by) => {
        const { name, body } = await mailText();
        return call(contract.saveMailText, { params: { name }, body: { subject, body } }, by);
      },
      shows: (subject) => ({ subject, isOwn: true }),
    },
    {
      entry: contract.saveMailLanguage,
      read: async () => (await call(contract.listMailTexts, {})).body.mailLanguage.version,
      write: (value, by) => call(contract.saveMailLanguage, { body: { language: languageOf(value) } }, by),
      shows: (value) => ({ language: languageOf(value) }),
    },
    {
      entry: contract.importConfiguration,
      read: async () => (await call(contract.checkConfiguration, { body: brandedBy('Before') })).body.version,
      write: (title, by) => call(contract.importConfiguration, { body: brandedBy(title) }, by),
      shows: (before) => ({ changes: [{ changes: [{ field: 'title', before }] }] }),
    },
    {
      entry: contract.updateWebhook,
      read: async () => (await webhook()).version,
      write: async (description, by) => {
        const { id: webhookId, url } = await webhook();
        return call(contract.updateWebhook, { params: { webhookId }, body: { url, description } }, by);
      },
      shows: (description) => ({ description, enabled: true }),
    },
    {
      entry: contract.saveBranding,
      read: async () => etagOf(await call(contract.getOrgSettings, { query: { code: 'acme' } })),
      write: (title, by) => {
        const body = upload({ name: 'Acme', color: '#112233', title, loginButtonName: 'Go' });
        return call(contract.saveBranding, { body }, by);
      },
      shows: (title) => ({ title, color: '#112233' }),
    },
    {
      entry: contract.configureSession,
      read: async () => etagOf(await call(contract.getSessionSettings, {})),
      write: (value, by) => {
        const flags = { didEnabled: true, webAuthnEnabled: true, desktopAppEnabled: true, forceAuthnEnabled: false };
        return call(
          contract.configureSession,
          { body: { ...flags, sessionTimeout: 60, maxCookieLife: value.length } },
          by,
        );
      },
      shows: (value) => ({ maxCookieLife: value.length }),
    },
    {
      entry: contract.saveOrgApp,
      read: async () => etagOf(await call(contract.getOrgApp, { query: {} })),
      write: (value, by) => {
        const flags = { didEnabled: true, webAuthnEnabled: true, desktopAppEnabled: true, forceAuthnEnabled: false };
        return call(contract.saveOrgApp, { body: { ...flags, maxCookieLife: value.length } }, by);
      },
      shows: (value) => ({ maxCookieLife: value.length }),
    },
    {
      entry: contract.saveSecurity,
      read: async () => etagOf(await call(contract.getSecurity, {})),
      write: (value, by) => {
        const body = { allowedIps: [], activationLinkDelayHours: 1, deviceLimit: 5 };
        return call(contract.saveSecurity, { body: { ...body, allowedEmailDomains: [`${value}.test`] } }, by);
      },
      shows: (value) => ({ allowedEmailDomains: [`${value}.test`] }),
    },
    {
      entry: contract.saveOidcConfiguration,
      read: async () => etagOf(await call(contract.getOidcConfiguration, {})),
      async write(clientId, by) {
        const provider = {
          configurationUrl: 'https://login.example.com',
          clientId,
          clientSecret: 'known to the two of them',
        };
        const content = { ...provider, buttonLabel: 'SSO', enabled: true };
        const action = 'save-oidc-configuration' as const;
        const approvalId = await approvalFor(portal, { action, content, token: by.token ?? tokenNow() });
        return call(contract.saveOidcConfiguration, { body: { ...content, approvalId } }, by);
      },
      shows: (clientId) => ({ clientId }),
    },
    {
      entry: contract.renewScimCredentials,
      read: async () => etagOf(await call(contract.getScimCredentials, {})),
      write: (_value, by) => call(contract.renewScimCredentials, { body: {} }, by),
      shows: () => ({ username: 'scim-acme' }),
    },
    {
      entry: contract.editRole,
      read: async () => etagOf(await call(contract.getRole, { params: { roleCode: 'AUDITOR' } })),
      write: (name, by) =>
        call(contract.editRole, { body: { roleCode: 'AUDITOR', name, permissions: ['SEARCH_USER'] } }, by),
      shows: (name) => ({ name, permissions: ['SEARCH_USER'] }),
    },
    {
      entry: contract.updateUser,
      read: async () => etagOf(await call(contract.getUser, { query: { suid: member().suid } })),
      write: (firstName, by) => {
        const { primaryAttr, lastName, primaryEmail } = member();
        return call(contract.updateUser, { body: { primaryAttr, firstName, lastName, primaryEmail } }, by);
      },
      shows: (firstName) => ({ firstName, roles: 'USER', roleName: 'Org User' }),
    },
    {
      entry: contract.updateApp,
      read: async () => etagOf(await call(contract.getApp, appInput)),
      write: (value, by) => {
        const clients = { redirect_uris: [`https://${value}.test/callback`] };
        return call(contract.updateApp, { ...appInput, body: { oidcConfiguration: { clients } } }, by);
      },
      shows: (value) => ({ oidcConfiguration: { clients: { redirect_uris: [`https://${value}.test/callback`] } } }),
    },
    {
      entry: contract.updateSamlApp,
      read: async () => etagOf(await call(contract.getApp, samlAppInput)),
      write: (value, by) =>
        call(contract.updateSamlApp, { ...samlAppInput, body: { redirectUrl: `https://${value}.test/` } }, by),
      shows: (value) => ({ samlConfiguration: { redirectUrl: `https://${value}.test/` } }),
    },
    {
      entry: contract.saveFaqCategory,
      read: async () => (await tree())[0]?.version,
      write: async (name, by) =>
        call(contract.saveFaqCategory, { body: { categoryId: (await tree())[0]?.categoryId ?? '', name } }, by),
      shows: (name) => ({ name }),
    },
    {
      entry: contract.saveFaqSubcategory,
      read: async () => (await tree())[0]?.subcategories[0]?.version,
      write: async (name, by) => {
        const [category] = await tree();
        const { categoryId = '', subcategories } = category ?? { subcategories: [] };
        const { subcategoryId = '' } = subcategories[0] ?? {};
        return call(contract.saveFaqSubcategory, { body: { subcategoryId, categoryId, name } }, by);
      },
      shows: (name) => ({ name }),
    },
    {
      entry: contract.saveFaqRecord,
      read: async () => (await tree())[0]?.subcategories[0]?.records[0]?.version,
      write: async (question, by) => {
        const { subcategoryId = '', records } = (await tree())[0]?.subcategories[0] ?? { records: [] };
        const { recordId = '' } = records[0] ?? {};
        const body = { recordId, subcategoryId, question, answer: `<p>${question}</p>` };
        return call(contract.saveFaqRecord, { body }, by);
      },
      shows: (question) => ({ question, answer: `<p>${question}</p>` }),
    },
  ];
}
