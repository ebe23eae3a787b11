import { Box, chakra, Flex, VisuallyHidden } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { NavLink } from 'react-router-dom';
import { type EditorTab, TAB_LABELS } from './editor-tabs.ts';

const TabLink = chakra(NavLink, {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    minH: '10',
    px: '3',
    borderRadius: 'l2',
    fontWeight: 'medium',
    color: 'fg.muted',
    outline: '0',
    focusVisibleRing: 'outside',
    transitionProperty: 'background-color, color',
    transitionDuration: 'fast',
    _hover: { bg: 'bg.muted', color: 'fg' },
    _currentPage: { bg: 'bg.muted', color: 'fg', fontWeight: 'semibold' },
  },
});

interface SideTabsProps {
  /** Base path of the editor. Tab names are appended to it. */
  root: string;
  tabs: readonly EditorTab[];
  faulty: ReadonlySet<EditorTab>;
}

/** Displays the editor's tabs. Each tab has its own URL. */
export function SideTabs({ root, tabs, faulty }: SideTabsProps) {
  return (
    <Flex
      as="nav"
      aria-label={t`Application settings`}
      direction={{ base: 'row', sm: 'column' }}
      wrap={{ base: 'wrap', sm: 'nowrap' }}
      gap="1"
      w={{ sm: '52' }}
      flexShrink="0"
    >
      {tabs.map((tab) => (
        <TabLink key={tab} to={`${root}/${tab}`} replace>
          {TAB_LABELS[tab]}
          {faulty.has(tab) && (
            <>
              <Box boxSize="2" borderRadius="full" bg="danger.solid" aria-hidden />
              <VisuallyHidden>{t`has errors`}</VisuallyHidden>
            </>
          )}
        </TabLink>
      ))}
    </Flex>
  );
}
