import type { Permission, Profile } from '@orchestrate/shared';
import {
  Activity,
  AppWindow,
  BookOpenText,
  ChartNoAxesColumn,
  CircleHelp,
  FileCog,
  FileKey2,
  House,
  KeyRound,
  LayoutGrid,
  LogIn,
  type LucideIcon,
  Mail,
  Palette,
  PhoneCall,
  RefreshCw,
  ScanLine,
  ShieldCheck,
  SlidersHorizontal,
  UserCog,
  Users,
  Webhook,
} from 'lucide-react';
import type { ModalName } from '../lib/address/use-modal.ts';
import { hasPermission } from '../lib/session/session.ts';
import { paths } from '../paths.ts';

export interface MenuItem {
  label: string;
  icon: LucideIcon;
  /** Any one of these permissions; for everybody where absent. */
  needs?: readonly Permission[];
  /** The screen it leads to. An item shows only if it has a screen or a dialog. */
  to?: string;
  opens?: ModalName;
}

export interface MenuGroup {
  heading?: string;
  items: readonly MenuItem[];
}

/** Any one of these reaches the applications: every one, or those of SAML alone. */
export const APPLICATION_PERMISSIONS = ['SESSION_MANAGEMENT', 'ADD_UPDATE_SAML_CONFIGURATION'] as const;

/** The side menu of spec 1 §2 and spec 2 §2. */
export const menu: readonly MenuGroup[] = [
  {
    items: [
      { label: 'Dashboard', icon: House, to: paths.dashboard },
      { label: 'Authenticate Caller', icon: PhoneCall, needs: ['VERBAL_AUTHENTICATION'], to: paths.authenticateCaller },
      { label: 'Test Device', icon: ScanLine, opens: 'test-device' },
      { label: 'FAQ', icon: CircleHelp, to: paths.ownFaq },
      { label: 'My Applications', icon: LayoutGrid, to: paths.ownApplications },
    ],
  },
  {
    heading: 'User Administration',
    items: [
      { label: 'Manage Users', icon: Users, needs: ['SEARCH_USER'], to: paths.manageUsers },
      {
        label: 'Manage Reportees',
        icon: ChartNoAxesColumn,
        needs: ['GET_ALL_REPORTEES'],
        to: paths.directReports,
      },
    ],
  },
  {
    heading: 'App Settings',
    items: [{ label: 'Applications', icon: AppWindow, needs: APPLICATION_PERMISSIONS, to: paths.applications }],
  },
  {
    heading: 'Org Settings',
    items: [
      { label: 'OIDC Portal Auth', icon: KeyRound, needs: ['ADD_UPDATE_OIDC_CONFIGURATION'], to: paths.oidcPortalAuth },
      { label: 'Branding', icon: Palette, needs: ['SESSION_MANAGEMENT'], to: paths.branding },
      {
        label: 'Login Options',
        icon: SlidersHorizontal,
        needs: ['SESSION_MANAGEMENT'],
        to: paths.loginOptions,
      },
    ],
  },
  {
    heading: 'Manage Settings',
    items: [
      {
        label: 'IDP Configuration',
        icon: FileKey2,
        needs: ['ADD_UPDATE_SAML_CONFIGURATION'],
        to: paths.idpConfiguration,
      },
      { label: 'User Provisioning', icon: RefreshCw, needs: ['SCIM_PROVISIONING'], to: paths.userProvisioning },
      {
        label: 'Role Management',
        icon: UserCog,
        needs: ['CREATE_CUSTOM_ROLES', 'UPDATE_CUSTOM_ROLES', 'DELETE_CUSTOM_ROLES'],
        to: paths.roleManagement,
      },
      { label: 'Security', icon: ShieldCheck, needs: ['SESSION_MANAGEMENT'], to: paths.security },
      { label: 'Manage FAQ', icon: BookOpenText, needs: ['SESSION_MANAGEMENT'], to: paths.manageFaq },
      { label: 'Activity', icon: Activity, needs: ['SESSION_MANAGEMENT'], to: paths.activity },
      { label: 'Sign-ins', icon: LogIn, needs: ['SESSION_MANAGEMENT'], to: paths.signIns },
      { label: 'Webhooks', icon: Webhook, needs: ['SESSION_MANAGEMENT'], to: paths.webhooks },
      { label: 'Mails', icon: Mail, needs: ['SESSION_MANAGEMENT'], to: paths.mails },
      {
        label: 'Configuration File',
        icon: FileCog,
        needs: ['SESSION_MANAGEMENT'],
        to: paths.configurationFile,
      },
    ],
  },
];

function isVisible(item: MenuItem, profile: Profile): boolean {
  if (!item.to && !item.opens) return false;
  return !item.needs || item.needs.some((permission) => hasPermission(profile, permission));
}

/** The part of the menu that a person sees: no item without its permission, no group without a visible item. */
export function visibleMenu(groups: readonly MenuGroup[], profile: Profile): MenuGroup[] {
  return groups
    .map((group) => ({ ...group, items: group.items.filter((item) => isVisible(item, profile)) }))
    .filter((group) => group.items.length > 0);
}
