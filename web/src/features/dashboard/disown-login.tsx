import { Button, chakra, Flex } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { deleteDevice, disownLogin, type LoginRecord, manageDevice, type ReplyOf } from '@orchestrate/shared';
import { UserRoundX } from 'lucide-react';
import { useRef, useState } from 'react';
import { useWrite } from '../../lib/api/use-write.ts';
import { formatDateTime } from '../../lib/format/dates.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { toastRefusal } from '../../lib/notices/toast-refusal.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { signOut, useCan, useSession } from '../../lib/session/session.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Modal } from '../../ui/modal.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

type Outcome = ReplyOf<typeof disownLogin>;

interface DisownButtonProps {
  record: LoginRecord;
  onAsk: (record: LoginRecord) => void;
}

/**
 * Beside a sign-in of one's own: a button to report that it was somebody else's, or a note that this has been reported.
 */
export function DisownButton({ record, onAsk }: DisownButtonProps) {
  if (record.isDisowned) return <StatusBadge status={t`Not you`} tone="danger" />;
  return (
    <ActionButton label={t`It wasn't me`} onClick={() => onAsk(record)}>
      <UserRoundX />
    </ActionButton>
  );
}

interface DisownDialogsProps {
  /** The sign-in in question; absent where there is none. */
  record: LoginRecord | undefined;
  onClose: () => void;
}

/**
 * Asks whether a sign-in was somebody else's, and leads to what to do then. Kept outside the list, which is read again
 * meanwhile.
 */
export function DisownDialogs({ record, onClose }: DisownDialogsProps) {
  const [outcome, setOutcome] = useState<Outcome>();
  // Shown only after the first dialog has gone: a closing dialog also closes whatever opened above it.
  const answered = useRef<Outcome>(undefined);
  const { run, isPending, refusal, reset } = useWrite(disownLogin, {
    invalidates: ['Member Login History', 'Sign-ins', 'Remembered Browsers'],
  });
  const close = () => {
    reset();
    onClose();
  };
  const confirm = async () => {
    const answer = record && (await run({ body: { id: record.id } }).catch(() => undefined));
    if (!answer) return;
    answered.current = answer;
    onClose();
  };
  return (
    <>
      <ConfirmDialog
        isOpen={record !== undefined}
        onClose={close}
        onConfirm={() => void confirm()}
        onExitComplete={() => {
          setOutcome(answered.current);
          answered.current = undefined;
        }}
        title={t`It wasn't me`}
        isDestructive
        isPending={isPending}
        error={refusal && resultText(refusal)}
        consequences={[
          t`This ends every sign-in made with the same device since then. You stay signed in here.`,
          t`Your administrators are notified.`,
        ]}
      >
        {record && <chakra.p>{t`${record.appName}, ${formatDateTime(record.timestamp)}, from ${record.ip}`}</chakra.p>}
      </ConfirmDialog>
      {outcome && <NextStep outcome={outcome} onClose={() => setOutcome(undefined)} />}
    </>
  );
}

function NextStep({ outcome: { ended, device }, onClose }: { outcome: Outcome; onClose: () => void }) {
  const suid = useSession()?.profile.suid ?? '';
  const canReport = useCan('REPORT_LOST_DEVICE');
  const canPause = useCan('PAUSE_DEVICE');
  const invalidates = ['Device Listing', 'Member Profile', 'Sign-ins', 'Remembered Browsers'] as const;
  const lose = useWrite(deleteDevice, { invalidates: [] });
  const pause = useWrite(manageDevice, { invalidates });
  const finish = (done: string) => {
    toast.success(done);
    onClose();
  };
  const reportLost = async (zid: string, name: string, isThisSignIn: boolean) => {
    try {
      await lose.run({ body: { zid, suid, action: 'LOST_DEVICE' } });
    } catch (failure) {
      return toastRefusal(failure);
    }
    finish(t`${name} was reported lost`);
    // The server has ended this very session: another call would only find that out.
    if (isThisSignIn) signOut();
  };
  const pauseIt = async (zid: string, name: string, mode: 'mobile' | 'desktop' | 'webauthn') => {
    try {
      await pause.run({ body: { zid, suid, action: 'pause', mode } });
    } catch (failure) {
      return toastRefusal(failure);
    }
    finish(t`${name} is paused`);
  };
  return (
    <Modal
      isOpen
      onClose={onClose}
      title={t`The sign-in has ended`}
      footer={
        <Flex gap="3" wrap="wrap" justify="flex-end">
          <Button variant="outline" onClick={onClose}>
            {device ? t`I still have it` : t`Done`}
          </Button>
          {device && canPause && !device.isThisSignIn && device.status === 'active' && (
            <Button
              variant="outline"
              loading={pause.isPending}
              loadingText={t`Pause it`}
              onClick={() => void pauseIt(device.zid, device.name, device.type)}
            >
              {t`Pause it`}
            </Button>
          )}
          {device && canReport && (
            <Button
              colorPalette="danger"
              loading={lose.isPending}
              loadingText={t`Report it lost`}
              onClick={() => void reportLost(device.zid, device.name, device.isThisSignIn)}
            >
              {t`Report it lost`}
            </Button>
          )}
        </Flex>
      }
    >
      <Flex direction="column" gap="3">
        <chakra.p>{t`${endedText(ended)} Your administrators were notified.`}</chakra.p>
        {device && (
          <chakra.p>
            <Trans>
              It was approved on <b>{device.name}</b>. Is it still in your hands, and does nobody else use it? If not,
              report it lost: it can never sign in again.
            </Trans>{' '}
            {device.isThisSignIn && t`You signed in with it too, so that signs you out here.`}
          </chakra.p>
        )}
      </Flex>
    </Modal>
  );
}

function endedText(ended: number): string {
  if (ended === 0) return t`It was no longer signed in anywhere.`;
  return plural(ended, { one: 'One sign-in has ended.', other: '# sign-ins have ended.' });
}
