import { applicationRepo, logoRepo } from '@orchestrate/db';
import { requireApplication } from '#core/applications.ts';
import { record } from '#core/audit/record.ts';
import { type Logo, readLogo } from '#core/logos/read-logo.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { UploadedFile } from '#platform/http/requests/uploads.ts';
import { Refusal } from '#platform/refusal.ts';
import { applicationObject } from './editable-app.ts';

/**
 * Saves an uploaded logo. @returns the logo's URL, which is unique to let browsers cache it forever, and the names of
 * items removed from the file. @throws Refusal ORG_APP_MISSING; UPLOAD_BLOCKED_IN_DR; INVALID_REQUEST for a file that
 * can't be a logo
 */
export async function saveAppLogo(deps: Deps, actor: AuditActor, appId: string, file: UploadedFile) {
  const { orgCode } = actor;
  requireApplication(deps.db, orgCode, appId);
  if (deps.config.drMode) throw new Refusal('UPLOAD_BLOCKED_IN_DR');
  const read = (await readLogo(file)) ?? { refused: 'Choose a file' };
  if ('refused' in read) throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'file', message: read.refused }] });
  writeAppLogo(deps, actor, appId, read.logo);
  return { logo: appLogoUrl(orgCode, appId, read.logo.etag), removed: read.removed };
}

/** Returns the public URL of an application's logo. */
export const appLogoUrl = (orgCode: string, appId: string, etag: string): string =>
  `/logos/${orgCode}/${appId}?v=${etag}`;

/** Removes an application's logo, if any. @throws Refusal ORG_APP_MISSING */
export function deleteAppLogo(deps: Deps, actor: AuditActor, appId: string): void {
  writeAppLogo(deps, actor, appId, null);
}

/** Stores a decoded logo, or removes the current logo. @throws Refusal ORG_APP_MISSING */
export function writeAppLogo(deps: Deps, actor: AuditActor, appId: string, picture: Logo | null): void {
  const { orgCode } = actor;
  const logo = picture && appLogoUrl(orgCode, appId, picture.etag);
  deps.db.transaction((tx) => {
    const before = requireApplication(tx, orgCode, appId);
    if (picture) logoRepo.saveAppLogo(tx, { orgCode, appId, ...picture });
    else logoRepo.deleteAppLogo(tx, orgCode, appId);
    applicationRepo.changeApplication(tx, orgCode, appId, { logo });
    const facts = { before: { logo: before.logo }, after: { logo } };
    record(deps, tx, actor, { action: 'application.updated', object: applicationObject(before), ...facts });
  });
}
