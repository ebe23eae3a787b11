import { Box, Center, Drawer, Flex, Portal, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { ChevronDown, LogOut, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useModal } from '#lib/address/use-modal.ts';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { BrandMark } from '#ui/text/brand-mark.tsx';
import type { MenuGroup } from './menu.ts';
import { MenuList, MenuRow } from './menu-list.tsx';

/**
 * A scrollable box that fills the available height. An arrow at the bottom edge shows that there is more content
 * below.
 */
function ScrollBox({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [hasMore, setHasMore] = useState(false);
  const look = useCallback(() => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    // Allow a difference of one pixel, because zoomed browsers report fractions of a pixel.
    setHasMore(scrollHeight - scrollTop - clientHeight > 1);
  }, []);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (box.current) observer.observe(box.current);
    if (content.current) observer.observe(content.current);
    return () => observer.disconnect();
  }, [look]);
  return (
    <Box position="relative" flex="1" minH="0">
      <Box ref={box} h="full" overflowY="auto" onScroll={look}>
        <Box ref={content} py="2">
          {children}
        </Box>
      </Box>
      {hasMore && (
        <Center
          // Only a visual cue. Keyboard and screen reader users can reach every item without it.
          aria-hidden
          data-more
          position="absolute"
          insetInline="0"
          bottom="0"
          h="10"
          pt="3"
          pointerEvents="none"
          color="fg.muted"
          bgImage="linear-gradient(to top, {colors.bg.panel} 45%, transparent)"
          _highContrast={{ h: '5', pt: '0', bg: 'Canvas', borderTopWidth: '1px', borderColor: 'CanvasText' }}
        >
          <ChevronDown size={16} />
        </Center>
      )}
    </Box>
  );
}

const KEY = 'orchestrate.sidebar';

/** Returns the collapsed state of the sidebar, which is stored in this browser, and a function to toggle it. */
function useRememberedCollapse(): { isCollapsed: boolean; toggle: () => void } {
  const [isCollapsed, setIsCollapsed] = useState(() => readStored(KEY) === 'collapsed');
  const toggle = () => {
    writeStored(KEY, isCollapsed ? null : 'collapsed');
    setIsCollapsed(!isCollapsed);
  };
  return { isCollapsed, toggle };
}

interface MenuProps {
  groups: MenuGroup[];
  organisation: OrgSettings | undefined;
}

function OrganisationTitle({
  organisation,
  isCollapsed,
}: {
  organisation: MenuProps['organisation'];
  isCollapsed: boolean;
}) {
  return (
    <Flex align="center" gap="3" h="header" px="5" flexShrink="0" overflow="hidden">
      {organisation && <BrandMark name={organisation.name} logo={isCollapsed ? null : organisation.logo} />}
      {organisation && !isCollapsed && (
        <Box minW="0" lineHeight="short">
          <Text fontWeight="semibold" truncate>
            {organisation.name}
          </Text>
          <Text textStyle="xs" color="fg.muted">
            {t`Orchestrate`}
          </Text>
        </Box>
      )}
    </Flex>
  );
}

/** Side menu on desktops, which can be collapsed to icons. */
export function Sidebar({ groups, organisation }: MenuProps) {
  const { isCollapsed, toggle } = useRememberedCollapse();
  const { open } = useModal();
  return (
    <Flex
      as="aside"
      aria-label={t`Side menu`}
      direction="column"
      hideBelow="sm"
      position="sticky"
      top="notice"
      h="view"
      w={isCollapsed ? 'sidebarCollapsed' : 'sidebar'}
      flexShrink="0"
      bg="bg.panel"
      borderEndWidth="1px"
      transition="width 150ms"
    >
      <OrganisationTitle organisation={organisation} isCollapsed={isCollapsed} />
      <ScrollBox>
        <MenuList groups={groups} isCollapsed={isCollapsed} />
      </ScrollBox>
      <Flex direction={isCollapsed ? 'column' : 'row'} gap="0.5" p="3" borderTopWidth="1px">
        <MenuRow label={t`Logout`} icon={LogOut} isCollapsed={isCollapsed} onClick={() => open('logout')} />
        <Box>
          <MenuRow
            label={isCollapsed ? t`Expand` : t`Collapse`}
            icon={isCollapsed ? PanelLeftOpen : PanelLeftClose}
            isCollapsed
            onClick={toggle}
          />
        </Box>
      </Flex>
    </Flex>
  );
}

interface MenuDrawerProps extends MenuProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Side menu on small screens, shown in a drawer. */
export function MenuDrawer({ groups, organisation, isOpen, onClose }: MenuDrawerProps) {
  const { open } = useModal();
  const logout = () => {
    onClose();
    open('logout');
  };
  return (
    <Drawer.Root open={isOpen} onOpenChange={(next) => !next.open && onClose()} placement="start">
      <Portal>
        <Drawer.Backdrop />
        <Drawer.Positioner>
          <Drawer.Content aria-label={t`Side menu`}>
            <OrganisationTitle organisation={organisation} isCollapsed={false} />
            <Drawer.Body py="2">
              <MenuList groups={groups} onChoose={onClose} />
            </Drawer.Body>
            <Box p="3" borderTopWidth="1px">
              <MenuRow label={t`Logout`} icon={LogOut} isCollapsed={false} onClick={logout} />
            </Box>
          </Drawer.Content>
        </Drawer.Positioner>
      </Portal>
    </Drawer.Root>
  );
}
