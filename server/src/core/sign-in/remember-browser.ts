import { browserRepo, deviceRepo, type organisationRepo, type Tx } from '@orchestrate/db';
import { LIMITS, MINUTE, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { hashSecret, isSameSecret } from '#platform/adapters/secrets.ts';
import { Refusal } from '#platform/refusal.ts';
import { findActiveMember } from './active-member.ts';
import { type BrowserSecret, browserCookie } from './browser-cookie.ts';
import { allowsDevice, type LoginPolicy } from './login-policy.ts';

/** Who signed in where, when a browser is to be remembered. */
export interface Remembering {
  suid: string;
  zid: string;
  /** See `identifyBrowser`. */
  browser: string;
  userAgent: string;
  ip: string;
  /** The secret by which it was remembered until now: a browser is remembered only once. */
  shown: BrowserSecret | undefined;
}

/** A remembered browser, with the contents of its cookie. */
export interface Remembered extends BrowserSecret {
  /** Milliseconds since the epoch, as set by the organisation; an application may end it sooner. */
  expiresAt: number;
}

/** @returns milliseconds for which the organisation remembers browsers; 0 = not at all */
export function rememberedFor({
  forceAuthnEnabled,
  maxCookieLife,
}: Pick<organisationRepo.OrganisationRow, 'forceAuthnEnabled' | 'maxCookieLife'>): number {
  return forceAuthnEnabled ? 0 : maxCookieLife * MINUTE;
}

/** Remembers the browser in which a device has just approved; undefined if the organisation remembers no browsers. */
export function rememberBrowser(
  { clock, random }: Deps,
  tx: Tx,
  organisation: organisationRepo.OrganisationRow,
  { shown, ...who }: Remembering,
): Remembered | undefined {
  const lifetime = rememberedFor(organisation);
  if (lifetime === 0) return undefined;
  const now = clock.now();
  const { orgCode } = organisation;
  if (shown) browserRepo.revokeBrowserBySecret(tx, orgCode, shown.id, hashSecret(shown.secret), now);
  const made = { id: random.id(), secret: random.secret() };
  const row = { ...who, id: made.id, orgCode, secretHash: hashSecret(made.secret), createdAt: now, lastUsedAt: now };
  browserRepo.insertBrowser(tx, row);
  browserRepo.revokeOtherBrowsers(tx, orgCode, { suid: who.suid, kept: LIMITS.rememberedBrowsers }, now);
  return { ...made, expiresAt: now + lifetime };
}

/** The `Set-Cookie` header of a remembered browser. */
export function rememberedCookie(deps: Deps, orgCode: string, remembered: Remembered): string {
  return browserCookie(deps, orgCode, remembered, (remembered.expiresAt - deps.clock.now()) / SECOND);
}

/**
 * The device whose approval a browser is remembered by, with the next secret for its cookie where it gets one. Showing
 * a secret that was replaced long ago means it has been copied: the browser is then forgotten.
 * @throws Refusal COOKIE_LOGIN_DISABLED; COOKIE_ABSENT not remembered, forgotten, or its person or device may not sign
 * in; COOKIE_EXPIRED too long ago
 */
export function recognizeBrowser(
  deps: Deps,
  tx: Tx,
  organisation: organisationRepo.OrganisationRow,
  policy: LoginPolicy,
  shown: BrowserSecret | undefined,
): { device: deviceRepo.DeviceRow; next: Remembered | undefined } | 'stolen' {
  const { clock, random } = deps;
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
  const isPresent = isSameSecret(hash, browser.secretHash);
  const wasLast = browser.previousHash !== null && isSameSecret(hash, browser.previousHash);
  // The answer may have been lost, or two tabs may ask at once: the previous secret still counts briefly, as with
  // refresh tokens.
  const isLate = now - (browser.rotatedAt ?? now) > LIMITS.refreshReplayGraceSeconds * SECOND;
  if (!isPresent && !(wasLast && !isLate)) {
    if (!wasLast) throw new Refusal('COOKIE_ABSENT');
    browserRepo.revokeBrowser(tx, orgCode, browser, now);
    return 'stolen';
  }
  if (browser.createdAt + policy.rememberedFor <= now) throw new Refusal('COOKIE_EXPIRED');
  const { suid, zid } = browser;
  const device = deviceRepo.findDevice(tx, orgCode, zid);
  const mayStandIn = device?.status === 'active' && allowsDevice(policy, device) && findActiveMember(tx, orgCode, suid);
  if (!mayStandIn) throw new Refusal('COOKIE_ABSENT');
  // The other answer carries the next secret: given two, the browser might keep the older one.
  if (!isPresent) return { device, next: undefined };
  const secret = random.secret();
  browserRepo.rotateBrowser(tx, orgCode, { id: browser.id, from: browser.secretHash, to: hashSecret(secret), now });
  return { device, next: { id: browser.id, secret, expiresAt: browser.createdAt + rememberedFor(organisation) } };
}
