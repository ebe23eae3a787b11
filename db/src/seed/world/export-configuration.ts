import { maskAddress, type World } from '@orchestrate/shared';
import { eq, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { listWebhooks } from '../../repos/settings/webhooks.ts';
import { apiResources, organisations } from '../../schema/index.ts';
import { exportApplications, exportFaq } from './export-applications.ts';
import { exportEmails, exportRoles, settingsExporter } from './export-organisation.ts';
import { isSystemRole } from './organisation-rows.ts';

type Written = NonNullable<World['organisations']>[number];
type WrittenApplication = NonNullable<Written['applications']>[number];

/**
 * Exports an organisation's configuration in world format: settings, roles, emails, FAQ, APIs, applications and
 * webhooks. Excludes people and secrets, and masks webhook URLs. Default values are written out, so importing the
 * configuration into another organisation yields the same result.
 */
export function exportConfiguration(tx: Tx, orgCode: string): Written {
  const [row] = tx.select().from(organisations).where(eq(organisations.orgCode, orgCode)).all();
  if (!row) throw new Error(`Cannot export ${orgCode}: organisation not found.`);
  const { code, name, branding, loginOptions, security, mailLanguage } = settingsExporter(tx)(row);
  const { mobileAppEnabled: _fixed, allowReporteeSearch: _too, ...edited } = loginOptions ?? {};
  return {
    code,
    name,
    branding: { ...branding, logo: branding?.logo ?? null },
    loginOptions: edited,
    security,
    roles: (exportRoles(tx).get(orgCode) ?? [])
      .filter((role) => !isSystemRole(role.code))
      .map((role) => ({ code: role.code, name: role.name, permissions: role.permissions })),
    mailLanguage,
    mails: exportEmails(tx).get(orgCode) ?? [],
    faq: (exportFaq(tx).get(orgCode) ?? []).map(withoutIds),
    apiResources: tx
      .select({ identifier: apiResources.identifier, name: apiResources.name, scopes: apiResources.scopes })
      .from(apiResources)
      .where(eq(apiResources.orgCode, orgCode))
      .orderBy(sql`rowid`)
      .all(),
    applications: (exportApplications(tx, () => undefined, orgCode).get(orgCode) ?? []).map(withoutSecrets),
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

/** Returns an application without secrets, people and fields that only the application itself can change. */
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
    // Trim the metadata, as the portal does when a form saves it.
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
