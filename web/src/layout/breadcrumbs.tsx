import { Box, chakra, Link } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ChevronRight } from 'lucide-react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { decodeMemberSegment } from '#lib/address/member-address.ts';
import { usePlaceNames } from '#lib/address/place-names.ts';
import { useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { mayOpen, menu } from './menu.ts';

interface Crumb {
  label: string;
  /** Where it leads; the last crumb is the page itself. */
  to: string;
}

/** What is not in the menu, or has another name there. */
const labels: Record<string, string> = {
  'login-history': t`Login History`,
  invitations: t`Invitations`,
  'direct-reports': t`My Direct Reports`,
  'org-settings': t`Org Settings`,
  'app-level': t`Application level`,
  'org-level': t`Organisation level`,
};

const menuLabels = new Map(menu.flatMap(({ items }) => items.map(({ to, label }) => [to, label] as const)));

/** Segments that are steps or tabs of a screen, not places of their own (spec 1 §2). */
const silent: ReadonlySet<string> = new Set([
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
const holdsMembers: ReadonlySet<string> = new Set(['manage-users', 'direct-reports']);

/** The name for an id in an address: the member's name, or a general word where it cannot be read. */
function labelOfId(segment: string, parent: string | undefined): string {
  if (parent !== undefined && holdsMembers.has(parent))
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

/** The crumbs from the dashboard to a path; `names` has what screens call their own paths. */
export function crumbsOf(pathname: string, names: ReadonlyMap<string, string> = new Map()): Crumb[] {
  const root = { label: t`Dashboard`, to: paths.dashboard };
  const segments = pathname.split('/').filter(Boolean);
  const crumbs = segments.flatMap((segment, at) => {
    if (silent.has(decoded(segment)) || (segment === 'dashboard' && at === 0)) return [];
    const to = `/${segments.slice(0, at + 1).join('/')}`;
    return [
      { label: names.get(to) ?? labels[segment] ?? menuLabels.get(to) ?? labelOfId(segment, segments[at - 1]), to },
    ];
  });
  return [root, ...crumbs];
}

/** The way from the dashboard to this page, past screens that are closed to the person; on a small screen only the page. */
export function Breadcrumbs() {
  const profile = useSession()?.profile;
  const way = crumbsOf(useLocation().pathname, usePlaceNames());
  const crumbs = way.filter(({ to }, at) => at === way.length - 1 || mayOpen(to, profile));
  return (
    <Box as="nav" aria-label={t`Breadcrumb`} minW="0">
      <chakra.ol display="flex" alignItems="center" gap="2" listStyleType="none" minW="0">
        {crumbs.map((crumb, at) => {
          const isLast = at === crumbs.length - 1;
          return (
            <chakra.li
              key={crumb.to}
              display={isLast ? 'flex' : { base: 'none', sm: 'flex' }}
              alignItems="center"
              gap="2"
              minW="0"
              // Where space is short, the page's own crumb shrinks, not the links back.
              flexShrink={isLast ? 1 : 0}
            >
              {isLast ? (
                <chakra.span aria-current="page" fontWeight="medium" truncate maxW="80">
                  {crumb.label}
                </chakra.span>
              ) : (
                <>
                  <Link asChild variant="plain" truncate maxW="48">
                    <RouterLink to={crumb.to}>{crumb.label}</RouterLink>
                  </Link>
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
