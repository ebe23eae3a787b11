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

/** Sign-in methods allowed for an application. */
export interface LoginPolicy {
  didEnabled: boolean;
  webAuthnEnabled: boolean;
  mobileAppEnabled: boolean;
  desktopAppEnabled: boolean;
  /** True if every sign-in needs a new approval and browsers aren't remembered. */
  forceAuthnEnabled: boolean;
  /** True if the approver must also pick the number displayed in the browser. */
  stepUpAuthEnabled: boolean;
  /** How long a browser is remembered, in milliseconds. 0 = never. */
  rememberedFor: number;
  /** Methods that the organisation allows. */
  organisationMethods: Record<SignInMethod, boolean>;
}

/** A sign-in method that an organisation or application can switch off. */
type SignInMethod = keyof typeof REFUSED;

const REFUSED = {
  didEnabled: ['DID_NOT_ENABLED', 'Typing a code is switched off for this application.'],
  webAuthnEnabled: ['WEBAUTHN_NOT_ENABLED', 'Passkeys are switched off for this application.'],
  mobileAppEnabled: ['AUTHENTICATOR_DISALLOWED', 'Phones are switched off for this application.'],
  desktopAppEnabled: ['AUTHENTICATOR_DISALLOWED', 'Desktop devices are switched off for this application.'],
} as const satisfies Record<string, readonly [ResultName, string]>;

/** Maps device types to sign-in methods. */
export const METHOD_BY_DEVICE_TYPE = {
  mobile: 'mobileAppEnabled',
  desktop: 'desktopAppEnabled',
} as const satisfies Record<AppType, SignInMethod>;

/** Returns the device types that can answer requests. */
export const allowedDeviceTypes = (policy: Record<(typeof METHOD_BY_DEVICE_TYPE)[AppType], boolean>): AppType[] =>
  (['mobile', 'desktop'] as const).filter((type) => policy[METHOD_BY_DEVICE_TYPE[type]]);

/** Returns true if a device can sign in. Also applies to sessions and remembered browsers that the device approved. */
export const allowsDevice = (policy: LoginPolicy, { type }: Pick<deviceRepo.DeviceRow, 'type'>): boolean =>
  policy[type === 'webauthn' ? 'webAuthnEnabled' : METHOD_BY_DEVICE_TYPE[type]];

/**
 * Requires that a sign-in method is allowed. The message says whether the organisation or only the application has
 * switched it off.
 * @throws Refusal DID_NOT_ENABLED, WEBAUTHN_NOT_ENABLED or AUTHENTICATOR_DISALLOWED
 */
export function requireSignInMethod(policy: LoginPolicy, method: SignInMethod): void {
  if (policy[method]) return;
  const [result, message] = REFUSED[method];
  throw new Refusal(result, policy.organisationMethods[method] ? { message } : {});
}

type ApplicationOptions = Pick<
  applicationRepo.ApplicationRow,
  'didEnabled' | 'webAuthnEnabled' | 'desktopAppEnabled' | 'forceAuthnEnabled' | 'maxCookieLife'
>;

/**
 * Returns the sign-in methods for an application: those the organisation allows and the application doesn't forbid
 * (decision 090).
 */
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
    organisationMethods: organisation,
  };
}

/** Returns the sign-in policy for the portal itself. */
export function portalLoginPolicy(tx: Tx, organisation: organisationRepo.OrganisationRow): LoginPolicy {
  return loginPolicyOf(organisation, applicationRepo.findPortalApplication(tx, organisation.orgCode));
}

/** Returns the policy of the portal or application that a challenge signs in to. */
export function policyOfSignIn(
  tx: Tx,
  organisation: organisationRepo.OrganisationRow,
  { appLoginId }: Pick<challengeRepo.ChallengeRow, 'appLoginId'>,
): LoginPolicy {
  if (appLoginId === null) return portalLoginPolicy(tx, organisation);
  const appLogin = appLoginRepo.findAppSignIn(tx, appLoginId);
  const application = appLogin && applicationRepo.findApplication(tx, organisation.orgCode, appLogin.appId);
  return loginPolicyOf(organisation, application);
}

/** Returns true if a device request is a sign-in to the portal or an application. */
export const isSignIn = ({ kind }: Pick<challengeRepo.ChallengeRow, 'kind'>): boolean =>
  kind === 'login' || kind === 'app-login';
