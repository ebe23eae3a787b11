import { Box, Button, chakra, Flex, Text, VisuallyHidden } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Menu, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import { SearchField } from '#ui/form/search-field.tsx';
import type { AsyncApi } from './documents.ts';
import { MethodMark } from './method-mark.tsx';
import { type Area, matchesSearch, type Operation, referencePaths } from './operations.ts';

interface ReferenceMenuProps {
  areas: readonly Area[];
  live: AsyncApi;
}

/** All operations, grouped by area, and all sockets, filtered by the search. */
export function ReferenceMenu({ areas, live }: ReferenceMenuProps) {
  const [typed, setTyped] = useState('');
  const { pathname } = useLocation();
  // Path where the list was opened. On a phone, the list closes when the path changes.
  const [openAt, setOpenAt] = useState<string>();
  const isOpen = openAt === pathname;
  const search = useSlash();
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link changes with the page, and renders when the list opens.
  useEffect(() => {
    const box = list.current;
    const link = box?.querySelector('[aria-current]')?.getBoundingClientRect();
    if (!box || !link) return;
    const { top, bottom, height } = box.getBoundingClientRect();
    const isInView = link.top >= top && link.bottom <= Math.min(bottom, window.innerHeight);
    // Scrolls only the list: `scrollIntoView` would also scroll the page.
    if (!isInView) box.scrollTop += link.top - top - height / 2;
  }, [pathname, isOpen]);
  const words = typed.trim();
  const found = areas
    .map((area) => ({ ...area, operations: area.operations.filter((operation) => matchesSearch(operation, words)) }))
    .filter(({ operations }) => operations.length > 0);
  const channels = Object.entries(live.channels).filter(([name, { address, summary }]) =>
    `${name} ${address} ${summary} socket`.toLowerCase().includes(words.toLowerCase()),
  );
  // Arrow keys move between the search field and the results. Enter opens the first result.
  const moveFocus = (event: React.KeyboardEvent) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('li a') ?? [])];
    const at = links.indexOf(event.target as HTMLElement);
    const isInSearch = event.target instanceof HTMLInputElement;
    if (event.key === 'Enter' && isInSearch && words !== '') links[0]?.click();
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || (at === -1 && !isInSearch)) return;
    event.preventDefault();
    if (at + step < 0) search.current?.focus();
    else links[at + step]?.focus();
  };
  const count = found.reduce((sum, { operations }) => sum + operations.length, channels.length);
  return (
    <Box
      as="nav"
      aria-label={t`Reference`}
      onKeyDown={moveFocus}
      position={{ sm: 'sticky' }}
      top="notice"
      w={{ base: 'full', sm: '20rem' }}
      h={{ sm: 'view' }}
      flexShrink="0"
      display="flex"
      flexDirection="column"
      bg="bg.panel"
      borderEndWidth={{ sm: '1px' }}
      borderBottomWidth={{ base: '1px', sm: '0' }}
    >
      <Flex gap="2" p="3" align="center">
        <SearchField
          ref={search}
          label={t`Search the reference`}
          placeholder={t`Search`}
          shortcut="/"
          maxLength={100}
          value={typed}
          onChange={(value) => {
            setTyped(value);
            setOpenAt(pathname);
          }}
        />
        <Button
          hideFrom="sm"
          variant="outline"
          aria-expanded={isOpen}
          onClick={() => setOpenAt(isOpen ? undefined : pathname)}
          aria-label={isOpen ? t`Close the list` : t`Show all endpoints`}
        >
          {isOpen ? <X aria-hidden /> : <Menu aria-hidden />}
        </Button>
      </Flex>
      <Box
        ref={list}
        display={{ base: isOpen ? 'block' : 'none', sm: 'block' }}
        overflowY="auto"
        maxH={{ base: '60dvh', sm: 'none' }}
        flex="1"
        px="3"
        pb="6"
      >
        <Text role="status" textStyle="xs" color="fg.muted" px="2" pb="2">
          {words === '' ? '' : count === 0 ? t`No matches` : t`${count} found`}
        </Text>
        {words === '' && <Entry to={referencePaths.home} label={t`Overview`} />}
        {found.map(({ name, operations }) => (
          <Group key={name} title={name} to={referencePaths.area(name)}>
            {operations.map((operation) => (
              <OperationEntry key={operation.id} operation={operation} />
            ))}
          </Group>
        ))}
        {channels.length > 0 && (
          <Group title={t`Sockets`}>
            {channels.map(([name, { address, summary }]) => (
              <Entry key={name} to={referencePaths.channel(name)} label={summary} hint={address} method="WS" />
            ))}
          </Group>
        )}
      </Box>
    </Box>
  );
}

/** Focuses the search field when the user presses `/` outside a field. */
function useSlash() {
  const search = useRef<{ focus: () => void }>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target } = event;
      const isWriting = target instanceof HTMLElement && target.matches('input, textarea, select');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting) return;
      event.preventDefault();
      search.current?.focus();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return search;
}

function Group({ title, to, children }: { title: string; to?: string; children: React.ReactNode }) {
  return (
    <Box mb="3">
      <chakra.h2 textStyle="xs" fontWeight="semibold" color="fg.muted" px="2" py="1.5">
        {to ? (
          <chakra.span css={{ '& a:hover': { textDecoration: 'underline' } }}>
            <NavLink to={to}>{title}</NavLink>
          </chakra.span>
        ) : (
          title
        )}
      </chakra.h2>
      <chakra.ul listStyleType="none">{children}</chakra.ul>
    </Box>
  );
}

const OperationEntry = ({ operation: { id, method, path, summary } }: { operation: Operation }) => (
  <Entry to={referencePaths.operation(id)} label={summary} hint={path} method={method} />
);

interface EntryProps {
  to: string;
  label: string;
  hint?: string;
  method?: string;
}

function Entry({ to, label, hint, method }: EntryProps) {
  const link = (
    <chakra.span
      display="block"
      css={{
        '& a': {
          position: 'relative',
          display: 'flex',
          gap: '2',
          px: '2',
          py: '1.5',
          borderRadius: 'l1',
          alignItems: 'baseline',
        },
        '& a:hover': { bg: 'bg.muted' },
        '& a[aria-current]': { bg: 'brand.subtle', fontWeight: 'medium' },
      }}
    >
      <NavLink to={to} end title={hint && `${hint}\n${label.replaceAll('`', '')}`}>
        {method && <MethodMark method={method} />}
        <Box as="span" minW="0" flex="1">
          <Text as="span" display="block" textStyle="sm" truncate>
            {hint ?? label}
          </Text>
          {hint && <VisuallyHidden>{label.replaceAll('`', '')}</VisuallyHidden>}
        </Box>
      </NavLink>
    </chakra.span>
  );
  return method ? <li>{link}</li> : link;
}
