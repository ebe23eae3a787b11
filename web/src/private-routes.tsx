import type { Permission } from '@orchestrate/shared';
import { Navigate, Route, Routes } from 'react-router-dom';
import { DesktopOnly, RequirePermission, RequireSession } from './layout/guards.tsx';
import { APPLICATION_PERMISSIONS, menu, visibleMenu } from './layout/menu.ts';
import { LoadingPage } from './layout/screen-boundary.tsx';
import Shell from './layout/shell.tsx';
import { lazyPart } from './lib/browser/lazy-part.ts';
import { NavigationGuard } from './lib/leaving/navigation-guard.tsx';
import { useSession } from './lib/session/session.ts';
import { paths } from './paths.ts';
import { withWords } from './words/with-words.ts';

const NotFoundPage = lazyPart(() => withWords('layout', () => import('./features/static-pages/not-found-page.tsx')));
const DashboardScreen = lazyPart(() =>
  withWords('features/dashboard', () => import('./features/dashboard/dashboard-screen.tsx')),
);
const LoginHistoryScreen = lazyPart(() =>
  withWords('features/dashboard', () => import('./features/dashboard/login-history-screen.tsx')),
);
const OwnApplicationsScreen = lazyPart(() =>
  withWords('features/applications', () => import('./features/applications/own/own-applications-screen.tsx')),
);
const OwnDevices = lazyPart(() => withWords('features/devices', () => import('./features/devices/own-devices.tsx')));
const AuthenticateCallerScreen = lazyPart(() =>
  withWords(
    'features/caller-authentication',
    () => import('./features/caller-authentication/authenticate-caller-screen.tsx'),
  ),
);
const ManageUsersScreen = lazyPart(() =>
  withWords('features/members', () => import('./features/members/browse/manage-users-screen.tsx')),
);
const InvitationsScreen = lazyPart(() =>
  withWords('features/members', () => import('./features/members/invitations/invitations-screen.tsx')),
);
const MemberScreen = lazyPart(() =>
  withWords('features/members', async () => ({
    default: (await import('./features/members/profile/member-detail.tsx')).MemberScreen,
  })),
);
const DirectReportsScreen = lazyPart(() =>
  withWords('features/members', () => import('./features/members/browse/direct-reports-screen.tsx')),
);
const DirectReportScreen = lazyPart(() =>
  withWords('features/members', async () => ({
    default: (await import('./features/members/profile/member-detail.tsx')).DirectReportScreen,
  })),
);
const ApplicationsScreen = lazyPart(() =>
  withWords('features/applications', () => import('./features/applications/list/applications-screen.tsx')),
);
const ApplicationScreen = lazyPart(() =>
  withWords('features/applications', () => import('./features/applications/editor/application-screen.tsx')),
);
const TestSignInResultScreen = lazyPart(() =>
  withWords(
    'features/applications',
    () => import('./features/applications/test-sign-in/test-sign-in-result-screen.tsx'),
  ),
);
const SamlCreateScreen = lazyPart(() =>
  withWords('features/applications', () => import('./features/applications/create/saml-create-screen.tsx')),
);
const IdpConfigurationScreen = lazyPart(() =>
  withWords('features/applications', () => import('./features/applications/idp/idp-configuration-screen.tsx')),
);
const BrandingScreen = lazyPart(() =>
  withWords('features/settings', () => import('./features/settings/branding/branding-screen.tsx')),
);
const LoginOptionsScreen = lazyPart(() =>
  withWords('features/settings', () => import('./features/settings/login-options/login-options-screen.tsx')),
);
const OidcPortalAuthScreen = lazyPart(() =>
  withWords('features/settings', () => import('./features/settings/oidc-portal-auth-screen.tsx')),
);
const SecurityScreen = lazyPart(() =>
  withWords('features/settings', () => import('./features/settings/security-screen.tsx')),
);
const UserProvisioningScreen = lazyPart(() =>
  withWords('features/settings', () => import('./features/settings/user-provisioning-screen.tsx')),
);
const FaqScreen = lazyPart(() => withWords('features/faq', () => import('./features/faq/faq-screen.tsx')));
const ManageFaqScreen = lazyPart(() =>
  withWords('features/faq', () => import('./features/faq/manage/manage-faq-screen.tsx')),
);
const ActivityScreen = lazyPart(() =>
  withWords('features/audit', () => import('./features/audit/activity-screen.tsx')),
);
const SignInsScreen = lazyPart(() =>
  withWords('features/sign-ins', () => import('./features/sign-ins/sign-ins-screen.tsx')),
);
const ConfigurationScreen = lazyPart(() =>
  withWords('features/configuration', () => import('./features/configuration/configuration-screen.tsx')),
);
const MailsScreen = lazyPart(() => withWords('features/mails', () => import('./features/mails/mails-screen.tsx')));
const WebhooksScreen = lazyPart(() =>
  withWords('features/webhooks', () => import('./features/webhooks/webhooks-screen.tsx')),
);
const WebhookScreen = lazyPart(() =>
  withWords('features/webhooks', () => import('./features/webhooks/webhook-screen.tsx')),
);
const RoleManagementScreen = lazyPart(() =>
  withWords('features/roles', () => import('./features/roles/role-management-screen.tsx')),
);

const ROLE_PERMISSIONS: readonly Permission[] = ['CREATE_CUSTOM_ROLES', 'UPDATE_CUSTOM_ROLES', 'DELETE_CUSTOM_ROLES'];

