import type { AuthState, Member, Profile } from '@orchestrate/shared';

/** A person for tests; `about` has what matters to the test. */
export function profileOf(about: Partial<Profile> = {}): Profile {
  return {
    firstName: 'Avery',
    lastName: 'Lindqvist',
    email: 'avery.lindqvist@acme.test',
    emailVerified: true,
    primaryAttr: 'E-10001',
    suid: 's-1',
    zid: 'z-1',
    active: true,
    roleCode: 'USER',
    roleName: 'Org User',
    isManager: false,
    allowReporteeSearch: false,
    hasPermissionForMobileApp: true,
    hasPermissionForWindowsApp: false,
    permissions: [],
    orgId: 'acme',
    ...about,
  };
}

/** Another member for tests: active, with neither device nor activation code unless `about` says otherwise. */
export function memberOf(about: Partial<Member> = {}): Member {
  const email = about.primaryEmail ?? 'avery.lindqvist@acme.test';
  return {
    id: '1',
    suid: 's-1',
    emailVerified: true,
    primaryAttr: 'E-10001',
    firstName: 'Avery',
    lastName: 'Lindqvist',
    email,
    primaryEmail: email,
    role: 'USER',
    roleName: 'Org User',
    accountStatus: 'active',
    isManager: false,
    deviceCount: 0,
    lastSeen: null,
    lastSeenAt: null,
    hasPermissionForMobileApp: true,
    hasPermissionForWindowsApp: true,
    activationCode: '',
    activationExpiry: null,
    activationExpired: true,
    activationLocked: false,
    desktopActivationCode: '',
    desktopActivationExpiry: null,
    desktopActivationExpired: true,
    desktopActivationLocked: false,
    ...about,
  };
}

/** An unsigned access token in the form of a JWT, with this lifetime in seconds. */
export const tokenFor = (name: string, seconds: number): string =>
  `head.${btoa(JSON.stringify({ name, iat: 0, exp: seconds }))}.sign`;

/** The data of a sign-in, with an access token of ten minutes unless told otherwise. */
export function authStateOf(about: Partial<AuthState> = {}): AuthState {
  return {
    token: tokenFor('fresh', 600),
    refreshToken: 'first',
    orgId: 'acme',
    role: 'USER',
    modules: [],
    profile: profileOf(),
    ...about,
  };
}
