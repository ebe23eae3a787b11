import { Menu } from '@chakra-ui/react';
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
