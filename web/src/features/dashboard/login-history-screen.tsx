import { Box, Button, chakra, Flex, Table, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  deleteDevice,
  disownLogin,
  getLoginHistory,
  LIMITS,
  type LoginRecord,
  manageDevice,
  type ReplyOf,
} from '@orchestrate/shared';
import { History, Lock, ShieldAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import {
  SignInDeviceIcon,
  SignInEntry,
  SignInStatus,
  signInDeviceLabel,
} from '#features/sign-ins/shared/login-entry.tsx';
import { signInModeLabel } from '#features/sign-ins/shared/login-mode-label.ts';
import { usePages } from '#lib/api/use-pages.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { useIsDesktop } from '#lib/browser/use-media.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toastRefusal } from '#lib/notices/show-refusal.ts';
import { toast } from '#lib/notices/toaster.ts';
import { signOut, useCan, useSession } from '#lib/session/session.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { Modal } from '#ui/dialog/modal.tsx';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { ListEnd } from '#ui/list/list-end.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';

type Outcome = ReplyOf<typeof disownLogin>;

interface DisownButtonProps {
  record: LoginRecord;
  onAsk: (record: LoginRecord) => void;
}

/** A button for reporting one of the user's sign-ins as someone else's, or a note that it was reported. */
export function DisownButton({ record, onAsk }: DisownButtonProps) {
  if (record.isDisowned) return <StatusBadge status={t`Reported`} tone="danger" />;
  return (
    <ActionButton label={t`It wasn't me`} onClick={() => onAsk(record)}>
      <ShieldAlert />
    </ActionButton>
  );
}

interface DisownDialogsProps {
  /** The reported sign-in; undefined while the dialog is closed. */
  record: LoginRecord | undefined;
  onClose: () => void;
}

/**
 * Confirms that a sign-in was someone else's, then suggests what to do next. Rendered outside the list, which is
 * refetched in the meantime.
 */
export function DisownDialogs({ record, onClose }: DisownDialogsProps) {
  const [outcome, setOutcome] = useState<Outcome>();
  // Set only after the first dialog has closed, because closing a dialog also closes dialogs opened above it.
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
    // The server has ended this session, so any other call would fail.
    if (isThisSignIn) signOut();
  };
  const pauseIt = async (zid: string, name: string, mode: 'mobile' | 'desktop' | 'webauthn') => {
    try {
      await pause.run({ body: { zid, suid, action: 'pause', mode } });
    } catch (failure) {
      return toastRefusal(failure);
    }
    finish(t`${name} was paused`);
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
              It was approved on <b>{device.name}</b>. Do you still have it, and are you the only one using it? If not,
              report it lost. It can then never sign in again.
            </Trans>{' '}
            {device.isThisSignIn && t`You're signed in with it too, so this signs you out here.`}
          </chakra.p>
        )}
      </Flex>
    </Modal>
  );
}

function endedText(ended: number): string {
  if (ended === 0) return t`No sessions were active.`;
  return plural(ended, { one: 'One sign-in has ended.', other: '# sign-ins have ended.' });
}

/** Reads the signed-in user's sign-ins, newest first, page by page. */
function useLoginHistory() {
  const { pages, ...list } = usePages(getLoginHistory, (lastItem) => ({
    query: { count: LIMITS.searchPageSize, lastItem },
  }));
  return { ...list, records: pages?.flatMap((page) => page.records) };
}

/** Lists all of the signed-in user's sign-ins. */
export default function LoginHistoryScreen() {
  const [disowned, setDisowned] = useState<LoginRecord>();
  return (
    <Page>
      <title>{t`Login History · Orchestrate`}</title>
      <PageHeader title={t`Login History`} description={t`Every sign-in with your devices, newest first.`} />
      <Section isFlush>
        <AllLogins onDisown={setDisowned} />
      </Section>
      <DisownDialogs record={disowned} onClose={() => setDisowned(undefined)} />
    </Page>
  );
}

/** Opens the dialog that reports a sign-in as someone else's. */
type OnDisown = (record: LoginRecord) => void;

function AllLogins({ onDisown }: { onDisown: OnDisown }) {
  const list = useLoginHistory();
  const { records, refusal, refetch } = list;
  const isDesktop = useIsDesktop();
  if (!records && refusal?.status === 403)
    return <EmptyState icon={Lock} title={t`You can't view this history`} description={resultText(refusal)} />;
  if (!records && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!records) return <SkeletonRows label={t`Loading login history`} />;
  if (records.length === 0)
    return <EmptyState icon={History} title={t`No sign-ins yet`} description={t`Your sign-ins appear here.`} />;
  return (
    <>
      {isDesktop ? (
        <LoginTable records={records} onDisown={onDisown} />
      ) : (
        <LoginList records={records} onDisown={onDisown} />
      )}
      <ListEnd
        list={list}
        count={records.length}
        counted={plural(records.length, { one: '# sign-in', other: '# sign-ins' })}
      />
    </>
  );
}

interface LoginListProps {
  records: LoginRecord[];
  onDisown: OnDisown;
}

function LoginList({ records, onDisown }: LoginListProps) {
  return (
    <chakra.ul listStyleType="none">
      {records.map((record) => (
        <SignInEntry key={record.id} record={record} action={<DisownButton record={record} onAsk={onDisown} />} />
      ))}
    </chakra.ul>
  );
}

const COLUMNS = [t`Device`, t`Application`, t`Time`, t`IP address`, t`Result`];

function LoginTable({ records, onDisown }: LoginListProps) {
  return (
    <TableFrame label={t`Login History`} headings={COLUMNS} room={52}>
      {records.map((record) => (
        <Table.Row key={record.id}>
          <Table.Cell>
            <Flex align="center" gap="3">
              <SignInDeviceIcon type={record.deviceType} />
              <Box minW="0">
                <Text fontWeight="medium">{signInDeviceLabel(record)}</Text>
                <Text textStyle="sm" color="fg.muted">
                  {signInModeLabel(record.mode)}
                </Text>
              </Box>
            </Flex>
          </Table.Cell>
          <Table.Cell>{record.appName}</Table.Cell>
          <Table.Cell color="fg.muted" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
            {formatDateTime(record.timestamp)}
          </Table.Cell>
          <Table.Cell color="fg.muted" fontVariantNumeric="tabular-nums">
            {record.ip}
          </Table.Cell>
          <Table.Cell>
            <SignInStatus status={record.loginStatus} />
          </Table.Cell>
          <Table.Cell textAlign="end">
            <DisownButton record={record} onAsk={onDisown} />
          </Table.Cell>
        </Table.Row>
      ))}
    </TableFrame>
  );
}
