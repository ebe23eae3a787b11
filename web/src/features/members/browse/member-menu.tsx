import { IconButton, Menu, useMenu } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { fullNameOf, type Member } from '@orchestrate/shared';
import { EllipsisVertical, KeyRound, Pencil, ShieldAlert, Trash2, UserRoundCheck, UserRoundX } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { useSession } from '#lib/session/session.ts';
import { ActionEntries, type ActionEntry } from '#ui/list/menu-entry.tsx';
import type { MemberDialogName } from '../dialogs/member-dialog.ts';
import { hasCodeRights, type MemberRights, memberRightsOf } from '../member-rights.ts';
import { useAuthority } from '../use-member-rights.ts';

interface MemberAction extends ActionEntry<MemberDialogName> {
  isShown: boolean;
}

/** Returns the actions that a user with these rights can perform on a member. */
function actionsOn({ accountStatus }: Member, rights: MemberRights): MemberAction[] {
  const isActive = accountStatus === 'active';
  const all: MemberAction[] = [
    { name: 'edit', label: t`Edit`, icon: Pencil, isShown: rights.canEdit },
    {
      name: 'codes',
      label: t`Activation codes`,
      icon: KeyRound,
      isShown: hasCodeRights(rights, 'mobile') || hasCodeRights(rights, 'desktop'),
    },
    { name: 'lost', label: t`Report device lost`, icon: ShieldAlert, isShown: rights.canReportLost },
    {
      name: 'access',
      label: isActive ? t`Disable user` : t`Enable user`,
      icon: isActive ? UserRoundX : UserRoundCheck,
      isShown: rights.canManage,
      obstacle: rights.isSelf ? t`You can't disable yourself` : undefined,
    },
    {
      name: 'delete',
      label: t`Delete user`,
      icon: Trash2,
      isShown: rights.canDelete,
      obstacle: rights.isSelf ? t`You can't delete yourself` : undefined,
    },
  ];
  return all.filter(({ isShown }) => isShown);
}

interface MemberMenu {
  /** Returns the button that opens the menu for a member, or null if the user can't do anything with the member. */
  buttonFor: (member: Member) => ReactNode;
  /** The menu, to be rendered once. */
  menu: ReactNode;
}

/** Returns the menu of a list of members. The rows share it, because a menu for each of them would slow the list down. */
export function useMemberMenu(onChoose: (name: MemberDialogName, member: Member) => void): MemberMenu {
  const profile = useSession()?.profile;
  const mayActOn = useAuthority();
  const listId = useId();
  const [opened, setOpened] = useState<Member>();
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const idOf = ({ suid }: Member) => `${listId}-${suid}`;
  const actionsFor = (member: Member) => actionsOn(member, memberRightsOf(profile, member, mayActOn(member.role)));
  const entries = opened ? actionsFor(opened) : [];
  const [chosen, setChosen] = useState<MemberDialogName>();
  const choose = (value: string) => {
    const entry = entries.find(({ name }) => name === value);
    if (entry && !entry.obstacle) setChosen(entry.name);
  };
  const shared = useMenu({
    ids: opened && { trigger: idOf(opened) },
    positioning: {
      placement: 'bottom-end',
      getAnchorElement: () => (opened ? document.getElementById(idOf(opened)) : null),
    },
    highlightedValue: highlighted,
    onHighlightChange: ({ highlightedValue }) => setHighlighted(highlightedValue),
    onSelect: ({ value }) => choose(value),
  });
  const { open: isOpen, setOpen } = shared.api;
  const open = (member: Member) => {
    setOpened(member);
    setOpen(true);
  };
  // Wait until the menu has closed, because a dialog opened before would close with it.
  const act = useEffectEvent(() => {
    if (opened && chosen) onChoose(chosen, opened);
    setChosen(undefined);
  });
  useEffect(() => {
    if (chosen && !isOpen) act();
  }, [chosen, isOpen]);

  const buttonFor = (member: Member) => {
    if (actionsFor(member).length === 0) return null;
    const isItsMenu = isOpen && opened?.suid === member.suid;
    return (
      <IconButton
        id={idOf(member)}
        variant="ghost"
        size="sm"
        aria-label={t`Actions for ${fullNameOf(member)}`}
        aria-haspopup="menu"
        aria-expanded={isItsMenu}
        onClick={() => (isItsMenu ? setOpen(false) : open(member))}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          open(member);
        }}
      >
        <EllipsisVertical />
      </IconButton>
    );
  };

  const menu = opened && (
    <Menu.RootProvider value={shared}>
      <ActionEntries label={t`Actions for ${fullNameOf(opened)}`} entries={entries} highlighted={highlighted} />
    </Menu.RootProvider>
  );
  return { buttonFor, menu };
}
