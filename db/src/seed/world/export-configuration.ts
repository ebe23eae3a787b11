import { maskAddress, type World } from '@orchestrate/shared';
import { eq, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { listWebhooks } from '../../repos/settings/webhooks.ts';
import { apiResources, organisations } from '../../schema/index.ts';
import { exportedApplications, exportedFaq } from './export-applications.ts';
import { exportedMails, exportedRoles, exportedSettings } from './export-organisation.ts';
import { isSystemRole } from './organisation-rows.ts';

type Written = NonNullable<World['organisations']>[number];
type WrittenApplication = NonNullable<Written['applications']>[number];

/**
 * Exports the configuration of an organisation in the format of a world: settings, roles, emails, FAQ, APIs,
 * applications and webhooks, without people and secrets; webhook URLs are masked. It includes fields with default
 * values, so that importing it into another organisation gives the same result.
 */
export function exportConfiguration(tx: Tx, orgCode: string): Written {
  const [row] = tx.select().from(organisations).where(eq(organisations.orgCode, orgCode)).all();
  if (!row) throw new Error(`Cannot export ${orgCode}: expected an organisation.`);
  const { code, name, branding, loginOptions, security, mailLanguage } = exportedSettings(tx)(row);
  const { mobileAppEnabled: _fixed, allowReporteeSearch: _too, ...edited } = loginOptions ?? {};
  return {
    code,
    name,
    branding: { ...branding, logo: branding?.logo ?? null },
    loginOptions: edited,
    security,
    roles: (exportedRoles(tx).get(orgCode) ?? [])
      .filter((role) => !isSystemRole(role.code))
      .map((role) => ({ code: role.code, name: role.name, permissions: role.permissions })),
    mailLanguage,
    mails: exportedMails(tx).get(orgCode) ?? [],
    faq: (exportedFaq(tx).get(orgCode) ?? []).map(withoutIds),
    apiResources: tx
      .select({ identifier: apiResources.identifier, name: apiResources.name, scopes: apiResources.scopes })
      .from(apiResources)
      .where(eq(apiResources.orgCode, orgCode))
      .orderBy(sql`rowid`)
      .all(),
    applications: (exportedApplications(tx, () => undefined, orgCode).get(orgCode) ?? []).map(withoutSecrets),
    webhooks: listWebhooks(tx, orgCode).map(({ url, description, enabled, events }) => ({
      url: maskAddress(url),
      description,
      enabled,
      events,
    })),
  };
}

const withoutIds = ({ name, subcategories = [] }: NonNullable<Written['faq']>[number]) => ({
  name,
  subcategories: subcategories.map((subcategory) => ({
    name: subcategory.name,
    records: (subcategory.records ?? []).map(({ question, answer }) => ({ question, answer })),
  })),
});

/** Returns an application without secrets, people, and fields that only it can change. */
function withoutSecrets(app: WrittenApplication): WrittenApplication {
  const {
    createdAt: _since,
    provisioning: _service,
    usableBy,
    startUrl,
    logo,
    oidc,
    saml,
    radius,
    ldap: _ldap,
    ...rest
  } = app;
  const isStartable = app.type === 'oidc' || app.type === 'saml';
  return {
    ...rest,
    ...(app.type !== 'portal' && { usableBy: usableBy ? { roles: usableBy.roles, groups: usableBy.groups } : null }),
    ...(isStartable && { startUrl: startUrl ?? '' }),
    logo: logo ?? null,
    ...(oidc && { oidc: clientOf(oidc) }),
    // White space around the metadata is lost when it is saved on a screen.
    ...(saml && { saml: { ...saml, metadata: saml.metadata.trim() } }),
    ...(radius && { radius: { method: radius.method } }),
  };
}

function clientOf({
  secrets: _secrets,
  registrationTokenHash: _token,
  registeredName: _name,
  ...client
}: NonNullable<WrittenApplication['oidc']>) {
  return client;
}
