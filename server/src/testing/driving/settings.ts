import * as contract from '@orchestrate/shared';
import type { ForeignProvider } from '#features/portal-oidc/foreign-provider-testing.ts';
import { type Driver, providerAt, type Write } from './driver.ts';

/**
 * Returns writes that change the organisation's settings: webhooks, roles, FAQ, certificates and the external
 * provider.
 */
export function settingsWrites({ send, write }: Driver, foreign: ForeignProvider): Write[] {
  async function faq() {
    const [category] = (await send(contract.getFaq, {})).categories;
    const [subcategory] = category?.subcategories ?? [];
    const [record] = subcategory?.records ?? [];
    const { categoryId = '' } = category ?? {};
    return { categoryId, subcategoryId: subcategory?.subcategoryId ?? '', recordId: record?.recordId ?? '' };
  }
  const question = { question: 'Where is it?', answer: '<p>Here.</p>' };
  const schema = { urn: 'urn:acme:hr:2.0:User', name: 'HR', attributes: [{ name: 'costCode' }] };
  const hook = { url: 'http://localhost:9/hook', description: 'Ours' };
  const webhook = async () => (await send(contract.createWebhook, { body: hook })).webhook.id;
  const certificates = async () => (await send(contract.getIdpConfiguration, {})).certificates.map(({ kid }) => kid);

  const mail = { params: { name: 'new-device' as const } };
  const everything = `organisations:
  - code: acme
    name: Acme Works
    loginOptions: { sessionTimeout: 33 }
    security: { deviceLimit: 7 }
    roles: [{ code: NIGHT }, { code: AUDITOR, name: Inspector }]
    mailLanguage: de
    mails: [{ name: new-device, subject: A new device, body: It is here. }]
    applications: [{ id: router, type: radius }, { id: team-wiki, description: Ours }]
    apiResources: [{ identifier: https://new.acme.test }, { identifier: https://old.acme.test, name: New }]
    webhooks: [{ url: http://localhost:9/another }, { url: ${hook.url}, description: Theirs }]
`;
  /** Returns FAQ entries that differ from existing entries in case and answer, plus new entries. */
  const importedFaq = (known: { category?: string; subcategory?: string; question?: string }) => `    faq:
      - { name: Brand new }
      - name: ${known.category?.toUpperCase()}
        subcategories:
          - { name: Brand new }
          - name: ${known.subcategory?.toUpperCase()}
            records: [${JSON.stringify(question)}, { question: ${JSON.stringify(known.question)}, answer: <p>Otherwise.</p> }]
`;
  const words = { subject: 'New device', body: 'It is ${deviceName}.' };
  return [
    write(contract.createWebhook, ['webhook.created'], { body: hook }),
    write(contract.rotateWebhookSecret, ['webhook.secret-rotated'], async () => ({
      params: { webhookId: await webhook() },
      body: {},
    })),
    write(contract.deleteWebhook, ['webhook.deleted'], async () => ({ params: { webhookId: await webhook() } })),
    write(contract.testWebhook, [], async () => ({ params: { webhookId: await webhook() }, body: {} })),
    write(contract.resendWebhookDelivery, [], async () => {
      const webhookId = await webhook();
      const { delivery } = await send(contract.testWebhook, { params: { webhookId }, body: {} });
      return { params: { webhookId, deliveryId: delivery.id }, body: {} };
    }),
    write(contract.createScimToken, ['scim-token.created'], { body: { name: 'Entra ID' } }),
    write(contract.revokeScimToken, ['scim-token.revoked'], async () => {
      const { token } = await send(contract.createScimToken, { body: { name: 'Gone' } });
      return { params: { tokenId: token.tokenId } };
    }),
    write(contract.deleteMailText, ['mail-text.updated'], async () => {
      await send(contract.saveMailText, { ...mail, body: words });
      return mail;
    }),
    write(contract.previewMailText, [], { ...mail, body: words }),
    write(contract.tryMailText, ['mail-text.tried'], { ...mail, body: words }),
    write(contract.checkConfiguration, [], { body: { configuration: everything } }),
    write(contract.importConfiguration, contract.importConfiguration.events, async () => {
      await send(contract.createWebhook, { body: hook });
      await send(contract.createApiResource, {
        body: { identifier: 'https://old.acme.test', name: 'Old', scopes: [] },
      });
      const [category] = (await send(contract.getFaq, {})).categories;
      const [subcategory] = category?.subcategories ?? [];
      const known = {
        category: category?.name,
        subcategory: subcategory?.name,
        question: subcategory?.records[0]?.question,
      };
      return { body: { configuration: everything + importedFaq(known) } };
    }),
    write(contract.createScimSchema, ['scim-schema.created'], { body: schema }),
    write(contract.deleteScimSchema, ['scim-schema.deleted'], async () => ({
      params: { schemaId: (await send(contract.createScimSchema, { body: schema })).schema.schemaId },
      body: {},
    })),
    write(contract.createRole, ['role.created'], { body: { name: 'Night shift', permissions: ['SEARCH_USER'] } }),
    write(contract.deleteRole, ['role.deleted'], { body: { roleCode: 'AUDITOR' } }),
    write(contract.saveFaqCategory, ['faq-category.created'], { body: { name: 'Brand new' } }),
    write(contract.saveFaqSubcategory, ['faq-subcategory.created'], async () => ({
      body: { categoryId: (await faq()).categoryId, name: 'Brand new' },
    })),
    write(contract.saveFaqRecord, ['faq-record.created'], async () => ({
      body: { subcategoryId: (await faq()).subcategoryId, ...question },
    })),
    write(contract.deleteFaqCategory, ['faq-category.deleted'], async () => ({
      body: { categoryId: (await faq()).categoryId },
    })),
    write(contract.deleteFaqSubcategory, ['faq-subcategory.deleted'], async () => ({
      body: { subcategoryId: (await faq()).subcategoryId },
    })),
    write(contract.deleteFaqRecord, ['faq-record.deleted'], async () => ({
      body: { recordId: (await faq()).recordId },
    })),
    write(contract.createIdpCertificate, ['idp-certificate.added'], { body: {} }),
    write(contract.deleteIdpCertificate, ['idp-certificate.deleted'], async () => {
      await send(contract.createIdpCertificate, { body: {} });
      return { params: { kid: (await certificates()).at(-1) ?? '' } };
    }),
    write(contract.createSigningKey, ['signing-key.added'], { body: { alg: 'ES256' } }),
    write(contract.deleteSigningKey, ['signing-key.deleted'], async () => {
      const { signingKeys } = await send(contract.createSigningKey, { body: { alg: 'ES256' } });
      return { params: { kid: signingKeys.findLast(({ isSigning }) => !isSigning)?.kid ?? '' } };
    }),
    write(contract.beginApproval, ['approval.requested'], {
      body: { action: 'save-oidc-configuration', content: { ...providerAt(foreign), clientSecret: 'of the provider' } },
    }),
    write(contract.testOidcConfiguration, [], { body: { configurationUrl: foreign.issuer } }),
  ];
}
