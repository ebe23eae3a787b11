import { logoRepo, organisationRepo, type Tx } from '@orchestrate/db';
import type { brandingFields, contract, FieldsOf } from '@orchestrate/shared';
import type { z } from 'zod';
import { factsOf } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import { type Logo, readLogo } from '#core/logos/read-logo.ts';
import { portalLoginPolicy } from '#core/sign-in/login-policy.ts';
import { brandingOf, orgSettingsOf } from '#core/sign-in/org-settings.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { UploadedFile } from '#platform/http/requests/uploads.ts';
import type { Version } from '#platform/http/versions.ts';
import { Refusal } from '#platform/refusal.ts';

type Branding = z.output<typeof brandingFields>;
type Saved = FieldsOf<typeof contract.saveBranding>;

/**
 * Saves the branding of the sign-in page. If the uploaded file can't be used as a logo, the other fields are saved
 * and the previous logo is kept.
 * @throws StaleVersion; Refusal UPLOAD_BLOCKED_IN_DR for a file in disaster recovery mode
 */
export async function saveBranding(
  deps: Deps,
  actor: AuditActor,
  { removeLogo, ...texts }: Branding,
  file: UploadedFile | undefined,
  version: Version,
): Promise<Saved> {
  // If no file was chosen, browsers submit an empty file without a name.
  if (file && file.name !== '' && deps.config.drMode) throw new Refusal('UPLOAD_BLOCKED_IN_DR');
  const read = file && (await readLogo(file));
  const refused = read && 'refused' in read ? read.refused : undefined;
  const logo = read && 'logo' in read ? read.logo : undefined;
  const isRemoved = !read && removeLogo === 'true';
  return deps.db.transaction((tx) => {
    const organisation = writeBranding(deps, tx, actor, { ...texts, logo: isRemoved ? null : logo }, version);
    return {
      ...orgSettingsOf(organisation, portalLoginPolicy(tx, organisation)),
      image: refused ? 'refused' : logo ? 'saved' : isRemoved ? 'removed' : 'kept',
      imageMessage: refused ?? '',
      imageRemoved: read && 'removed' in read ? read.removed : [],
    };
  });
}

/**
 * Returns a preview of the logo without saving it.
 * @throws Refusal INVALID_REQUEST if the file can't be used as a logo
 */
export async function checkLogo(file: UploadedFile): Promise<FieldsOf<typeof contract.checkLogo>> {
  const read = (await readLogo(file)) ?? { refused: 'Choose a file' };
  if ('refused' in read) throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'file', message: read.refused }] });
  const { contentType, bytes } = read.logo;
  return { logo: `data:${contentType};base64,${bytes.toString('base64')}`, removed: read.removed };
}

type BrandingEdit = Partial<Omit<Branding, 'removeLogo'>> & {
  /** New logo. Null removes the current logo, undefined keeps it. */
  logo?: Logo | null | undefined;
};

/**
 * Saves the provided fields within a transaction.
 * @throws StaleVersion
 */
export function writeBranding(
  deps: Deps,
  tx: Tx,
  actor: AuditActor,
  { logo, ...texts }: BrandingEdit,
  version: Version,
): organisationRepo.OrganisationRow {
  const { orgCode } = actor;
  const before = organisationRepo.requireOrganisation(tx, orgCode);
  const present = () => orgSettingsOf(before, portalLoginPolicy(deps.db, before));
  version.require(tx, { orgCode, editable: brandingOf(before), present });
  const address = logo ? keepLogo(tx, orgCode, logo) : logo === null ? dropLogo(tx, orgCode) : undefined;
  const edit = { ...texts, ...(address !== undefined && { logo: address }) };
  const organisation = organisationRepo.editOrganisation(tx, orgCode, edit);
  const facts = { before: factsOf(brandingOf(before)), after: factsOf(brandingOf(organisation)) };
  const object = { type: 'branding', id: orgCode, name: 'Branding' } as const;
  record(deps, tx, actor, { action: 'branding.updated', object, ...facts });
  version.answer(brandingOf(organisation));
  return organisation;
}

/**
 * Stores a logo.
 * @returns the logo's URL, which is unique per logo so that browsers can cache it forever
 */
function keepLogo(tx: Tx, orgCode: string, logo: Logo): string {
  logoRepo.saveLogo(tx, { orgCode, ...logo });
  return `/logos/${orgCode}?v=${logo.etag}`;
}

function dropLogo(tx: Tx, orgCode: string): null {
  logoRepo.deleteLogo(tx, orgCode);
  return null;
}
