import { Box, chakra, Flex, Table } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { fullNameOf, type Member } from '@orchestrate/shared';
import type { ReactNode, RefCallback } from 'react';
import { Link } from 'react-router-dom';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { isGreyedOut, statusBadge } from '../shared/member-status.ts';

const NameLink = chakra(Link, {
  base: { fontWeight: 'medium', whiteSpace: 'nowrap', borderRadius: 'xs', outline: '0', focusVisibleRing: 'outside' },
});

interface MemberTableProps {
  /** The organisation's label for its primary attribute. */
  attribute: string;
  /** True while more members are loading. */
  isBusy: boolean;
  children: ReactNode;
}

/** Compact table for comparing more members than fit on cards. */
export function MemberTable({ attribute, isBusy, children }: MemberTableProps) {
  return (
    <Box
      aria-busy={isBusy || undefined}
      borderWidth="1px"
      borderRadius="l3"
      bg="bg.panel"
      overflow="hidden"
      css={{ '& :is(th, td)': { px: '3' }, '& :is(th, td):first-of-type': { ps: '5' } }}
    >
      <TableFrame label={t`Members`} headings={[t`Name`, t`Email`, t`Status`, t`Role`, attribute, t`Devices`]}>
        {children}
      </TableFrame>
    </Box>
  );
}

interface MemberRowProps {
  member: Member;
  /** URL of the member's page. */
  to: string;
  /** The list's search parameters, restored if the member is deleted. */
  cameFrom: string;
  menu: ReactNode;
  /** Checkbox that selects the member. */
  choice: ReactNode;
  ref?: RefCallback<HTMLElement> | undefined;
}

/** Table row for a member. The row is greyed out if the member can't sign in. */
export function MemberRow({ member, to, cameFrom, menu, choice, ref }: MemberRowProps) {
  const isOff = isGreyedOut(member.accountStatus);
  const quiet = isOff ? 'fg.subtle' : 'fg.muted';
  return (
    <Table.Row ref={ref} css={{ '&:has(input:checked)': { bg: 'brand.subtle' } }}>
      <Table.Cell py="2">
        <Flex align="center" gap="3">
          {choice}
          <NameLink to={to} state={{ listSearch: cameFrom }} color={isOff ? 'fg.subtle' : 'fg'}>
            {fullNameOf(member)}
          </NameLink>
        </Flex>
      </Table.Cell>
      <Table.Cell py="2" color={quiet}>
        {member.primaryEmail}
      </Table.Cell>
      <Table.Cell py="2">
        <StatusBadge {...statusBadge(member.accountStatus)} />
      </Table.Cell>
      <Table.Cell py="2" color={quiet} whiteSpace="nowrap">
        {member.roleName}
      </Table.Cell>
      <Table.Cell py="2" color={quiet} textStyle="code">
        {member.primaryAttr}
      </Table.Cell>
      <Table.Cell py="2" color={quiet} fontVariantNumeric="tabular-nums">
        {member.deviceCount}
      </Table.Cell>
      <Table.Cell py="2" textAlign="end">
        {menu}
      </Table.Cell>
    </Table.Row>
  );
}
