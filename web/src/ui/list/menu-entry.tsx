import { Menu, Portal } from '@chakra-ui/react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Hint } from '../feedback/hint.tsx';

interface MenuEntryProps {
  value: string;
  /** Why the item is disabled. Shown while the item is highlighted. */
  obstacle: string | undefined;
  isHighlighted: boolean;
  isDestructive?: boolean;
  children: ReactNode;
}

/** A menu item that explains why it is disabled. The menu must ignore the selection of a disabled item. */
export function MenuEntry({ value, obstacle, isHighlighted, isDestructive = false, children }: MenuEntryProps) {
  return (
    <Hint text={obstacle} placement="left" isOpen={isHighlighted}>
      <Menu.Item
        value={value}
        closeOnSelect={!obstacle}
        aria-disabled={obstacle ? true : undefined}
        opacity={obstacle ? 0.6 : undefined}
        {...(isDestructive && !obstacle && { 'data-danger': '' })}
      >
        {children}
      </Menu.Item>
    </Hint>
  );
}

export interface ActionEntry<Name extends string = string> {
  name: Name;
  label: string;
  icon: LucideIcon;
  /** Reason why the action isn't available. */
  obstacle?: string | undefined;
}

interface ActionEntriesProps {
  /** Accessible name, if no `Menu.Trigger` names the menu. */
  label?: string;
  entries: readonly ActionEntry[];
  /** Name of the highlighted entry. */
  highlighted: string | null;
}

/** The content of a menu of actions on an item. `delete` is displayed as destructive. */
export function ActionEntries({ label, entries, highlighted }: ActionEntriesProps) {
  return (
    <Portal>
      <Menu.Positioner>
        <Menu.Content aria-label={label}>
          {entries.map(({ name, label: text, icon: Icon, obstacle }) => (
            <MenuEntry
              key={name}
              value={name}
              obstacle={obstacle}
              isHighlighted={highlighted === name}
              isDestructive={name === 'delete'}
            >
              <Icon />
              {text}
            </MenuEntry>
          ))}
        </Menu.Content>
      </Menu.Positioner>
    </Portal>
  );
}
