import { IconButton, Menu, Portal } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { fullNameOf, type Member } from '@orchestrate/shared';
import {
  EllipsisVertical,
  KeyRound,
  type LucideIcon,
  Pencil,
  ShieldAlert,
  Trash2,
  UserRoundCheck,
  UserRoundX,
} from 'lucide-react';
import { useState } from 'react';
import { MenuEntry } from '#ui/list/menu-entry.tsx';
import type { MemberDialogName } from '../dialogs/member-dialog.ts';
import { hasCodeRights } from '../member-rights.ts';
import { useMemberRights } from '../use-member-rights.ts';

interface MemberMenuProps {
  member: Member;
  onChoose: (name: MemberDialogName) => void;
}

interface MemberAction {
  name: MemberDialogName;
  label: string;
  icon: LucideIcon;
  isShown: boolean;
  /** Reason why the action isn't available. */
  obstacle?: string | undefined;
}

/** Menu of the actions that the user can perform on a member. Renders nothing if there are no such actions. */
export function MemberMenu({ member, onChoose }: MemberMenuProps) {
  const rights = useMemberRights(member);
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const isActive = member.accountStatus === 'active';
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
  const entries = all.filter(({ isShown }) => isShown);
  if (entries.length === 0) return null;
  const choose = (value: string) => {
    const chosen = entries.find(({ name }) => name === value);
    if (chosen && !chosen.obstacle) onChoose(chosen.name);
  };
  return (
    <Menu.Root
      positioning={{ placement: 'bottom-end' }}
      highlightedValue={highlighted}
      onHighlightChange={({ highlightedValue }) => setHighlighted(highlightedValue)}
      onSelect={({ value }) => choose(value)}
      lazyMount
      unmountOnExit
    >
      <Menu.Trigger asChild>
        <IconButton variant="ghost" size="sm" aria-label={t`Actions for ${fullNameOf(member)}`}>
          <EllipsisVertical />
        </IconButton>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content>
            {entries.map(({ name, label, icon: Icon, obstacle }) => (
              <MenuEntry
                key={name}
                value={name}
                obstacle={obstacle}
                isHighlighted={highlighted === name}
                isDestructive={name === 'delete'}
              >
                <Icon />
                {label}
              </MenuEntry>
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  );
}
