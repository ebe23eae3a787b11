import { t } from '@lingui/core/macro';
import type { Permission, Profile } from '@orchestrate/shared';
import {
  Activity,
  AppWindow,
  BookOpenText,
  Building2,
  CircleHelp,
  FileCog,
  FileKey2,
  House,
  KeyRound,
  LayoutGrid,
  LogIn,
  type LucideIcon,
  Mail,
  MailOpen,
  Network,
  Palette,
  PhoneCall,
  RefreshCw,
  ScanLine,
  Settings,
  ShieldCheck,
  SlidersHorizontal,
  UserCog,
  Users,
  Webhook,
} from 'lucide-react';
import type { ModalName } from '#lib/address/use-modal.ts';
import { hasPermission } from '#lib/session/session.ts';
import { paths } from '#paths.ts';

export interface MenuItem {
  label: string;
  icon: LucideIcon;
  /** Permissions of which the user needs at least one; undefined if no permission is required. */
  needs?: readonly Permission[];
  /** Hides the item from users with this permission, who reach its screen through another item. */
  unless?: Permission;
  /** Path of the item's screen. Items without a screen or dialog are hidden. */
  to?: string;
  opens?: ModalName;
}

export interface MenuGroup {
  heading?: string;
  /** Set for a group that users can expand and collapse: its icon, and a key under which its state is stored. */
  expandable?: { key: string; icon: LucideIcon };
  items: readonly MenuItem[];
}

/** Permissions to configure all applications or only SAML applications. */
export const APPLICATION_PERMISSIONS = ['SESSION_MANAGEMENT', 'ADD_UPDATE_SAML_CONFIGURATION'] as const;

/** Side menu according to spec 1 §2 and spec 2 §2. */
export const menu: readonly MenuGroup[] = [
  {
    items: [
      { label: t`Dashboard`, icon: House, to: paths.dashboard },
      { label: t`My Applications`, icon: LayoutGrid, to: paths.ownApplications },
      { label: t`Test Device`, icon: ScanLine, opens: 'test-device' },
      { label: 'FAQ', icon: CircleHelp, to: paths.ownFaq },
    ],
  },
  {
    heading: t`User Administration`,
    items: [
      { label: t`Manage Users`, icon: Users, needs: ['SEARCH_USER'], to: paths.manageUsers },
      { label: t`Invitations`, icon: MailOpen, needs: ['BULK_INVITE'], unless: 'SEARCH_USER', to: paths.invitations },
      {
        label: t`Manage Reportees`,
        icon: Network,
        needs: ['GET_ALL_REPORTEES'],
        to: paths.directReports,
      },
      {
        label: t`Authenticate Caller`,
        icon: PhoneCall,
        needs: ['VERBAL_AUTHENTICATION'],
        to: paths.authenticateCaller,
      },
    ],
  },
  {
    heading: t`App Settings`,
    items: [{ label: t`Applications`, icon: AppWindow, needs: APPLICATION_PERMISSIONS, to: paths.applications }],
  },
  {
    heading: t`Monitoring`,
    items: [
      { label: t`Sign-ins`, icon: LogIn, needs: ['SESSION_MANAGEMENT'], to: paths.signIns },
      { label: t`Activity`, icon: Activity, needs: ['SESSION_MANAGEMENT'], to: paths.activity },
    ],
  },
  {
    heading: t`Org Settings`,
    expandable: { key: 'org-settings', icon: Building2 },
    items: [
      {
        label: t`OIDC Portal Auth`,
        icon: KeyRound,
        needs: ['ADD_UPDATE_OIDC_CONFIGURATION'],
        to: paths.oidcPortalAuth,
      },
      { label: t`Branding`, icon: Palette, needs: ['SESSION_MANAGEMENT'], to: paths.branding },
      {
        label: t`Login Options`,
        icon: SlidersHorizontal,
        needs: ['SESSION_MANAGEMENT'],
        to: paths.loginOptions,
      },
    ],
  },
  {
    heading: t`Manage Settings`,
    expandable: { key: 'manage-settings', icon: Settings },
    items: [
      {
        label: t`IDP Configuration`,
        icon: FileKey2,
        needs: ['ADD_UPDATE_SAML_CONFIGURATION'],
        to: paths.idpConfiguration,
      },
      { label: t`User Provisioning`, icon: RefreshCw, needs: ['SCIM_PROVISIONING'], to: paths.userProvisioning },
      {
        label: t`Role Management`,
        icon: UserCog,
        needs: ['CREATE_CUSTOM_ROLES', 'UPDATE_CUSTOM_ROLES', 'DELETE_CUSTOM_ROLES'],
        to: paths.roleManagement,
      },
      { label: t`Security`, icon: ShieldCheck, needs: ['SESSION_MANAGEMENT'], to: paths.security },
      { label: t`Manage FAQ`, icon: BookOpenText, needs: ['SESSION_MANAGEMENT'], to: paths.manageFaq },
      { label: t`Webhooks`, icon: Webhook, needs: ['SESSION_MANAGEMENT'], to: paths.webhooks },
      { label: t`Emails`, icon: Mail, needs: ['SESSION_MANAGEMENT'], to: paths.mails },
      {
        label: t`Configuration File`,
        icon: FileCog,
        needs: ['SESSION_MANAGEMENT'],
        to: paths.configurationFile,
      },
    ],
  },
];

function isVisible(item: MenuItem, profile: Profile, hasRoom: boolean): boolean {
  if (!item.to && !item.opens) return false;
  if (item.needs && !hasRoom) return false;
  if (item.unless && hasPermission(profile, item.unless)) return false;
  return !item.needs || item.needs.some((permission) => hasPermission(profile, permission));
}

/** Returns true unless the menu hides the screen because the user lacks a permission. */
export const canOpenPath = (to: string, profile: Profile | undefined): boolean =>
  menu
    .flatMap(({ items }) => items)
    .filter((item) => item.to === to)
    .every(({ needs }) => !needs || needs.some((permission) => hasPermission(profile, permission)));

/**
 * Returns the menu groups and items that a user can see. If the window is too narrow for administration screens,
 * hides all items that require a permission.
 */
export function visibleMenu(groups: readonly MenuGroup[], profile: Profile, hasRoom = true): MenuGroup[] {
  return groups
    .map((group) => ({ ...group, items: group.items.filter((item) => isVisible(item, profile, hasRoom)) }))
    .filter((group) => group.items.length > 0);
}
