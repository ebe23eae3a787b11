import { Box, Flex, Table, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TableFrame } from '../../ui/table-frame.tsx';
import { said } from '../../words/said.ts';
import { type FailedUser, failureLabel } from './invite-outcome.ts';

/** More would be slow to draw, and nobody would read them; the file has them all. */
const ROWS_MAX = 200;

/** People who were not invited, and why. */
export function FailedUsersTable({ users }: { users: readonly FailedUser[] }) {
  return (
    <Flex direction="column" gap="2">
      <Box
        maxH="60"
        overflowY="auto"
        borderWidth="1px"
        borderRadius="l2"
        tabIndex={0}
        role="region"
        aria-label={t`Failed users`}
        outline="0"
        focusVisibleRing="outside"
      >
        <TableFrame label={t`Failed users`} headings={['#', t`User`, t`Status`, t`Reason`]} last={null} room={26}>
          {users.slice(0, ROWS_MAX).map(({ user, status, reason }, at) => (
            <Table.Row key={at} textStyle="sm">
              <Table.Cell color="fg.muted" textStyle="code">
                {at + 1}
              </Table.Cell>
              <Table.Cell minW="10rem" overflowWrap="anywhere">
                {user || t`(empty)`}
              </Table.Cell>
              <Table.Cell>
                <StatusBadge status={failureLabel[status]} tone={status === 'Rejected' ? 'warning' : 'danger'} />
              </Table.Cell>
              <Table.Cell color={reason ? undefined : 'fg.muted'}>
                {reason ? said(reason) : t`User not found`}
              </Table.Cell>
            </Table.Row>
          ))}
        </TableFrame>
      </Box>
      {users.length > ROWS_MAX && (
        <Text textStyle="xs" color="fg.muted">
          {t`The first ${ROWS_MAX} of ${users.length}; the download has all of them.`}
        </Text>
      )}
    </Flex>
  );
}
