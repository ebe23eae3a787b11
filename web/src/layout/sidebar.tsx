import { Box, Drawer, Flex, Portal, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { LogOut, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useModal } from '../lib/address/use-modal.ts';
import { BrandMark } from '../ui/brand-mark.tsx';
import type { MenuGroup } from './menu.ts';
import { MenuList, MenuRow } from './menu-list.tsx';
import { ScrollBox } from './scroll-box.tsx';
import { useRememberedCollapse } from './use-remembered-collapse.ts';

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

/** The side menu of a desktop, 256 px wide or collapsed to its icons. */
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
      <Flex direction="column" gap="0.5" p="3" borderTopWidth="1px">
        <MenuRow label={t`Logout`} icon={LogOut} isCollapsed={isCollapsed} onClick={() => open('logout')} />
        <MenuRow
          label={isCollapsed ? t`Expand` : t`Collapse`}
          icon={isCollapsed ? PanelLeftOpen : PanelLeftClose}
          isCollapsed={isCollapsed}
          onClick={toggle}
        />
      </Flex>
    </Flex>
  );
}

interface MenuDrawerProps extends MenuProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The same menu on a small screen. */
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
