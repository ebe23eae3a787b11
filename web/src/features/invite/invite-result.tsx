import { Box, Button, Center, chakra, Flex, Heading, Table, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { bulkInviteLive, LIMITS, SECOND } from '@orchestrate/shared';
import { Check, CircleX, Download, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { saveFile } from '#lib/api/files.ts';
import { useLive } from '#lib/api/use-live.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { IconMessage } from '#ui/feedback/icon-message.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import {
  type FailedUser,
  failedUsersCsv,
  failureLabel,
  type InviteOutcome,
  usersNotFoundText,
} from './invite-outcome.ts';
import type { Upload } from './use-invite.ts';

/**
 * Removes a result after 6 s (spec 1 §4). The countdown pauses while the pointer or focus is on the result.
 * @returns the remaining whole seconds
 */
export function useResultReset(isHeld: boolean, onReset: () => void): number {
  const [left, setLeft] = useState(LIMITS.inviteResultResetMs / SECOND);
  useEffect(() => {
    if (isHeld) return;
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), SECOND);
    return () => clearInterval(timer);
  }, [isHeld]);
  useEffect(() => {
    if (left <= 0) onReset();
  }, [left, onReset]);
  return left;
}

/**
 * Shows how many rows were processed before the upload ended. The count arrives on the upload's channel, even after a
 * reconnect.
 */
export function UploadEnd({ upload }: { upload: Upload }) {
  const { message } = useLive(bulkInviteLive, { uploadId: upload.id });
  if (!message || message.rowsDone === 0) return null;
  const { rowsDone, invited } = message;
  return (
    <Text role="status" color="fg.muted" maxW="sm" textAlign="center" textWrap="balance">
      {t`${plural(rowsDone, { one: '# row was', other: '# rows were' })} read before the upload ended, and ${plural(invited, { one: '# person was', other: '# people were' })} invited. Upload the same file again. This won't affect people already invited.`}
    </Text>
  );
}

/** Maximum number of rendered rows. More rows would be slow to render, and the download contains all of them. */
const ROWS_MAX = 200;

/** Lists people who couldn't be invited, with reasons. */
function FailedUsersTable({ users }: { users: readonly FailedUser[] }) {
  return (
    <Flex direction="column" gap="2">
      <Box
        maxH="60"
        overflowY="auto"
        borderWidth="1px"
        borderRadius="l2"
        tabIndex={0}
        role="region"
        aria-label={t`Users who weren't invited`}
        outline="0"
        focusVisibleRing="outside"
      >
        <TableFrame
          label={t`Users who weren't invited`}
          headings={['#', t`User`, t`Status`, t`Reason`]}
          last={null}
          room={26}
        >
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
              <Table.Cell color={reason ? undefined : 'fg.muted'}>{reason ? reason : t`User not found`}</Table.Cell>
            </Table.Row>
          ))}
        </TableFrame>
      </Box>
      {users.length > ROWS_MAX && (
        <Text textStyle="xs" color="fg.muted">
          {t`Showing the first ${ROWS_MAX} of ${users.length}. Download the list to see all of them.`}
        </Text>
      )}
    </Flex>
  );
}

interface InviteResultProps {
  outcome: InviteOutcome;
  /** True if the result closes automatically, as it does after a file upload. */
  isPassing: boolean;
  /** Returns to the empty form. */
  onAgain: () => void;
  onClose: () => void;
}

/** Shows the counts, then the failed users, then the download button (spec 1 §§4, 8). */
export function InviteResult({ outcome, isPassing, onAgain, onClose }: InviteResultProps) {
  const { failed, failedUsers } = outcome;
  const [isKept, setIsKept] = useState(false);
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [isUsed, setIsUsed] = useState(false);
  return (
    <Flex
      direction="column"
      gap="5"
      animationStyle="appear"
      onPointerEnter={() => setIsPointedAt(true)}
      onPointerLeave={() => setIsPointedAt(false)}
      onFocus={() => setIsUsed(true)}
      onBlur={(event) => setIsUsed(event.currentTarget.contains(event.relatedTarget))}
    >
      <Verdict outcome={outcome} />
      <Counts outcome={outcome} />
      {failed > 0 && (
        <>
          <FailedUsersTable users={failedUsers} />
          {failedUsers.length < failed && (
            <Text textStyle="sm" color="fg.muted">
              {t`${formatNumber(failedUsers.length)} of them are listed. Correct the file and upload it again to see the rest.`}
            </Text>
          )}
        </>
      )}
      <Flex gap="2.5" wrap="wrap" align="center" justify="flex-end">
        {isPassing && !isKept && (
          <PassingNote isHeld={isPointedAt || isUsed} onKeep={() => setIsKept(true)} onPassed={onAgain} />
        )}
        {failed > 0 && (
          <Button
            variant="outline"
            onClick={() => saveFile('failed-users.csv', 'text/csv;charset=utf-8', failedUsersCsv(failedUsers))}
          >
            <Download />
            {t`Download list`}
          </Button>
        )}
        <Button variant="outline" onClick={onAgain}>
          {t`Invite more`}
        </Button>
        <Button onClick={onClose}>{t`Done`}</Button>
      </Flex>
    </Flex>
  );
}

