import { apiResourceRepo, applicationRepo, faqRepo, mailTextRepo, roleRepo, webhookRepo } from '@orchestrate/db';
import { type ConfigurationDifference, maskAddress } from '@orchestrate/shared';
import { mailTextObject } from '#core/audit/audit-objects.ts';
import type { ConfigurationFile } from '#core/configuration/configuration-part.ts';
import { pairWebhooks } from '#core/configuration/pair-webhooks.ts';
import type { Deps } from '#deps.ts';

type Unchanged = ConfigurationDifference['kept'];

/** Returns the items that stay unchanged because the file doesn't mention them. */
export function unchangedItems({ db }: Deps, orgCode: string, { given }: ConfigurationFile): Unchanged {
  const roles = new Set((given.roles ?? []).map(({ code }) => code));
  const apps = new Set((given.applications ?? []).map(({ id }) => id));
  const mails = new Set((given.mails ?? []).map((mail) => mailTextObject(mail).id));
  const apis = new Set((given.apiResources ?? []).map(({ identifier }) => identifier));
  const hooks = webhookRepo.listWebhooks(db, orgCode);
  const named = pairWebhooks(given.webhooks ?? [], hooks);
  return [
    ...roleRepo
      .listRoles(db, orgCode)
      .filter(({ type, roleCode }) => type === 'custom' && !roles.has(roleCode))
      .map(({ roleCode: id, name }) => ({ type: 'role' as const, id, name })),
    ...mailTextRepo
      .listMailTexts(db, orgCode)
      .map(({ template: name, language }) => mailTextObject({ name, language }))
      .filter(({ id }) => !mails.has(id)),
    ...applicationRepo
      .listApplications(db, orgCode)
      .filter(({ appId, integrationType }) => integrationType !== 'portal' && !apps.has(appId))
      .map(({ appId: id, name }) => ({ type: 'application' as const, id, name })),
    ...apiResourceRepo
      .listApiResources(db, orgCode)
      .filter(({ identifier }) => !apis.has(identifier))
      .map(({ id, name }) => ({ type: 'api-resource' as const, id, name })),
    ...hooks
      .filter((hook) => !named.includes(hook))
      .map(({ id, url }) => ({ type: 'webhook' as const, id, name: maskAddress(url) })),
    ...unchangedFaq(faqRepo.listFaq(db, orgCode), given.faq ?? []),
  ];
}

type GivenFaq = NonNullable<ConfigurationFile['given']['faq']>;

/** Returns the FAQ items missing from the file's sections. A section missing from the file is listed as a whole. */
function unchangedFaq(present: faqRepo.FaqRows, given: GivenFaq): Unchanged {
  return present.categories.flatMap(({ id, name }): Unchanged => {
    const category = given.find((one) => faqRepo.isSameName(one.name, name));
    if (!category) return [{ type: 'faq-category', id, name }];
    const subcategories = present.subcategories.filter(({ categoryId }) => categoryId === id);
    return subcategories.flatMap((within): Unchanged => {
      const subcategory = category.subcategories?.find((one) => faqRepo.isSameName(one.name, within.name));
      if (!subcategory) return [{ type: 'faq-subcategory', id: within.id, name: within.name }];
      const questions = new Set((subcategory.records ?? []).map(({ question }) => question));
      return present.records
        .filter(({ subcategoryId, question }) => subcategoryId === within.id && !questions.has(question))
        .map((record) => ({ type: 'faq-record', id: record.id, name: record.question }));
    });
  });
}
