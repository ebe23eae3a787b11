import { Box, Button, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { bulkInviteLive, SECOND } from '@orchestrate/shared';
import { FileText } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { now } from '#adapters/browser.ts';
import { InvitersOnly } from '#features/members/shared/inviters-only.tsx';
import { useLive } from '#lib/api/use-live.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { formatCountdown } from '#lib/format/text.ts';
import { Modal } from '#ui/dialog/modal.tsx';
import { useConfirmClose } from '#ui/dialog/use-confirm-close.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { ProgressBar } from '#ui/feedback/progress-bar.tsx';
import { InviteForm } from './invite-form.tsx';
import { InviteError, InviteResult, InviteStopped } from './invite-result.tsx';
import { outcomeSummary } from './invitees-preview.tsx';
import { type Upload, useInvite } from './use-invite.ts';

/** Upload progress, for display. */
interface UploadPace {
  /** Fraction from 0 to 1, or undefined before the portal's first report. */
  fraction: number | undefined;
  rowsDone: number;
  /** Average rows per second since the upload started, or undefined until it can be estimated. */
  rowsPerSecond: number | undefined;
  /** Rows left, estimated from the remaining bytes. */
  rowsLeft: number | undefined;
  secondsLeft: number | undefined;
}

/** Minimum time before a rate is displayed, in milliseconds. An earlier rate would mostly reflect the startup. */
const FIRST_MS = 500;

/**
 * Calculates an upload's progress.
 * @param elapsedMs time since the start by the browser's clock, because the portal's clock may be stopped
 */
export function uploadPace(
  progress: { rowsDone: number; bytesDone: number; bytesTotal: number } | undefined,
  elapsedMs: number,
): UploadPace {
  if (!progress || progress.bytesTotal === 0 || progress.bytesDone === 0)
    return { fraction: undefined, rowsDone: 0, rowsPerSecond: undefined, rowsLeft: undefined, secondsLeft: undefined };
  const { rowsDone, bytesDone, bytesTotal } = progress;
  const bytesLeft = Math.max(0, bytesTotal - bytesDone);
  const isSteady = elapsedMs >= FIRST_MS;
  return {
    fraction: Math.min(1, bytesDone / bytesTotal),
    rowsDone,
    rowsPerSecond: isSteady ? Math.round((rowsDone / elapsedMs) * 1_000) : undefined,
    rowsLeft: Math.round((rowsDone * bytesLeft) / bytesDone),
    secondsLeft: isSteady ? Math.ceil(((elapsedMs / bytesDone) * bytesLeft) / 1_000) : undefined,
  };
}

/** Follows an upload's progress on its live channel. */
function useUploadPace({ id, startedAt }: Upload): UploadPace {
  const { message } = useLive(bulkInviteLive, { uploadId: id });
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), SECOND / 2);
    return () => clearInterval(timer);
  }, []);
  return uploadPace(message, Math.max(time - startedAt, 0));
}

interface UploadProgressProps {
  upload: Upload;
  /** True after an attempt to close the dialog, which asks whether to stop the upload. */
  isAskedToClose: boolean;
  onKeepGoing: () => void;
  onStop: () => void;
}

/** Shows an upload's progress with finished rows, rate and remaining time, and a button to stop it. */
function UploadProgress({ upload, isAskedToClose, onKeepGoing, onStop }: UploadProgressProps) {
  const [isAsking, setIsAsking] = useState(false);
  const { fraction, rowsDone, rowsPerSecond, rowsLeft, secondsLeft } = useUploadPace(upload);
  const percent = fraction === undefined ? undefined : Math.floor(fraction * 100);
  const facts = [
    [t`Rows done`, formatNumber(rowsDone)],
    [t`Rows per second`, rowsPerSecond === undefined ? '…' : formatNumber(rowsPerSecond)],
    [t`Rows left`, rowsLeft === undefined ? '…' : `≈ ${formatNumber(rowsLeft)}`],
    [t`Time left`, secondsLeft === undefined ? '…' : `≈ ${formatCountdown(secondsLeft)}`],
  ] as const;
  const keepGoing = () => {
    setIsAsking(false);
    onKeepGoing();
  };
  return (
    <Flex direction="column" gap="5">
      <Flex align="center" gap="3">
        <Box color="fg.muted" flexShrink="0">
          <FileText size={20} strokeWidth={1.75} aria-hidden />
        </Box>
        <Text flex="1" minW="0" fontWeight="medium" truncate>
          {upload.fileName}
        </Text>
        <Text textStyle="code" fontWeight="semibold">
          {percent === undefined ? t`Starting…` : `${percent} %`}
        </Text>
      </Flex>
      <ProgressBar label={t`Upload`} value={percent} max={100} />
      <Grid as="dl" templateColumns={{ base: '1fr 1fr', xs: 'repeat(4, 1fr)' }} gap="3">
        {facts.map(([name, value]) => (
          <Box key={name}>
            <chakra.dt textStyle="xs" color="fg.muted">
              {name}
            </chakra.dt>
            <chakra.dd textStyle="code" fontWeight="semibold">
              {value}
            </chakra.dd>
          </Box>
        ))}
      </Grid>
      {isAsking || isAskedToClose ? (
        <Flex direction="column" gap="4" animationStyle="appear">
          <AlertLine tone="warning">
            {t`Stop the upload? People who were already invited stay invited. Upload the same file again to invite the rest.`}
          </AlertLine>
          <Flex gap="2.5" justify="flex-end">
            <Button variant="outline" autoFocus onClick={keepGoing}>
              {t`Keep going`}
            </Button>
            <Button colorPalette="danger" onClick={onStop}>
              {t`Stop upload`}
            </Button>
          </Flex>
        </Flex>
      ) : (
        <Flex justify="flex-end">
          <Button variant="outline" onClick={() => setIsAsking(true)}>
            {t`Cancel`}
          </Button>
        </Flex>
      )}
    </Flex>
  );
}

