import { Box, chakra, Flex, Table } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { fullNameOf } from '@orchestrate/shared';
import type { ReactNode, RefObject } from 'react';
import { Link } from 'react-router-dom';
import { ROW_KEY } from '#lib/browser/use-virtual-rows.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { InitialsAvatar } from '#ui/text/initials-avatar.tsx';
import { MatchedText } from '#ui/text/matched-text.tsx';
import { isGreyedOut, statusBadge } from '../shared/member-status.ts';
import { MemberEmail, type MemberItemProps, MemberName, peekOnClick, searchInAttribute } from './member-card.tsx';

const NameLink = chakra(Link, {
  base: { fontWeight: 'medium', whiteSpace: 'nowrap', borderRadius: 'xs', outline: '0', focusVisibleRing: 'outside' },
});

/** Columns that make room for the preview: the last ones before the actions. */
const NARROWER = {
  '@container (36rem <= width < 56rem)': { '& :is(th, td):nth-of-type(6)': { display: 'none' } },
  '@container (36rem <= width < 50rem)': { '& :is(th, td):nth-of-type(5)': { display: 'none' } },
  '@container (36rem <= width < 43rem)': { '& :is(th, td):nth-of-type(4)': { display: 'none' } },
};

interface MemberTableProps {
  /** The organisation's label for its primary attribute. */
  attribute: string;
  /** True while more members are loading. */
  isBusy: boolean;
  rows: RefObject<HTMLElement | null>;
  /** Space for rows that aren't rendered, in px. */
  space: { before: number; after: number };
  /** Number of members, for screen readers. */
  total: number | undefined;
  children: ReactNode;
}

/** Compact table for comparing more members than fit on cards. */
export function MemberTable({ attribute, isBusy, rows, space, total, children }: MemberTableProps) {
  return (
    <Box
      aria-busy={isBusy || undefined}
      borderWidth="1px"
      borderRadius="l3"
      bg="bg.panel"
      overflow="hidden"
      css={{ '& :is(th, td)': { px: '3' }, '& :is(th, td):first-of-type': { ps: '4' }, ...NARROWER }}
    >
      <TableFrame
        label={t`Members`}
        headings={[t`Name`, t`Status`, t`Role`, attribute, t`Devices`, t`Last seen`]}
        rows={rows}
        // The header is a row, too.
        rowCount={total === undefined ? -1 : total + 1}
        space={space}
      >
        {children}
      </TableFrame>
    </Box>
  );
}

/** Table row for a member. The row is greyed out if the member can't sign in. */
export function MemberRow(props: MemberItemProps) {
  const { member, to, cameFrom, menu, choice, query, onPeek, isPeeked = false, position, ref } = props;
  const isOff = isGreyedOut(member.accountStatus);
  const quiet = isOff ? 'fg.subtle' : 'fg.muted';
  const name = fullNameOf(member);
  return (
    <Table.Row
      ref={ref}
      {...{ [ROW_KEY]: member.suid }}
      // The header is row 1.
      aria-rowindex={position && position.at + 1}
      onClick={onPeek && peekOnClick(props)}
      cursor={onPeek && 'pointer'}
      bg={isPeeked ? 'bg.muted' : undefined}
      scrollMarginTop="calc({sizes.header} + {spacing.6})"
      scrollMarginBottom="24"
      css={{ '&:has(input:checked)': { bg: 'brand.subtle' } }}
    >
      <Table.Cell py="1.5">
        <Flex align="center" gap="3">
          {choice}
          <InitialsAvatar name={name} isGrey={isOff} />
          <Box minW="0">
            <NameLink to={to} state={{ listSearch: cameFrom }} color={isOff ? 'fg.subtle' : 'fg'}>
              <MemberName member={member} query={query} />
            </NameLink>
            <MemberEmail member={member} query={query} />
          </Box>
        </Flex>
      </Table.Cell>
      <Table.Cell py="1.5">
        <StatusBadge {...statusBadge(member.accountStatus)} />
      </Table.Cell>
      <Table.Cell py="1.5" color={quiet} whiteSpace="nowrap">
        {member.roleName}
      </Table.Cell>
      <Table.Cell py="1.5" color={quiet} textStyle="code" whiteSpace="nowrap">
        <MatchedText text={member.primaryAttr} search={searchInAttribute(query)} />
      </Table.Cell>
      <Table.Cell py="1.5" color={quiet} fontVariantNumeric="tabular-nums">
        {member.deviceCount}
      </Table.Cell>
      <Table.Cell py="1.5" color={quiet} whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
        {member.lastSeen ? formatDateTime(member.lastSeen) : t`Never`}
      </Table.Cell>
      <Table.Cell py="1.5" textAlign="end">
        {menu}
      </Table.Cell>
    </Table.Row>
  );
}
