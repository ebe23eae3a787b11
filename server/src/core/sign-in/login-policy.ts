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

/** The allowed sign-in methods of one application. */
export interface LoginPolicy {
  didEnabled: boolean;
  webAuthnEnabled: boolean;
  mobileAppEnabled: boolean;
  desktopAppEnabled: boolean;
  /** True if every sign-in must be approved again and no browser is remembered. */
  forceAuthnEnabled: boolean;
  /** True if the approver must also pick the number displayed in the browser. */
  stepUpAuthEnabled: boolean;
  /** Time for which a browser is remembered, in milliseconds; 0 = never. */
  rememberedFor: number;
  /** The methods that the organisation allows. */
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
export const METHOD_OF = { mobile: 'mobileAppEnabled', desktop: 'desktopAppEnabled' } as const satisfies Record<
  AppType,
  SignInMethod
>;

/** Returns the device types that may answer requests. */
export const typesAllowed = (policy: Record<(typeof METHOD_OF)[AppType], boolean>): AppType[] =>
  (['mobile', 'desktop'] as const).filter((type) => policy[METHOD_OF[type]]);

/** Returns true if a device, or a session or remembered browser that it approved, may sign in. */
export const allowsDevice = (policy: LoginPolicy, { type }: Pick<deviceRepo.DeviceRow, 'type'>): boolean =>
  policy[type === 'webauthn' ? 'webAuthnEnabled' : METHOD_OF[type]];

/**
 * Requires a sign-in method. The message tells whether the organisation or only the application has switched it off.
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

/** Returns the methods that the organisation allows and the application doesn't forbid (decision 090). */
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

/** Returns the policy for the portal itself. */
export function portalLoginPolicy(tx: Tx, organisation: organisationRepo.OrganisationRow): LoginPolicy {
  return loginPolicyOf(organisation, applicationRepo.findPortalApplication(tx, organisation.orgCode));
}

/** Returns the policy for the target of a sign-in. */
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

/** Returns true if a request to a device is a sign-in to the portal or an application. */
export const isSignIn = ({ kind }: Pick<challengeRepo.ChallengeRow, 'kind'>): boolean =>
  kind === 'login' || kind === 'app-login';
