import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { LucideIcon } from 'lucide-react';
import { NavLink } from 'react-router-dom';
import { useModal } from '../lib/address/use-modal.ts';
import { Hint } from '../ui/hint.tsx';
import type { MenuGroup, MenuItem } from './menu.ts';

const row = {
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: '3',
  w: 'full',
  h: '9.5',
  px: '3',
  borderRadius: 'l2',
  color: 'fg.muted',
  fontWeight: 'medium',
  whiteSpace: 'nowrap',
  overflow: 'visible',
  cursor: 'pointer',
  outline: '0',
  transition: 'background-color 120ms, color 120ms',
  focusVisibleRing: 'outside',
  _hover: { bg: 'bg.muted', color: 'fg' },
  _currentPage: {
    bg: 'brand.subtle',
    color: 'fg',
    fontWeight: 'semibold',
    _before: {
      content: '""',
      position: 'absolute',
      insetInlineStart: '-3',
      w: '1',
      h: '5',
      borderEndRadius: 'full',
      bg: 'brand.line',
    },
  },
} as const;

const Row = chakra('button', { base: row });
const LinkRow = chakra(NavLink, { base: row });

interface MenuRowProps {
  label: string;
  icon: LucideIcon;
  isCollapsed: boolean;
  to?: string | undefined;
  onClick?: () => void;
}

/** One line of the side menu; only its icon, with a hint, where the menu is collapsed. */
export function MenuRow({ label, icon: Icon, isCollapsed, to, onClick }: MenuRowProps) {
  const contentOf = (isCurrent: boolean) => (
    <>
      <Box ref={isCurrent ? bringIntoSight : undefined} flexShrink="0" scrollMarginY="10">
        <Icon size={18} strokeWidth={1.75} aria-hidden />
      </Box>
      {!isCollapsed && label}
    </>
  );
  const name = isCollapsed ? { 'aria-label': label } : {};
  return (
    <Hint text={isCollapsed ? label : undefined} placement="right">
      {to ? (
        <LinkRow to={to} onClick={onClick} {...name}>
          {({ isActive }) => contentOf(isActive)}
        </LinkRow>
      ) : (
        <Row type="button" onClick={onClick} {...name}>
          {contentOf(false)}
        </Row>
      )}
    </Hint>
  );
}

/** The menu may be longer than the window; this keeps the current page's item in view. */
function bringIntoSight(icon: HTMLElement | null): void {
  icon?.scrollIntoView({ block: 'nearest' });
}

interface MenuListProps {
  groups: MenuGroup[];
  isCollapsed?: boolean;
  /** Called after an item was chosen, e.g. to close the drawer. */
  onChoose?: () => void;
}

export function MenuList({ groups, isCollapsed = false, onChoose }: MenuListProps) {
  const { open } = useModal();
  const choose = (item: MenuItem) => {
    onChoose?.();
    if (item.opens) open(item.opens);
  };
  return (
    <Flex as="nav" aria-label={t`Main menu`} direction="column" gap="5" px="3">
      {groups.map((group, at) => (
        <Box key={group.heading ?? 'main'}>
          {group.heading && !isCollapsed && (
            <Text px="3" pb="1.5" textStyle="xs" fontWeight="medium" color="fg.subtle" letterSpacing="wide">
              <chakra.span textTransform="uppercase">{group.heading}</chakra.span>
            </Text>
          )}
          {isCollapsed && at > 0 && <Box h="1px" mb="3" mx="2" bg="border" />}
          <Flex as="ul" direction="column" gap="0.5" listStyleType="none">
            {group.items.map((item) => (
              <li key={item.label}>
                <MenuRow
                  label={item.label}
                  icon={item.icon}
                  to={item.to}
                  isCollapsed={isCollapsed}
                  onClick={() => choose(item)}
                />
              </li>
            ))}
          </Flex>
        </Box>
      ))}
    </Flex>
  );
}
