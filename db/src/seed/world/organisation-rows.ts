import { hash } from 'node:crypto';
import { SYSTEM_ROLES, type WorldOrganisation } from '@orchestrate/shared';
import type { TableRows } from '../../database.ts';
import { logos, mailTexts, organisations, roles } from '../../schema/index.ts';
import { systemRoles } from '../organisations.ts';
import { tableRows } from '../table-rows.ts';
import type { ValueGenerator } from './value-generator.ts';

/** Returns the organisation's name, or its capitalised code by default. */
const nameOf = ({ code, name }: WorldOrganisation): string => name ?? `${code.charAt(0).toUpperCase()}${code.slice(1)}`;

/** Returns the organisations with their settings, excluding people and applications. */
export function organisationRows(orgs: readonly WorldOrganisation[], generator: ValueGenerator): TableRows[] {
  const { base, time } = generator;
  const directoryFactsOf = (role: WorldOrganisation['roles'][number] | undefined) => ({
    externalId: role?.externalId ?? null,
    createdAt: time(role?.createdAt, null),
    changedAt: time(role?.changedAt, null),
  });
  return [
    tableRows(
      organisations,
      orgs.map((org, at) => {
        const { code, createdAt, primaryAttrField, primaryEmailField, mailLanguage, ...settings } = org;
        const { branding, loginOptions, security, provider } = settings;
        const { logo, title, ...look } = branding ?? {};
        return {
          orgCode: code,
          number: at + 1,
          name: nameOf(org),
          primaryAttrField,
          primaryEmailField,
          ...look,
          title: title ?? `Sign in to ${nameOf(org)}`,
          logo: logo ? `/logos/${code}?v=${logoColumns(logo).etag}` : null,
          ...loginOptions,
          ...security,
          portalOidcEnabled: provider?.enabled ?? false,
          oidcButtonLabel: provider?.buttonLabel ?? '',
          mailLanguage,
          createdAt: time(createdAt, base),
        };
      }),
    ),
    tableRows(
      logos,
      orgs.flatMap(({ code, branding }) => (branding?.logo ? [{ orgCode: code, ...logoColumns(branding.logo) }] : [])),
    ),
    tableRows(
      roles,
      orgs.flatMap(({ code: orgCode, roles: own }) => [
        ...systemRoles(orgCode).map((role) => ({
          ...role,
          ...directoryFactsOf(own.find(({ code }) => code === role.roleCode)),
        })),
        ...own
          .filter(({ code }) => !isSystemRole(code))
          .map((role) => ({
            orgCode,
            roleCode: role.code,
            name: role.name ?? role.code,
            type: 'custom' as const,
            permissions: role.permissions,
            ...directoryFactsOf(role),
          })),
      ]),
    ),
    tableRows(
      mailTexts,
      orgs.flatMap(({ code, mails }) =>
        mails.map(({ name, ...words }) => ({ ...words, orgCode: code, template: name })),
      ),
    ),
  ];
}

export const isSystemRole = (code: string): boolean => SYSTEM_ROLES.some(({ roleCode }) => roleCode === code);

/** Converts a world's logo to columns of the logo tables. */
export function logoColumns({ contentType, bytes: written }: { contentType: string; bytes: string }) {
  const bytes = Buffer.from(written, 'base64');
  return { contentType, bytes, etag: hash('sha256', bytes, 'base64url').slice(0, 22) };
}