interface InviteVerdictProps {
  invite: Pick<ReturnType<typeof useInvite>, 'draft' | 'people' | 'fileCheck'>;
}

/** Counts the invitees by outcome, or returns undefined until the outcomes are known. */
function countsOf({ draft, people, fileCheck }: InviteVerdictProps['invite']) {
  if (draft.mode === 'file') return fileCheck?.counts;
  if (people.length === 0) return undefined;
  const counts = { member: 0, new: 0, registered: 0, duplicate: 0, refused: 0 };
  for (const { outcome } of people) counts[outcome] += 1;
  return counts;
}

/** Summarises the invitation next to the submit button, where it stays visible while the preview scrolls. */
function InviteVerdict({ invite }: InviteVerdictProps) {
  const counts = countsOf(invite);
  if (!counts) return null;
  return (
    <Text flex="1 1 12rem" textStyle="sm" fontWeight="medium">
      {outcomeSummary((outcome) => (outcome === 'refused' ? 0 : counts[outcome]))}
      {counts.refused > 0 && (
        <Text as="span" display="block" color="fg.error">
          {outcomeSummary((outcome) => (outcome === 'refused' ? counts.refused : 0))}
        </Text>
      )}
      {!invite.draft.type && (
        <Text as="span" display="block" fontWeight="normal" color="fg.muted">
          {t`Choose a device type to invite these people.`}
        </Text>
      )}
    </Text>
  );
}

/** Returns the submit label, with the number of invitees if some people can't be invited. */
function submitLabel({ draft, fileCheck, people }: InviteVerdictProps['invite']): string {
  const counts = countsOf({ draft, fileCheck, people });
  const isWhole = draft.mode === 'email' || fileCheck?.isWhole === true;
  if (!counts?.refused || !isWhole) return t`Invite`;
  const added = draft.mode === 'email' && !draft.addNew ? 0 : counts.new;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return t`Invite ${formatNumber(counts.member + added)} of ${formatNumber(total)}`;
}

interface InviteDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onExitComplete?: (() => void) | undefined;
}

/** Invites members by email address or CSV file (spec 1 §§1, 4, 5, 8). */
export default function InviteDialog(dialog: InviteDialogProps) {
  return (
    <InvitersOnly {...dialog} title={t`Invite users`}>
      <Invite {...dialog} />
    </InvitersOnly>
  );
}

function Invite({ isOpen, onClose, onExitComplete }: InviteDialogProps) {
  const invite = useInvite({ isOpen });
  const [isAskedToClose, setIsAskedToClose] = useState(false);
  const { view } = invite;
  const formId = useId();
  const isForm = view.step === 'form' || view.step === 'sending';
  const isUploading = view.step === 'uploading';
  const { close, question } = useConfirmClose({ isDirty: isOpen && isFilled(invite), onClose });
  return (
    <Modal
      isOpen={isOpen}
      onClose={() => (isUploading ? setIsAskedToClose(true) : close())}
      onExitComplete={onExitComplete}
      title={t`Invite users`}
      // The table of failed users contains sentences, so it needs more space.
      size={view.step === 'result' && view.outcome.failed > 0 ? 'lg' : 'md'}
      closesOnEscape={!isUploading}
      // Reserves space to display the preview without resizing the dialog.
      hasFixedHeight={isForm}
      footer={
        isForm && (
          <>
            <InviteVerdict invite={invite} />
            <Button variant="outline" alignSelf="flex-end" onClick={close}>
              {t`Cancel`}
            </Button>
            <Button
              type="submit"
              alignSelf="flex-end"
              form={formId}
              loading={view.step === 'sending'}
              loadingText={t`Invite`}
            >
              {submitLabel(invite)}
            </Button>
          </>
        )
      }
    >
      {isForm && <InviteForm invite={invite} formId={formId} />}
      {isUploading && (
        <UploadProgress
          upload={view.upload}
          isAskedToClose={isAskedToClose}
          onKeepGoing={() => setIsAskedToClose(false)}
          onStop={() => {
            setIsAskedToClose(false);
            invite.stop();
          }}
        />
      )}
      {view.step === 'result' && (
        <InviteResult
          outcome={view.outcome}
          isPassing={view.mode === 'file'}
          onAgain={invite.startAgain}
          onClose={onClose}
        />
      )}
      {view.step === 'error' && <InviteError {...view} onRetry={invite.goBack} />}
      {view.step === 'stopped' && <InviteStopped upload={view.upload} onRetry={invite.goBack} onClose={onClose} />}
      {question}
    </Modal>
  );
}

/** True if closing would lose entered values, which are also kept after an error for another attempt. */
const isFilled = ({ view: { step }, draft: { tags, typed, file } }: ReturnType<typeof useInvite>) =>
  (step === 'form' || step === 'error') && (tags.length > 0 || typed !== '' || file !== undefined);
