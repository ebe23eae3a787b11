import { Box, chakra, Flex, Menu, Portal, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ChevronRight, type LucideIcon } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { NavLink, useLocation, useNavigate } from 'react-router-dom';
import { useModal } from '#lib/address/use-modal.ts';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { Hint } from '#ui/feedback/hint.tsx';
import type { MenuGroup, MenuItem } from './menu.ts';

const row = {
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: '3',
  w: 'full',
  h: '8',
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
  '&:is([aria-current=page], [aria-current=true])': {
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
  icon?: LucideIcon;
  isCollapsed: boolean;
  to?: string | undefined;
  onClick?: () => void;
}

/** A row of the side menu. In a collapsed menu, only the icon is shown, with a tooltip. */
export function MenuRow({ label, icon: Icon, isCollapsed, to, onClick }: MenuRowProps) {
  const contentOf = (isCurrent: boolean) => (
    <>
      <Box ref={isCurrent ? scrollIntoView : undefined} flexShrink="0" scrollMarginY="10">
        {Icon && <Icon size={18} strokeWidth={1.75} aria-hidden />}
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

/** Scrolls the current screen's menu item into view, because the menu can be taller than the window. */
function scrollIntoView(icon: HTMLElement | null): void {
  icon?.scrollIntoView({ block: 'nearest' });
}

const EXPANDED_KEY = 'orchestrate.menu';

/**
 * Returns which groups are expanded, which is stored in this browser, and a function to expand or collapse a group.
 * Opening a screen doesn't expand its group, so that rows keep their positions.
 */
function useExpandedGroups() {
  const [keys, setKeys] = useState(() => (readStored(EXPANDED_KEY) ?? '').split(' ').filter(Boolean));
  const toggle = (key: string) => {
    const next = keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key];
    setKeys(next);
    writeStored(EXPANDED_KEY, next.join(' ') || null);
  };
  return { isExpanded: (key: string) => keys.includes(key), toggle };
}

const List = chakra('ul', {
  base: {
    display: 'flex',
    flexDirection: 'column',
    gap: '0.5',
    listStyleType: 'none',
    _hidden: { display: 'none' },
  },
});

/** Draws the bar of the current screen at the edge of the menu, although the rows are indented. */
const NESTED = { scrollMarginBottom: '10', '& > li > a::before': { insetInlineStart: '-7.5' } };

interface GroupProps {
  heading: string;
  icon: LucideIcon;
  items: readonly MenuItem[];
}

/** Returns the item to which the current screen belongs, if any. */
function useCurrentItem(items: readonly MenuItem[]): MenuItem | undefined {
  const { pathname } = useLocation();
  return items.find(({ to }) => to && (pathname === to || pathname.startsWith(`${to}/`)));
}

interface ExpandableGroupProps extends GroupProps {
  isExpanded: boolean;
  onToggle: () => void;
  onChoose: (item: MenuItem) => void;
}

/**
 * A group that can be expanded. While it isn't, its row is marked and names the current screen if that is in the group.
 * The row always has the height of both lines, so that other rows keep their positions.
 */
function ExpandableGroup({ heading, icon: Icon, items, isExpanded, onToggle, onChoose }: ExpandableGroupProps) {
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const current = useCurrentItem(items);
  const marked = isExpanded ? undefined : current;
  const toggle = () => {
    onToggle();
    requestAnimationFrame(() => list.current?.scrollIntoView({ block: 'nearest' }));
  };
  return (
    <>
      <Row
        type="button"
        h="10"
        aria-expanded={isExpanded}
        aria-controls={listId}
        aria-current={marked ? 'true' : undefined}
        onClick={toggle}
      >
        <Icon size={18} strokeWidth={1.75} aria-hidden />
        <Box as="span" flex="1" minW="0" textAlign="start" lineHeight="short">
          {heading}
          {marked && (
            <Text
              as="span"
              display="block"
              textStyle="xs"
              lineHeight="short"
              fontWeight="normal"
              color="fg.muted"
              truncate
            >
              {marked.label}
            </Text>
          )}
        </Box>
        <Box color="fg.subtle" transform={isExpanded ? 'rotate(90deg)' : undefined} transition="transform 120ms">
          <ChevronRight size={16} aria-hidden />
        </Box>
      </Row>
      <List ref={list} id={listId} aria-label={heading} hidden={!isExpanded} pt="0.5" ps="4.5" css={NESTED}>
        {items.map((item) => (
          <li key={item.label}>
            <MenuRow label={item.label} to={item.to} isCollapsed={false} onClick={() => onChoose(item)} />
          </li>
        ))}
      </List>
    </>
  );
}

/** A group in a collapsed menu: an icon that opens a menu with the group's screens. */
function IconGroup({ heading, icon: Icon, items }: GroupProps) {
  const isMarked = useCurrentItem(items) !== undefined;
  const navigate = useNavigate();
  const triggerId = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Menu.Root
      ids={{ trigger: triggerId }}
      open={isOpen}
      onOpenChange={({ open }) => setIsOpen(open)}
      positioning={{ placement: 'right-start' }}
      onSelect={({ value }) => void navigate(value)}
    >
      <Hint text={heading} placement="right" triggerId={triggerId} {...(isOpen && { isOpen: false })}>
        <Menu.Trigger asChild>
          <Row type="button" aria-label={heading} aria-current={isMarked ? 'true' : undefined}>
            <Icon size={18} strokeWidth={1.75} aria-hidden />
          </Row>
        </Menu.Trigger>
      </Hint>
      <Portal>
        <Menu.Positioner>
          <Menu.Content>
            {items.map(({ label, icon: ItemIcon, to = '' }) => (
              <Menu.Item key={label} value={to}>
                <ItemIcon />
                {label}
              </Menu.Item>
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  );
}

interface MenuListProps {
  groups: MenuGroup[];
  isCollapsed?: boolean;
  /** Called when the user selects an item, e.g. to close the drawer. */
  onChoose?: () => void;
}

/** The groups and rows of the side menu. */
export function MenuList({ groups, isCollapsed = false, onChoose }: MenuListProps) {
  const { isExpanded, toggle } = useExpandedGroups();
  const { open } = useModal();
  const choose = ({ opens }: MenuItem) => {
    onChoose?.();
    if (opens) open(opens);
  };
  return (
    <Flex as="nav" aria-label={t`Main menu`} direction="column" gap="4" px="3">
      {groups.map((group, at) => {
        const { heading = '', expandable, items } = group;
        if (!expandable)
          return <FixedGroup key={heading} {...group} isCollapsed={isCollapsed} hasRule={at > 0} onChoose={choose} />;
        // Consecutive expandable groups look like rows of one list.
        const mt = groups[at - 1]?.expandable ? '-3.5' : undefined;
        return (
          <Box key={heading} mt={mt}>
            {isCollapsed && !mt && <Box h="1px" mb="3" mx="2" bg="border" />}
            {isCollapsed ? (
              <IconGroup heading={heading} icon={expandable.icon} items={items} />
            ) : (
              <ExpandableGroup
                heading={heading}
                icon={expandable.icon}
                items={items}
                isExpanded={isExpanded(expandable.key)}
                onToggle={() => toggle(expandable.key)}
                onChoose={choose}
              />
            )}
          </Box>
        );
      })}
    </Flex>
  );
}

interface FixedGroupProps extends MenuGroup {
  isCollapsed: boolean;
  /** True to draw a line above the group's icons in a collapsed menu. */
  hasRule: boolean;
  onChoose: (item: MenuItem) => void;
}

function FixedGroup({ heading, items, isCollapsed, hasRule, onChoose }: FixedGroupProps) {
  const headingId = useId();
  return (
    <Box>
      {heading && !isCollapsed && (
        <Text id={headingId} px="3" pb="1" textStyle="xs" fontWeight="medium" color="fg.muted">
          {heading}
        </Text>
      )}
      {isCollapsed && hasRule && <Box h="1px" mb="3" mx="2" bg="border" />}
      <List
        aria-label={isCollapsed ? heading : undefined}
        aria-labelledby={heading && !isCollapsed ? headingId : undefined}
      >
        {items.map((item) => (
          <li key={item.label}>
            <MenuRow
              label={item.label}
              icon={item.icon}
              to={item.to}
              isCollapsed={isCollapsed}
              onClick={() => onChoose(item)}
            />
          </li>
        ))}
      </List>
    </Box>
  );
}
