import { Box, chakra, Link } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ChevronRight } from 'lucide-react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { usePlaceNames } from '../lib/address/place-names.ts';
import { useSession } from '../lib/session/session.ts';
import { crumbsOf } from './crumbs.ts';
import { mayOpen } from './menu.ts';

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
