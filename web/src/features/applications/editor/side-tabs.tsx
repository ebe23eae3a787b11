import { Box, chakra, Flex, VisuallyHidden } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { IntegrationType } from '@orchestrate/shared';
import { NavLink } from 'react-router-dom';
import type { AppForm } from './app-form.ts';

/** Labels of the editor's side tabs, by path segment (spec 2 §2). */
const TAB_LABELS = {
  configuration: t`Configuration`,
  'login-options': t`Login options`,
  access: t`Access`,
  provisioning: t`Provisioning`,
  'name-&-description': t`General info`,
  history: t`Activity`,
} as const;
type EditorTab = keyof typeof TAB_LABELS;

/**
 * Returns the tabs for an application type. 'Configuration' is only for protocols, and 'Access', 'Provisioning' and
 * 'Activity' only for existing applications.
 */
export function tabsOf(type: IntegrationType, isNew: boolean): EditorTab[] {
  // All members can use the portal application.
  const access: EditorTab[] = isNew || type === 'portal' ? [] : ['access', 'provisioning'];
  const common: EditorTab[] = [
    'login-options',
    ...access,
    'name-&-description',
    ...(isNew ? [] : (['history'] as const)),
  ];
  return type === 'portal' ? common : ['configuration', ...common];
}

/** Returns true for tabs that require the permission to configure every application: provisioning and history. */
export const isForAdministrators = (tab: EditorTab): boolean => tab === 'provisioning' || tab === 'history';

/** Returns the tab named by a path's last segment, which may be percent-encoded. */
export function tabFromSegment(segment: string, tabs: readonly EditorTab[]): EditorTab | undefined {
  let plain = segment;
  try {
    plain = decodeURIComponent(segment);
  } catch {
    // If the encoding is invalid, compare the segment unchanged.
  }
  return tabs.find((tab) => tab === plain);
}

/** Returns the tab that contains a field. */
export function tabOfField(field: keyof AppForm): EditorTab {
  if (field === 'name' || field === 'description' || field === 'startUrl') return 'name-&-description';
  if (field === 'users') return 'access';
  return field === 'oidc' || field === 'saml' || field === 'radius' ? 'configuration' : 'login-options';
}

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
