import { t } from '@lingui/core/macro';
import { decodeMemberSegment } from '../lib/address/member-segment.ts';
import { paths } from '../paths.ts';
import { menu } from './menu.ts';

export interface Crumb {
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
