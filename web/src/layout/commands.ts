import { t } from '@lingui/core/macro';
import type { Profile } from '@orchestrate/shared';
import { LogOut, type LucideIcon, Mail, MailOpen, Plus, SunMoon, UserPlus } from 'lucide-react';
import type { ModalName } from '#lib/address/use-modal.ts';
import { hasPermission } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import type { MenuGroup } from './menu.ts';

export interface Command {
  /** Unique ID, if several commands can have the same label. */
  id?: string;
  label: string;
  /** Second line that tells apart commands with the same label. */
  detail?: string;
  icon: LucideIcon;
  /** Displayed command type: screen, action or member. */
  kind: string;
  run: () => void;
}

interface Means {
  /** True if the window is wide enough for the administration screens. */
  hasRoom: boolean;
  navigate: (to: string) => void;
  openModal: (modal: ModalName) => void;
  toggleColourMode: () => void;
}

/** Returns a user's commands for the palette: menu items and shell actions. */
export function commandsFor(profile: Profile, groups: readonly MenuGroup[], means: Means): Command[] {
  const fromMenu = groups
    .flatMap((group) => group.items)
    .map(
      ({ label, icon, to, opens }): Command => ({
        label,
        icon,
        kind: to ? t`Screen` : t`Action`,
        run: () => (to ? means.navigate(to) : opens && means.openModal(opens)),
      }),
    );
  const canAddDevice = profile.hasPermissionForMobileApp || profile.hasPermissionForWindowsApp;
  const actions: Command[] = [
    { label: t`Switch light and dark mode`, icon: SunMoon, kind: t`Action`, run: means.toggleColourMode },
    { label: t`Logout`, icon: LogOut, kind: t`Action`, run: () => means.openModal('logout') },
  ];
  if (canAddDevice) {
    actions.unshift({ label: t`Add device`, icon: Plus, kind: t`Action`, run: () => means.openModal('add-device') });
  }
  if (means.hasRoom && hasPermission(profile, 'BULK_INVITE')) {
    actions.unshift(
      { label: t`Invite users`, icon: Mail, kind: t`Action`, run: () => means.openModal('invite') },
      { label: t`Add user`, icon: UserPlus, kind: t`Action`, run: () => means.openModal('add-user') },
    );
    // Without SEARCH_USER, the menu contains Invitations, so the command is already listed.
    if (hasPermission(profile, 'SEARCH_USER')) {
      fromMenu.push({
        label: t`Invitations`,
        icon: MailOpen,
        kind: t`Screen`,
        run: () => means.navigate(paths.invitations),
      });
    }
  }
  return [...fromMenu, ...actions];
}

/** Returns the commands in which every query word is the start of a word, in any order. */
export function filterCommands(commands: readonly Command[], query: string): Command[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label }) => {
    const words = label.toLowerCase().split(/\s+/);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  });
}
