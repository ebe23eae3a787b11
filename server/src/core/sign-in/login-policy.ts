import {
  appLoginRepo,
  applicationRepo,
  type challengeRepo,
  type deviceRepo,
  type organisationRepo,
  type Tx,
} from '@orchestrate/db';
import { type AppType, MINUTE, type ResultName, SECOND } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';

/** How people may sign in to one application. */
export interface LoginPolicy {
  didEnabled: boolean;
  webAuthnEnabled: boolean;
  mobileAppEnabled: boolean;
  desktopAppEnabled: boolean;
  /** Every sign-in must be approved again: no browser is remembered. */
  forceAuthnEnabled: boolean;
  /** The person who approves also picks the number that the browser shows. */
  stepUpAuthEnabled: boolean;
  /** Milliseconds for which a browser is remembered; 0 = not at all. */
  rememberedFor: number;
  /** What the organisation alone would allow. */
  ofOrganisation: Record<SignInMethod, boolean>;
}

/** A way of signing in that an organisation, or a single application, may switch off. */
type SignInMethod = keyof typeof REFUSED;

const REFUSED = {
  didEnabled: ['DID_NOT_ENABLED', 'Typing a code is switched off for this application.'],
  webAuthnEnabled: ['WEBAUTHN_NOT_ENABLED', 'Passkeys are switched off for this application.'],
  mobileAppEnabled: ['AUTHENTICATOR_DISALLOWED', 'Phones are switched off for this application.'],
  desktopAppEnabled: ['AUTHENTICATOR_DISALLOWED', 'Desktop devices are switched off for this application.'],
} as const satisfies Record<string, readonly [ResultName, string]>;

/** The way that a device of this type is. */
export const WAY_OF = { mobile: 'mobileAppEnabled', desktop: 'desktopAppEnabled' } as const satisfies Record<
  AppType,
  SignInMethod
>;

/** The types of device that may answer requests. */
export const typesAllowed = (policy: Record<(typeof WAY_OF)[AppType], boolean>): AppType[] =>
  (['mobile', 'desktop'] as const).filter((type) => policy[WAY_OF[type]]);

/** Whether a device may still sign in: a session or a remembered browser that it approved stands in for it. */
export const allowsDevice = (policy: LoginPolicy, { type }: Pick<deviceRepo.DeviceRow, 'type'>): boolean =>
  policy[type === 'webauthn' ? 'webAuthnEnabled' : WAY_OF[type]];

/**
 * Requires a way of signing in, and says whether the organisation has switched it off or the application alone.
 * @throws Refusal DID_NOT_ENABLED, WEBAUTHN_NOT_ENABLED or AUTHENTICATOR_DISALLOWED
 */
export function requireSignInMethod(policy: LoginPolicy, way: SignInMethod): void {
  if (policy[way]) return;
  const [result, message] = REFUSED[way];
  throw new Refusal(result, policy.ofOrganisation[way] ? { message } : {});
}

type ApplicationOptions = Pick<
  applicationRepo.ApplicationRow,
  'didEnabled' | 'webAuthnEnabled' | 'desktopAppEnabled' | 'forceAuthnEnabled' | 'maxCookieLife'
>;

/** What the organisation allows and the application does not forbid (decision 090). */
export function loginPolicyOf(
  organisation: organisationRepo.OrganisationRow,
  application: ApplicationOptions | undefined,
): LoginPolicy {
  const forceAuthnEnabled = organisation.forceAuthnEnabled || (application?.forceAuthnEnabled ?? false);
  const ownLife = organisation.maxCookieLife * MINUTE;
  const rememberedFor = Math.min(ownLife, application ? application.maxCookieLife * SECOND : ownLife);
  return {
    didEnabled: organisation.didEnabled && (application?.didEnabled ?? true),
    webAuthnEnabled: organisation.webAuthnEnabled && (application?.webAuthnEnabled ?? true),
    mobileAppEnabled: organisation.mobileAppEnabled,
    desktopAppEnabled: organisation.desktopAppEnabled && (application?.desktopAppEnabled ?? true),
    forceAuthnEnabled,
    stepUpAuthEnabled: organisation.stepUpAuthEnabled,
    rememberedFor: forceAuthnEnabled ? 0 : rememberedFor,
    ofOrganisation: organisation,
  };
}

/** How people may sign in to the portal itself. */
export function portalLoginPolicy(tx: Tx, organisation: organisationRepo.OrganisationRow): LoginPolicy {
  return loginPolicyOf(organisation, applicationRepo.findPortalApplication(tx, organisation.orgCode));
}

/** How people may sign in to the target of this sign-in. */
export function policyOfSignIn(
  tx: Tx,
  organisation: organisationRepo.OrganisationRow,
  { appLoginId }: Pick<challengeRepo.ChallengeRow, 'appLoginId'>,
): LoginPolicy {
  if (appLoginId === null) return portalLoginPolicy(tx, organisation);
  const appLogin = appLoginRepo.findAppLogin(tx, appLoginId);
  const application = appLogin && applicationRepo.findApplication(tx, organisation.orgCode, appLogin.appId);
  return loginPolicyOf(organisation, application);
}

/** Whether a request to a device is a sign-in, to the portal or to an application. */
export const isSignIn = ({ kind }: Pick<challengeRepo.ChallengeRow, 'kind'>): boolean =>
  kind === 'login' || kind === 'app-login';
