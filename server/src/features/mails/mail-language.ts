import { organisationRepo } from '@orchestrate/db';
import type { Language, MailLanguage } from '@orchestrate/shared';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { type Version, versionOf } from '#platform/http/versions.ts';

const editableOf = ({ mailLanguage }: organisationRepo.OrganisationRow) => ({ language: mailLanguage });

function mailLanguageOf(row: organisationRepo.OrganisationRow): MailLanguage {
  const editable = editableOf(row);
  return { ...editable, version: versionOf(editable) };
}

/** Returns the organisation's email language, used for people who have chosen no language or aren't members yet. */
export const readMailLanguage = ({ db }: Deps, orgCode: string): MailLanguage =>
  mailLanguageOf(organisationRepo.requireOrganisation(db, orgCode));

/**
 * Sets the language for future emails.
 * @throws StaleVersion
 */
export function saveMailLanguage(deps: Deps, actor: AuditActor, language: Language, version: Version): MailLanguage {
  const { orgCode } = actor;
  return deps.db.transaction((tx) => {
    const present = organisationRepo.requireOrganisation(tx, orgCode);
    const before = editableOf(present);
    version.require(tx, { orgCode, id: orgCode, editable: before, present: () => readMailLanguage(deps, orgCode) });
    const saved = organisationRepo.editOrganisation(tx, orgCode, { mailLanguage: language });
    const after = editableOf(saved);
    const object = { type: 'mail-language', id: orgCode, name: 'Email language' } as const;
    record(deps, tx, actor, { action: 'mail-language.updated', object, before, after });
    version.answer(after);
    return mailLanguageOf(saved);
  });
}
