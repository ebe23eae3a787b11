/** Every address of the client, once: routes, links and redirects all take theirs from here. */
export const paths = {
  home: '/',
  dashboard: '/dashboard',
  loginHistory: '/dashboard/login-history',
  authenticator: '/authenticator',
  lab: '/lab',
  accessDenied: '/access-denied',
  authenticateCaller: '/authenticate-caller',
  manageUsers: '/manage-users',
  member: (segment: string) => `/manage-users/${segment}`,
  directReports: '/direct-reports',
  directReport: (segment: string) => `/direct-reports/${segment}`,
  signUp: (orgId: string) => `/${encodeURIComponent(orgId)}/sign-up`,
  signIn: (orgId: string) => `/${encodeURIComponent(orgId)}/sign-in`,
} as const;
