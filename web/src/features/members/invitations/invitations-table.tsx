import { Button, chakra, Flex, Table, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type OpenInvitation, resendInvitation, withdrawInvitation } from '@orchestrate/shared';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { memberAddressFrom } from '#lib/address/member-address.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useCan } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { StatusBadge, type StatusBadgeProps } from '#ui/feedback/status-badge.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { deviceTypeLabel } from '#ui/text/device-icon.tsx';
import { RelativeTime } from '#ui/text/relative-time.tsx';

interface InvitationDialogProps {
  invitation: OpenInvitation;
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** Confirms replacing an invitation's link and code with new ones. */
function ResendDialog({ invitation, onClose, ...dialog }: InvitationDialogProps) {
  const { suid, type, name, email, state } = invitation;
  const action = useAction(resendInvitation, { suid, type }, () => {
    toast.success(t`Invitation resent to ${name}`);
    onClose();
  });
  return (
    <ConfirmDialog
      {...dialog}
      onClose={onClose}
      {...action}
      title={t`Invite ${name} again?`}
      verb={t`Resend`}
      consequences={[
        state === 'moved'
          ? t`We'll send a new link to their current email address.`
          : t`We'll send a new link to ${email}.`,
        ...(state === 'expired' ? [] : [t`Earlier links and the current code stop working immediately.`]),
      ]}
    />
  );
}

/** Confirms withdrawing an invitation. */
function WithdrawDialog({ invitation, onClose, ...dialog }: InvitationDialogProps) {
  const { suid, type, name } = invitation;
  const action = useAction(withdrawInvitation, { suid, type }, () => {
    toast.success(t`Invitation for ${name} withdrawn`);
    onClose();
  });
  return (
    <ConfirmDialog
      {...dialog}
      onClose={onClose}
      {...action}
      title={t`Withdraw the invitation for ${name}?`}
      verb={t`Withdraw`}
      isDestructive
      consequences={[
        t`The link and the code stop working immediately. We won't notify this person.`,
        t`${name} stays a member. You can invite them again or delete them.`,
      ]}
    />
  );
}

/** Runs a dialog's action, then closes the dialog or shows the refusal in it. */
function useAction(
  entry: typeof resendInvitation | typeof withdrawInvitation,
  body: Pick<OpenInvitation, 'suid' | 'type'>,
  onDone: () => void,
) {
  const { run, isPending, refusal } = useWrite(entry, { invalidates: ['Member Profile'] });
  const onConfirm = () =>
    void run({ body }).then(onDone, (failure: unknown) => {
      if (!(failure instanceof ApiRefusal)) throw failure;
    });
  return { onConfirm, isPending, error: refusal && resultText(refusal) };
}

const NameLink = chakra(Link, {
  base: { fontWeight: 'medium', borderRadius: 'xs', outline: '0', focusVisibleRing: 'outside' },
});

const STATES: Readonly<Record<OpenInvitation['state'], StatusBadgeProps>> = {
  waiting: { status: t`Pending`, tone: 'info' },
  early: { status: t`Not valid yet`, tone: 'neutral' },
  opened: { status: t`Opened`, tone: 'success' },
  expired: { status: t`Expired`, tone: 'danger' },
  moved: { status: t`Email changed`, tone: 'warning' },
};

/** Open dialog with its invitation. */
interface OpenDialog {
  what: 'resend' | 'withdraw';
  invitation: OpenInvitation;
}

/** Lists open invitations with their actions. */
export function InvitationsTable({ invitations }: { invitations: readonly OpenInvitation[] }) {
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const [isOpen, setIsOpen] = useState(false);
  const dialog = { isOpen, onClose: () => setIsOpen(false), onExitComplete: () => setOpenDialog(undefined) };
  return (
    <>
      <TableFrame label={t`Open invitations`} headings={[t`Person`, t`Status`, t`Invited`, t`Valid until`]} room={54}>
        {invitations.map((invitation) => (
          <Row
            key={`${invitation.suid} ${invitation.type}`}
            invitation={invitation}
            onAsk={(what) => {
              setOpenDialog({ what, invitation });
              setIsOpen(true);
            }}
          />
        ))}
      </TableFrame>
      {openDialog?.what === 'resend' && <ResendDialog invitation={openDialog.invitation} {...dialog} />}
      {openDialog?.what === 'withdraw' && <WithdrawDialog invitation={openDialog.invitation} {...dialog} />}
    </>
  );
}

function Row({ invitation, onAsk }: { invitation: OpenInvitation; onAsk: (what: OpenDialog['what']) => void }) {
  const mayOpen = useCan('SEARCH_USER');
  const { name, email, type, state, invitedAt, invitedBy, expiresAt, canWithdraw } = invitation;
  return (
    <Table.Row>
      <Table.Cell maxW="64">
        <Text fontWeight="medium" truncate title={name}>
          {mayOpen ? <NameLink to={pathOf(invitation)}>{name}</NameLink> : name}
        </Text>
        <Text textStyle="sm" color="fg.muted" truncate title={email}>
          {email}
        </Text>
      </Table.Cell>
      <Table.Cell>
        <StatusBadge {...STATES[state]} />
        <Text textStyle="sm" color="fg.muted" whiteSpace="nowrap">
          {detailOf(invitation) || t`By email · ${deviceTypeLabel[type]}`}
        </Text>
      </Table.Cell>
      <Table.Cell whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
        <RelativeTime at={invitedAt} />
        {invitedBy && (
          <Text textStyle="sm" color="fg.muted" maxW="44" truncate title={invitedBy.name}>
            {t`by ${invitedBy.name}`}
          </Text>
        )}
      </Table.Cell>
      <Table.Cell whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
        <RelativeTime at={expiresAt} />
      </Table.Cell>
      <Table.Cell>
        <Flex gap="2" justify="flex-end" wrap="wrap">
          <Button
            size="sm"
            variant="outline"
            aria-label={t`Resend invitation to ${name}`}
            onClick={() => onAsk('resend')}
          >
            {t`Resend`}
          </Button>
          {canWithdraw && (
            <Button
              size="sm"
              variant="outline"
              aria-label={t`Withdraw invitation for ${name}`}
              onClick={() => onAsk('withdraw')}
            >
              {t`Withdraw`}
            </Button>
          )}
        </Flex>
      </Table.Cell>
    </Table.Row>
  );
}

function detailOf({ state, openedAt, validFrom }: OpenInvitation): string {
  // The badge already says that it was opened.
  if (openedAt) return state === 'opened' ? formatDateTime(openedAt) : t`Opened ${formatDateTime(openedAt)}`;
  return state === 'early' ? t`From ${formatDateTime(validFrom)}` : '';
}

const pathOf = ({ name: fullName, ...person }: OpenInvitation) =>
  memberAddressFrom(paths.member, { ...person, fullName });
