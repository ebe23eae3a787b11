import type { World } from '@orchestrate/shared';
import { asc } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { organisations, worlds } from '../../schema/index.ts';
import { exportedApplications, exportedFaq } from './export-applications.ts';
import { exportedConnections } from './export-connections.ts';
import { exportedGroups, exportedMails, exportedRoles, exportedSettings } from './export-organisation.ts';
import { exportedPeople } from './export-people.ts';
import { listed } from './written.ts';

type WrittenOrganisation = NonNullable<World['organisations']>[number];

/**
 * Everything that a world describes, as it is in the database now. Imported anywhere, it exports identically. What is
 * under way (sign-ins, sessions, codes by mail) is not part of a world, nor are the audit trail and the outbox.
 */
export function exportWorld(tx: Tx): World {
  const [world] = tx.select().from(worlds).all();
  const rows = tx.select().from(organisations).orderBy(asc(organisations.number)).all();
  const randomSeed = world?.randomSeed ?? '';
  const settings = exportedSettings(tx);
  const roles = exportedRoles(tx);
  const faq = exportedFaq(tx);
  const { nameOf, people } = exportedPeople(tx, randomSeed);
  const groups = exportedGroups(tx, nameOf);
  const applications = exportedApplications(tx, nameOf);
  const connections = exportedConnections(tx, nameOf);
  const mails = exportedMails(tx);
  return {
    randomSeed,
    organisations: rows.map((row): WrittenOrganisation => {
      const { orgCode } = row;
      return {
        ...settings(row),
        ...connections(row),
        mails: listed(mails.get(orgCode)),
        roles: listed(roles.get(orgCode)),
        groups: listed(groups.get(orgCode)),
        applications: applications.get(orgCode) ?? [],
        faq: listed(faq.get(orgCode)),
        people: people.get(orgCode) ?? [],
      };
    }),
  };
}