function Verdict({ outcome }: { outcome: InviteOutcome }) {
  const { failed, notFound } = outcome;
  const isAll = failed === 0;
  const Icon = isAll ? Check : TriangleAlert;
  const others = failed - notFound;
  const text = [
    notFound > 0 && usersNotFoundText(notFound),
    others > 0 && plural(others, { one: "# user couldn't be invited", other: "# users couldn't be invited" }),
  ].filter(Boolean);
  return (
    <Flex align="center" gap="4">
      <Center
        boxSize="12"
        flexShrink="0"
        borderRadius="full"
        colorPalette={isAll ? 'success' : 'warning'}
        bg="colorPalette.subtle"
        color="colorPalette.fg"
      >
        <Icon size={24} aria-hidden />
      </Center>
      <Box role="status" minW="0">
        <Heading as="h3" size="md">
          {verdictOf(outcome)}
        </Heading>
        {text.map((line) => (
          <Text key={String(line)} color="fg.muted">
            {line}
          </Text>
        ))}
      </Box>
    </Flex>
  );
}

function verdictOf({ invited, unchanged, failed }: InviteOutcome): string {
  if (failed === 0 && invited === 0) return t`No one needed an invitation`;
  if (failed === 0)
    return unchanged === 0 ? t`All users were invited` : t`All users who needed an invitation were invited`;
  return invited > 0 ? t`Some users weren't invited` : t`No one was invited`;
}

function Counts({ outcome: { invited, created, unchanged, duplicates, failed } }: { outcome: InviteOutcome }) {
  const counts = [
    [t`Invited`, invited, true],
    [t`New members`, created, created > 0],
    [t`No invitation needed`, unchanged, unchanged > 0],
    [t`Duplicates`, duplicates, duplicates > 0],
    [t`Failed`, failed, true],
  ] as const;
  return (
    <chakra.dl display="flex" flexWrap="wrap" borderWidth="1px" borderRadius="l2" overflow="hidden">
      {counts
        .filter(([, , isShown]) => isShown)
        .map(([name, count]) => (
          // Overlaps the frame to avoid double outer borders.
          <Box key={name} flex="1 0 6rem" px="4" py="3" borderStartWidth="1px" borderTopWidth="1px" ms="-1px" mt="-1px">
            <chakra.dt textStyle="xs" color="fg.muted">
              {name}
            </chakra.dt>
            <chakra.dd textStyle="code" fontSize="xl" fontWeight="semibold">
              {formatNumber(count)}
            </chakra.dd>
          </Box>
        ))}
    </chakra.dl>
  );
}

interface PassingNoteProps {
  isHeld: boolean;
  onKeep: () => void;
  onPassed: () => void;
}

function PassingNote({ isHeld, onKeep, onPassed }: PassingNoteProps) {
  const left = useResultReset(isHeld, onPassed);
  return (
    <Flex align="center" gap="1" me="auto" color="fg.muted" textStyle="sm">
      <Text>{t`New form in ${left} s`}</Text>
      <Button variant="ghost" size="sm" onClick={onKeep}>
        {t`Keep result`}
      </Button>
    </Flex>
  );
}

interface InviteErrorProps {
  title: string;
  detail: string | undefined;
  requestId: string | undefined;
  upload?: Upload | undefined;
  onRetry: () => void;
}

/** Shows that the request itself failed. For an upload, its channel still reports progress. */
export function InviteError({ title, detail, requestId, upload, onRetry }: InviteErrorProps) {
  return (
    <IconMessage icon={<CircleX size={28} aria-hidden />} tone="danger" title={title} text={detail} isUrgent>
      {upload && !detail && <UploadEnd upload={upload} />}
      <Button onClick={onRetry}>{t`Retry`}</Button>
      {requestId && (
        <Flex align="center" gap="1" color="fg.subtle" textStyle="xs">
          <Trans>
            Request
            <Text textStyle="code" fontSize="xs">
              {requestId}
            </Text>
            <CopyButton text={requestId} label={t`Copy request ID`} size="xs" />
          </Trans>
        </Flex>
      )}
    </IconMessage>
  );
}

/** Shows how far a stopped upload got. */
export function InviteStopped({
  upload,
  onRetry,
  onClose,
}: {
  upload: Upload;
  onRetry: () => void;
  onClose: () => void;
}) {
  return (
    <IconMessage
      icon={<TriangleAlert size={28} aria-hidden />}
      tone="warning"
      title={t`The upload was stopped`}
      isUrgent
    >
      <UploadEnd upload={upload} />
      <Flex gap="2.5">
        <Button variant="outline" onClick={onRetry}>
          {t`Back to the form`}
        </Button>
        <Button onClick={onClose}>{t`Done`}</Button>
      </Flex>
    </IconMessage>
  );
}
