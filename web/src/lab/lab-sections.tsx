import { chakra, Flex } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import { labPaths } from './lab-paths.ts';

const SECTIONS = [
  { to: labPaths.outbox, label: 'Outbox' },
  { to: labPaths.requests, label: 'Requests' },
  { to: labPaths.people, label: 'People' },
  { to: labPaths.worlds, label: 'Worlds' },
  { to: labPaths.journal, label: 'Journal' },
  { to: labPaths.faults, label: 'Faults' },
  { to: labPaths.tokens, label: 'Tokens' },
];

/** The sections of the lab. */
export function LabSections() {
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  // On a phone the sections are wider than the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another section is another link in view.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [pathname]);
  return (
    <chakra.nav
      ref={nav}
      aria-label="Lab"
      bg="bg.panel"
      borderBottomWidth="1px"
      px={{ base: '2', sm: '4' }}
      overflowX="auto"
    >
      <Flex gap="1">
        {SECTIONS.map(({ to, label }) => (
          <chakra.div
            key={to}
            css={{
              '& a': {
                display: 'block',
                px: '3',
                py: '2.5',
                borderRadius: 'l1',
                textStyle: 'md',
                fontWeight: 'medium',
                color: 'fg.muted',
                outline: '0',
                focusVisibleRing: 'inside',
              },
              '& a:hover': { color: 'fg' },
              '& a[aria-current]': { color: 'fg', boxShadow: 'inset 0 -2px 0 {colors.brand.line}' },
            }}
          >
            <NavLink to={to} end>
              {label}
            </NavLink>
          </chakra.div>
        ))}
      </Flex>
    </chakra.nav>
  );
}
