import { Box, chakra, Link } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ChevronRight } from 'lucide-react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { decodeMemberSegment } from '#lib/address/member-address.ts';
import { usePathNames } from '#lib/address/path-names.ts';
import { useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { canOpenPath, menu } from './menu.ts';

interface Crumb {
  label: string;
  /** Path to link to; undefined for a group of the menu. Not used for the last crumb, which is the current page. */
  to?: string;
}

/** Labels of path segments that aren't in the menu or have a different name there. */
const labels: Record<string, string> = {
  'login-history': t`Login History`,
  invitations: t`Invitations`,
  'direct-reports': t`My Direct Reports`,
  // The crumb of login-options has no label, so the crumbs of its tabs name the screen.
  'app-level': t`Login Options: Application level`,
  'org-level': t`Login Options: Organisation level`,
};

/** The menu's group of each screen. Settings have no screen above them, so their first crumb is the menu's group. */
const groupLabels = new Map(menu.flatMap(({ heading, items }) => items.map(({ to }) => [to, heading] as const)));

const menuLabels = new Map(menu.flatMap(({ items }) => items.map(({ to, label }) => [to, label] as const)));

/** Path segments for a screen's steps or tabs, which have no crumb (spec 1 §2). */
const withoutCrumb: ReadonlySet<string> = new Set([
  'generate',
  'success',
  'login-options',
  'configuration',
  'access',
  'provisioning',
  'name-&-description',
  'history',
  'saml',
  'try',
]);
const memberParents: ReadonlySet<string> = new Set(['manage-users', 'direct-reports']);

/** Returns the label of an ID in the path: the member's name, or a generic word if the ID can't be decoded. */
function labelOfId(segment: string, parent: string | undefined): string {
  if (parent !== undefined && memberParents.has(parent))
    return decodeMemberSegment(segment)?.fullName.trim() || t`Member`;
  if (parent === 'saml' && segment === 'create') return t`New SAML application`;
  return t`Details`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the crumbs from the dashboard to a path. @param names names reported by screens, by path */
export function crumbsOf(pathname: string, names: ReadonlyMap<string, string> = new Map()): Crumb[] {
  const root = { label: t`Dashboard`, to: paths.dashboard };
  const segments = pathname.split('/').filter(Boolean);
  const crumbs = segments.flatMap((segment, at) => {
    if (withoutCrumb.has(decoded(segment)) || (segment === 'dashboard' && at === 0)) return [];
    if (segment === 'org-settings' && at === 0)
      return [{ label: groupLabels.get(`/${segments.slice(0, 2).join('/')}`) ?? t`Org Settings` }];
    const to = `/${segments.slice(0, at + 1).join('/')}`;
    return [
      { label: names.get(to) ?? labels[segment] ?? menuLabels.get(to) ?? labelOfId(segment, segments[at - 1]), to },
    ];
  });
  return [root, ...crumbs];
}

/**
 * Breadcrumbs from the dashboard to this page, without screens that the user can't open. Small screens show only the
 * current page.
 */
export function Breadcrumbs() {
  const profile = useSession()?.profile;
  const trail = crumbsOf(useLocation().pathname, usePathNames());
  const crumbs = trail.filter(({ to }, at) => at === trail.length - 1 || !to || canOpenPath(to, profile));
  return (
    <Box as="nav" aria-label={t`Breadcrumb`} minW="0">
      <chakra.ol display="flex" alignItems="center" gap="2" listStyleType="none" minW="0">
        {crumbs.map((crumb, at) => {
          const isLast = at === crumbs.length - 1;
          return (
            <chakra.li
              key={crumb.to ?? crumb.label}
              display={isLast ? 'flex' : { base: 'none', sm: 'flex' }}
              alignItems="center"
              gap="2"
              minW="0"
              // If space runs out, only the current page's crumb shrinks.
              flexShrink={isLast ? 1 : 0}
            >
              {isLast ? (
                <chakra.span aria-current="page" fontWeight="medium" truncate maxW="80">
                  {crumb.label}
                </chakra.span>
              ) : (
                <>
                  {crumb.to ? (
                    <Link asChild variant="plain" truncate maxW="48">
                      <RouterLink to={crumb.to}>{crumb.label}</RouterLink>
                    </Link>
                  ) : (
                    <chakra.span color="fg.muted" truncate maxW="48">
                      {crumb.label}
                    </chakra.span>
                  )}
                  <Box color="fg.subtle">
                    <ChevronRight size={14} aria-hidden />
                  </Box>
                </>
              )}
            </chakra.li>
          );
        })}
      </chakra.ol>
    </Box>
  );
}
