import { Menu } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Hint } from '../feedback/hint.tsx';

interface MenuEntryProps {
  value: string;
  /** Why it is not possible; shown while it is highlighted. */
  obstacle: string | undefined;
  isHighlighted: boolean;
  isDestructive?: boolean;
  children: ReactNode;
}

/** An entry of a menu that may be impossible at the moment, and says why. Choosing it then must do nothing. */
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
