import { Box, chakra, type SystemStyleObject, Table } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ChevronRight } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';

interface Heading {
  text: string;
  textAlign?: 'center' | 'end';
  w?: string;
}

interface TableFrameProps {
  label: string;
  headings: readonly (string | Heading)[];
  /** Heading of the last column, which contains the row's actions, or null if there is no actions column. */
  last?: string | null;
  /** True if the headings' widths apply, whatever the cells contain, so that more rows don't move the columns. */
  hasFixedColumns?: boolean;
  /** Width that the columns need to fit side by side, in rem. */
  room?: number;
  /** Maximum height, above which the rows scroll below a sticky header. On narrow screens, the page scrolls instead. */
  maxH?: string;
  /** The table's body. */
  rows?: RefObject<HTMLElement | null>;
  /** Number of rows including the header, if not all of them are rendered. -1 if it isn't known. */
  rowCount?: number | undefined;
  /** Space for rows that aren't rendered, in px (`useVirtualRows`). */
  space?: { before: number; after: number };
  children: ReactNode;
}

/** Space for rows that aren't rendered. */
function Space({ height, columns }: { height: number; columns: number }) {
  if (height === 0) return null;
  return (
    <tr aria-hidden>
      <chakra.td colSpan={columns} style={{ height }} p="0" />
    </tr>
  );
}

const asHeading = (heading: string | Heading): Heading => (typeof heading === 'string' ? { text: heading } : heading);

/** A table. If there isn't enough room for its columns, each row becomes a card with the headings above its values. */
export function TableFrame({
  label,
  headings,
  last = t`Actions`,
  hasFixedColumns = false,
  room = 36,
  maxH,
  rows,
  rowCount,
  space = { before: 0, after: 0 },
  children,
}: TableFrameProps) {
  const actions: Heading[] = last === null ? [] : [{ text: last, textAlign: 'end' }];
  const columns = [...headings.map(asHeading), ...actions];
  return (
    <Table.ScrollArea
      whiteSpace="normal"
      containerType="inline-size"
      maxH={maxH && { md: maxH }}
      overflowY={maxH && 'auto'}
      css={{
        [`@container (width < ${room}rem)`]: cards(
          columns.map(({ text }) => text),
          last !== null,
        ),
      }}
    >
      <Table.Root aria-label={label} aria-rowcount={rowCount} tableLayout={hasFixedColumns ? 'fixed' : 'auto'}>
        <Table.Header>
          <Table.Row>
            {columns.map(({ text, ...style }) => (
              <Table.ColumnHeader key={text} scope="col" whiteSpace="normal" {...style}>
                {text}
              </Table.ColumnHeader>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body ref={rows as RefObject<HTMLTableSectionElement>}>
          <Space height={space.before} columns={columns.length} />
          {children}
          <Space height={space.after} columns={columns.length} />
        </Table.Body>
      </Table.Root>
    </Table.ScrollArea>
  );
}

/** The end of a row that opens something. The row is a `group` with a relative position. */
export function OpenMark() {
  return (
    <Box
      position="absolute"
      insetEnd="4"
      top="50%"
      translate="0 -50%"
      color="fg.subtle"
      transition="color 120ms"
      _groupHover={{ color: 'fg' }}
      _groupFocusWithin={{ color: 'fg' }}
    >
      <ChevronRight size={16} aria-hidden />
    </Box>
  );
}

const cards = (headings: readonly string[], hasActions: boolean): SystemStyleObject => ({
  '& :is(table, tbody)': { display: 'block' },
  '& thead': { srOnly: true },
  '& tbody > tr': {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min({sizes.36}, 100%), 1fr))',
    gap: '3',
    px: '5',
    py: '4',
    borderBottomWidth: '1px',
    _last: { borderBottomWidth: '0' },
  },
  '& tbody > tr > td:nth-of-type(n)': {
    minW: '0',
    maxW: 'full',
    h: 'auto',
    p: '0',
    borderBottomWidth: '0',
    textAlign: 'start',
    whiteSpace: 'normal',
    overflow: 'visible',
    overflowWrap: 'anywhere',
    // The first cell identifies the row, and the last cell contains its actions.
    _first: { gridColumn: '1 / -1' },
    _last: hasActions ? { gridColumn: '1 / -1' } : {},
    '& :is(p, a)': { whiteSpace: 'normal', overflowWrap: 'anywhere' },
    '& > div': { justifyContent: 'flex-start', flexWrap: 'wrap' },
  },
  ...Object.fromEntries(
    headings.map((heading, at) => [`& tbody > tr > td:nth-of-type(${at + 1})::before`, above(heading)]),
  ),
  // A row's expanded details have no heading.
  '& tbody > tr > td[colspan]:nth-of-type(n)::before': { content: 'none' },
});

const above = (heading: string): SystemStyleObject => ({
  content: JSON.stringify(heading),
  display: 'block',
  pb: '1',
  textStyle: 'xs',
  fontFamily: 'body',
  fontWeight: 'medium',
  color: 'fg.muted',
});