/**
 * Routes of the private area (spec 1 §2), which the sign-in page doesn't load. `routes.tsx` lists their first path
 * segments.
 */
export default function PrivateRoutes() {
  return (
    <NavigationGuard>
      <Routes>
        <Route element={<RequireSession />}>
          <Route element={<Shell />}>
            <Route path={paths.dashboard} element={<DashboardScreen devices={<OwnDevices />} />} />
            <Route path={paths.loginHistory} element={<LoginHistoryScreen />} />
            <Route path={paths.ownApplications} element={<OwnApplicationsScreen />} />
            <Route path={paths.ownFaq} element={<FaqScreen />} />
            <Route element={<RequirePermission permission="VERBAL_AUTHENTICATION" />}>
              <Route element={<DesktopOnly />}>
                <Route path={`${paths.authenticateCaller}/*`} element={<AuthenticateCallerScreen />} />
              </Route>
            </Route>
            <Route element={<RequirePermission permission="SEARCH_USER" />}>
              <Route element={<DesktopOnly />}>
                <Route path={paths.manageUsers} element={<ManageUsersScreen />} />
                <Route path={paths.member(':id')} element={<MemberScreen />} />
              </Route>
            </Route>
            <Route element={<RequirePermission permission="BULK_INVITE" />}>
              <Route element={<DesktopOnly />}>
                <Route path={paths.invitations} element={<InvitationsScreen />} />
              </Route>
            </Route>
            <Route element={<RequirePermission permission="GET_ALL_REPORTEES" />}>
              <Route element={<DesktopOnly />}>
                <Route path={paths.directReports} element={<DirectReportsScreen />} />
                <Route path={paths.directReport(':id')} element={<DirectReportScreen />} />
              </Route>
            </Route>
            <Route element={<RequirePermission permission={APPLICATION_PERMISSIONS} />}>
              <Route element={<DesktopOnly />}>
                <Route path={paths.applications} element={<ApplicationsScreen />} />
                <Route path={`${paths.samlCreate}/*`} element={<SamlCreateScreen />} />
                <Route path={`${paths.applications}/:appId/try/:tryId`} element={<TestSignInResultScreen />} />
                <Route path={`${paths.applications}/:appId/*`} element={<ApplicationScreen />} />
              </Route>
            </Route>
            <Route path={paths.orgSettings} element={<FirstOrgSetting />} />
            <Route element={<RequirePermission permission="SESSION_MANAGEMENT" />}>
              <Route element={<DesktopOnly />}>
                <Route path={paths.branding} element={<BrandingScreen />} />
                <Route path={paths.loginOptions} element={<Redirect to={paths.orgLevelLoginOptions} />} />
                <Route path={paths.orgLevelLoginOptions} element={<LoginOptionsScreen level="org-level" />} />
                <Route path={paths.appLevelLoginOptions} element={<LoginOptionsScreen level="app-level" />} />
                <Route path={paths.security} element={<SecurityScreen />} />
                <Route path={paths.activity} element={<ActivityScreen />} />
                <Route path={paths.signIns} element={<SignInsScreen />} />
                <Route path={paths.mails} element={<MailsScreen />} />
                <Route path={paths.configurationFile} element={<ConfigurationScreen />} />
                <Route path={paths.webhooks} element={<WebhooksScreen />} />
                <Route path={`${paths.webhooks}/:webhookId`} element={<WebhookScreen />} />
              </Route>
            </Route>
            <Route element={<RequirePermission permission="SESSION_MANAGEMENT" />}>
              <Route element={<DesktopOnly />}>
                <Route path={paths.manageFaq} element={<ManageFaqScreen />} />
              </Route>
            </Route>
            <Route element={<RequirePermission permission="ADD_UPDATE_SAML_CONFIGURATION" />}>
              <Route element={<DesktopOnly />}>
                <Route path={paths.idpConfiguration} element={<IdpConfigurationScreen />} />
              </Route>
            </Route>
            <Route element={<RequirePermission permission="ADD_UPDATE_OIDC_CONFIGURATION" />}>
              <Route element={<DesktopOnly />}>
                <Route path={paths.oidcPortalAuth} element={<OidcPortalAuthScreen />} />
              </Route>
            </Route>
            <Route element={<RequirePermission permission="SCIM_PROVISIONING" />}>
              <Route element={<DesktopOnly />}>
                <Route path={paths.userProvisioning} element={<UserProvisioningScreen />} />
              </Route>
            </Route>
            <Route element={<RequirePermission permission={ROLE_PERMISSIONS} />}>
              <Route element={<DesktopOnly />}>
                <Route path={paths.roleManagement} element={<RoleManagementScreen />} />
              </Route>
            </Route>
          </Route>
        </Route>
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    </NavigationGuard>
  );
}

/** Redirects to the branding settings, or to the first organisation setting that the user can open. */
function FirstOrgSetting() {
  const profile = useSession()?.profile;
  const items = profile ? visibleMenu(menu, profile).flatMap((group) => group.items) : [];
  const own = items.flatMap(({ to }) => (to?.startsWith(`${paths.orgSettings}/`) ? to : []));
  return <Redirect to={own.includes(paths.branding) ? paths.branding : (own[0] ?? paths.dashboard)} />;
}

/** Redirects, with placeholders until the code of the other screen is loaded. */
function Redirect({ to }: { to: string }) {
  return (
    <>
      <Navigate to={to} replace />
      <LoadingPage />
    </>
  );
}
