import type { TableRows } from '../database.ts';
import { memberIdRange } from '../member-ids.ts';
import {
  activationCodes,
  applications,
  clientSecrets,
  devices,
  faqCategories,
  faqRecords,
  faqSubcategories,
  loginHistory,
  members,
  oidcClients,
  organisations,
  outbox,
  portalOidc,
  roles,
  samlServiceProviders,
  scimCredentials,
  virtualDevices,
} from '../schema/index.ts';
import { demoActivationCodes } from './activation-codes.ts';
import {
  demoApplications,
  demoClientSecrets,
  demoOidcClients,
  demoPortalOidc,
  demoServiceProviders,
} from './applications.ts';
import { demoDevices } from './devices.ts';
import { drawnPeople } from './drawn-people.ts';
import { demoFaq } from './faq.ts';
import { demoLoginHistory, lastSuccesses } from './login-history.ts';
import { namedPeople } from './named-people.ts';
import { demoOrganisations, demoRoles } from './organisations.ts';
import { demoScimCredentials } from './scim-credentials.ts';
import { tableRows } from './table-rows.ts';

/** All rows of the demo for the full hour `base` (milliseconds), ordered so that foreign keys hold. */
export function demoRows(base: number): TableRows[] {
  const orgs = demoOrganisations(base);
  const people = [...namedPeople(base), ...drawnPeople(base)];
  const ids = memberIds(orgs);
  const owned = demoDevices(people, base);
  const history = demoLoginHistory(people, owned.devices, base);
  const last = lastSuccesses(history);
  const codes = demoActivationCodes(people, base);
  const faq = demoFaq();
  return [
    tableRows(organisations, orgs),
    tableRows(roles, demoRoles()),
    tableRows(applications, demoApplications(base)),
    tableRows(oidcClients, demoOidcClients()),
    tableRows(clientSecrets, demoClientSecrets(base)),
    tableRows(samlServiceProviders, demoServiceProviders()),
    tableRows(portalOidc, demoPortalOidc()),
    tableRows(scimCredentials, demoScimCredentials(base)),
    tableRows(faqCategories, faq.categories),
    tableRows(faqSubcategories, faq.subcategories),
    tableRows(faqRecords, faq.records),
    tableRows(
      members,
      people.map((person) => ({ ...person, id: ids(person.orgCode), lastSeenAt: last.get(person.suid) ?? null })),
    ),
    tableRows(
      devices,
      owned.devices.map((device) => ({ ...device, lastLoginAt: last.get(device.zid) ?? null })),
    ),
    tableRows(virtualDevices, owned.virtualDevices),
    tableRows(loginHistory, history),
    tableRows(activationCodes, codes.activationCodes),
    tableRows(outbox, codes.outbox),
  ];
}

/** The next id of a member, by organisation. */
function memberIds(orgs: readonly { orgCode: string; number: number }[]): (orgCode: string) => number {
  const last = new Map(orgs.map(({ orgCode, number }) => [orgCode, memberIdRange(number).after]));
  return (orgCode) => {
    const id = (last.get(orgCode) ?? 0) + 1;
    last.set(orgCode, id);
    return id;
  };
}
