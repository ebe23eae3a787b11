import { browserRepo, deviceRepo, type memberRepo, type organisationRepo, type Tx } from '@orchestrate/db';
import { LIMITS, MINUTE, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { hashSecret, isSameSecret } from '#platform/adapters/secrets.ts';
import { Refusal } from '#platform/refusal.ts';
import { type BrowserSecret, browserCookie } from './browser-cookie.ts';
import { findActiveMember } from './find-member.ts';
import { allowsDevice, type LoginPolicy } from './login-policy.ts';

/** The sign-in that causes a browser to be remembered. */
export interface RememberRequest {
  suid: string;
  zid: string;
  /** The browser's key, as returned by `identifyBrowser`. */
  browser: string;
  userAgent: string;
  ip: string;
  /** The browser's previous secret, which is revoked. */
  shown: BrowserSecret | undefined;
}

/** A remembered browser, with its cookie contents and expiry. */
export interface RememberedBrowser extends BrowserSecret {
  /**
   * Expiry according to the organisation's setting, in milliseconds since the epoch. Applications can set a shorter
   * time.
   */
  expiresAt: number;
}

/** Returns how long the organisation remembers browsers, in milliseconds. 0 = never. */
export function rememberedBrowserLifetimeMs({
  forceAuthnEnabled,
  maxCookieLife,
}: Pick<organisationRepo.OrganisationRow, 'forceAuthnEnabled' | 'maxCookieLife'>): number {
  return forceAuthnEnabled ? 0 : maxCookieLife * MINUTE;
}

/** Remembers a browser after an approval. Returns undefined if the organisation doesn't remember browsers. */
export function rememberBrowser(
  { clock, random }: Deps,
  tx: Tx,
  organisation: organisationRepo.OrganisationRow,
  { shown, ...who }: RememberRequest,
): RememberedBrowser | undefined {
  const lifetime = rememberedBrowserLifetimeMs(organisation);
  if (lifetime === 0) return undefined;
  const now = clock.now();
  const { orgCode } = organisation;
  if (shown) browserRepo.deleteBrowserBySecret(tx, orgCode, shown.id, hashSecret(shown.secret));
  const made = { id: random.id(), secret: random.secret() };
  const row = { ...who, id: made.id, orgCode, secretHash: hashSecret(made.secret), createdAt: now, lastUsedAt: now };
  browserRepo.insertBrowser(tx, row);
  browserRepo.deleteOlderBrowsers(tx, orgCode, who.suid);
  return { ...made, expiresAt: now + lifetime };
}

/** Returns a remembered browser's `Set-Cookie` header. */
export function rememberedBrowserCookie(deps: Deps, orgCode: string, remembered: RememberedBrowser): string {
  return browserCookie(deps, orgCode, remembered, (remembered.expiresAt - deps.clock.now()) / SECOND);
}

/** A member whom a browser remembers, with the device that approved it. */
interface RememberedMember {
  browser: browserRepo.BrowserRow;
  member: memberRepo.MemberRow;
  device: deviceRepo.DeviceRow;
  /** False for the previous secret, which stays valid briefly. */
  isCurrent: boolean;
}

/**
 * Verifies a remembered browser's secret, without replacing it. Returns the browser as `stolen` if the secret is
 * presented some time after it was replaced, because it must have been copied.
 */
function verifyBrowser(
  { clock }: Deps,
  tx: Tx,
  organisation: organisationRepo.OrganisationRow,
  policy: LoginPolicy,
  shown: BrowserSecret | undefined,
): RememberedMember | { stolen: browserRepo.BrowserRow } {
  if (policy.rememberedFor === 0) {
    const isOfOrganisation = organisation.forceAuthnEnabled || organisation.maxCookieLife === 0;
    const message = 'Remembering browsers is switched off for this application.';
    throw new Refusal('COOKIE_LOGIN_DISABLED', isOfOrganisation ? {} : { message });
  }
  const { orgCode } = organisation;
  const browser = shown && browserRepo.findBrowser(tx, orgCode, shown.id);
  if (!shown || !browser || browser.revokedAt !== null) throw new Refusal('COOKIE_ABSENT');
  const now = clock.now();
  const hash = hashSecret(shown.secret);
  const isCurrent = isSameSecret(hash, browser.secretHash);
  const wasLast = browser.previousHash !== null && isSameSecret(hash, browser.previousHash);
  // The previous secret stays valid briefly, as with refresh tokens, because the response may have been lost or two
  // tabs may have called at the same time.
  const isLate = now - (browser.rotatedAt ?? now) > LIMITS.refreshReplayGraceSeconds * SECOND;
  if (!isCurrent && !(wasLast && !isLate)) {
    if (!wasLast) throw new Refusal('COOKIE_ABSENT');
    return { stolen: browser };
  }
  if (browser.createdAt + policy.rememberedFor <= now) throw new Refusal('COOKIE_EXPIRED');
  const { suid, zid } = browser;
  const device = deviceRepo.findDevice(tx, orgCode, zid);
  const isAllowed = device?.status === 'active' && allowsDevice(policy, device);
  const member = isAllowed ? findActiveMember(tx, orgCode, suid) : undefined;
  if (!member || !device) throw new Refusal('COOKIE_ABSENT');
  return { browser, member, device, isCurrent };
}

/**
 * Returns the device that approved remembering this browser, and the next secret for its cookie, if any. Forgets the
 * browser and returns 'stolen' if its secret was copied.
 * @throws Refusal COOKIE_LOGIN_DISABLED; COOKIE_ABSENT if the browser isn't remembered, or if its member or device
 * can't sign in; COOKIE_EXPIRED
 */
export function recogniseBrowser(
  deps: Deps,
  tx: Tx,
  organisation: organisationRepo.OrganisationRow,
  policy: LoginPolicy,
  shown: BrowserSecret | undefined,
): { device: deviceRepo.DeviceRow; next: RememberedBrowser | undefined } | 'stolen' {
  const { clock, random } = deps;
  const { orgCode } = organisation;
  const now = clock.now();
  const found = verifyBrowser(deps, tx, organisation, policy, shown);
  if ('stolen' in found) {
    browserRepo.revokeBrowser(tx, orgCode, found.stolen, now);
    return 'stolen';
  }
  const { browser, device, isCurrent } = found;
  // The other response carries the next secret. If both carried a secret, the browser might keep the older one.
  if (!isCurrent) return { device, next: undefined };
  const secret = random.secret();
  browserRepo.rotateBrowser(tx, orgCode, { id: browser.id, from: browser.secretHash, to: hashSecret(secret), now });
  return {
    device,
    next: { id: browser.id, secret, expiresAt: browser.createdAt + rememberedBrowserLifetimeMs(organisation) },
  };
}

/**
 * Returns the member whom the browser remembers and the device that approved it, without signing anyone in.
 * @throws Refusal as `recogniseBrowser`
 */
export function requireRememberedMember(
  deps: Deps,
  organisation: organisationRepo.OrganisationRow,
  policy: LoginPolicy,
  shown: BrowserSecret | undefined,
): Pick<RememberedMember, 'member' | 'device'> {
  const found = verifyBrowser(deps, deps.db, organisation, policy, shown);
  if ('stolen' in found) throw new Refusal('COOKIE_ABSENT');
  return found;
}
