import { Box, chakra, Link } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ChevronRight } from 'lucide-react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { usePlaceNames } from '../lib/address/place-names.ts';
import { crumbsOf } from './crumbs.ts';

/** The way from the dashboard to this page; on a small screen only the page itself. */
export function Breadcrumbs() {
  const crumbs = crumbsOf(useLocation().pathname, usePlaceNames());
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
