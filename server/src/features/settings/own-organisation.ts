import { organisationRepo, type Tx } from '@orchestrate/db';

/** The organisation of a signed-in caller; it must exist. */
export function ownOrganisation(tx: Tx, orgCode: string): organisationRepo.OrganisationRow {
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  if (!organisation) throw new Error(`There is no organisation ${orgCode}.`);
  return organisation;
}
