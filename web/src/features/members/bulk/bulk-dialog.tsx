import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { csvText, fullNameOf, type Member, tabbedText } from '@orchestrate/shared';
import { Download } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { firstAppOf, useOrgLoginOptions } from '#features/settings/shared/login-options.ts';
import { saveFile } from '#lib/api/files.ts';
import { inSentence } from '#lib/format/labels.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { useUnsavedGuard } from '#lib/leaving/use-unsaved-guard.ts';
import { useSession } from '#lib/session/session.ts';
import { Modal } from '#ui/dialog/modal.tsx';
import { CopyAction } from '#ui/feedback/copy-action.tsx';
import { ProgressBar } from '#ui/feedback/progress-bar.tsx';
import { StatusBadge, type Tone } from '#ui/feedback/status-badge.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { RoleSelect } from '../dialogs/role-select.tsx';
import { type BulkAction, useBulkObstacle } from './bulk-actions.ts';
import { type BulkResult, type BulkRun, useBulkRun } from './use-bulk-run.ts';
import { useInvitationCheck } from './use-invitation-check.ts';

interface ConfirmStop {
  /** Asks for confirmation when the user tries to close the dialog. */
  ask: () => void;
  /** Confirmation dialog, to be rendered inside the bulk dialog. */
  question: ReactNode;
}

/**
 * Asks for confirmation before the user interrupts a running bulk action by closing the dialog, going back or closing
 * the page.
 */
function useConfirmStop({ isRunning, onStop }: { isRunning: boolean; onStop: () => void }): ConfirmStop {
  const [isAsked, setIsAsked] = useState(false);
  const here = useLocation();
  const navigation = useUnsavedGuard(isRunning, ({ pathname }) => pathname === here.pathname);
  const continueButton = useRef<HTMLButtonElement>(null);
  const stay = () => {
    setIsAsked(false);
    navigation.stay();
  };
  const stop = () => {
    setIsAsked(false);
    onStop();
    if (navigation.isPending) navigation.leave();
  };
  return {
    ask: () => setIsAsked(true),
    question: (
      <Modal
        isOpen={isRunning && (isAsked || navigation.isPending)}
        onClose={stay}
        title={t`Stop the remaining changes?`}
        description={t`The action keeps running until you decide. Completed changes are kept, and the remaining members stay unchanged.`}
        role="alertdialog"
        initialFocus={() => continueButton.current}
        footer={
          <>
            <Button variant="outline" onClick={stop}>
              {t`Stop`}
            </Button>
            <Button ref={continueButton} onClick={stay}>
              {t`Keep going`}
            </Button>
          </>
        }
      />
    ),
  };
}

interface BulkDialogProps {
  action: BulkAction;
  members: readonly Member[];
  isOpen: boolean;
  onClose: () => void;
  /** Called when the dialog closes after running the action. */
  onEnded: () => void;
  onExitComplete: () => void;
}

const NO_ROLE = { roleCode: '', name: t`Select a role` };

/** Confirms a bulk action and lists the skipped members, then shows progress and the outcome for each member. */
export function BulkDialog({ action, members, isOpen, onClose, onEnded, onExitComplete }: BulkDialogProps) {
  const [people] = useState(members);
  const [roleCode, setRoleCode] = useState('');
  const orgCode = useSession()?.orgId ?? '';
  const obstacleOf = useBulkObstacle();
  const { run, start, retry, stop } = useBulkRun(action);
  const cancel = useRef<HTMLButtonElement>(null);
  const { data: organisation } = useOrgLoginOptions();
  const choice = { orgCode, roleCode, app: firstAppOf(organisation) ?? 'mobile' };
  const candidates = run.step === 'asking' ? people : [];
  const invitation = useInvitationCheck(
    action.name === 'invite' ? candidates.filter((member) => !obstacleOf(action, member, choice)) : [],
    choice.app,
  );
  const left = candidates.flatMap((member) => {
    const reason = obstacleOf(action, member, choice) ?? invitation.obstacleOf(member);
    return reason ? [{ member, reason }] : [];
  });
  const isLeft = new Set(left.map(({ member }) => member));
  const affected = candidates.filter((member) => !isLeft.has(member));
  const isReady = affected.length > 0 && !invitation.isLoading && (action.name !== 'role' || roleCode !== '');
  const leaving = useConfirmStop({ isRunning: run.step === 'running', onStop: stop });
  const close = () => {
    if (run.step === 'running') return leaving.ask();
    if (run.step === 'ended') onEnded();
    onClose();
  };
  return (
    <Modal
      isOpen={isOpen}
      onClose={close}
      onExitComplete={onExitComplete}
      title={titleOf(action, run, affected.length)}
      role={run.step === 'asking' ? 'alertdialog' : 'dialog'}
      size="md"
      closesOnEscape={run.step !== 'running'}
      initialFocus={() => cancel.current}
      footer={
        <>
          {run.step === 'asking' && (
            <>
              <Button ref={cancel} variant="outline" onClick={close}>
                {t`Cancel`}
              </Button>
              <Button
                colorPalette={action.isDestructive ? 'danger' : 'brand'}
                disabled={!isReady}
                onClick={() => void start(affected, choice)}
              >
                {action.phrase(affected.length)}
              </Button>
            </>
          )}
          {run.step === 'running' && (
            <Button variant="outline" onClick={stop}>
              {t`Stop`}
            </Button>
          )}
          {run.step === 'ended' && (
            <EndButtons action={action} results={run.results} onRetry={() => retry(choice)} onClose={close} />
          )}
        </>
      }
    >
      {run.step === 'asking' && (
        <Flex direction="column" gap="4">
          {action.name === 'role' && (
            <FormField label={t`Role`} isRequired>
              <RoleSelect present={NO_ROLE} value={roleCode} onChange={({ target }) => setRoleCode(target.value)} />
            </FormField>
          )}
          <chakra.ul display="flex" flexDirection="column" gap="1.5" ps="4" color="fg.muted" listStyleType="disc">
            {action.consequences.map((consequence) => (
              <li key={consequence}>{consequence}</li>
            ))}
          </chakra.ul>
          <People label={t`Members affected`} rows={affected.map((member) => ({ member }))} />
          {left.length > 0 && (
            <>
              <Text textStyle="sm" color="fg.muted">
                {plural(left.length, {
                  one: `# of ${formatNumber(people.length)} will be skipped:`,
                  other: `# of ${formatNumber(people.length)} will be skipped:`,
                })}
              </Text>
              <People label={t`Skipped members`} rows={left} />
            </>
          )}
        </Flex>
      )}
      {run.step === 'running' && <Progress run={run} />}
      {leaving.question}
      {run.step === 'ended' && (
        <Flex direction="column" gap="4">
          <Text role="status" fontWeight="medium">
            {summaryOf(action, run.results)}
          </Text>
          <People label={t`Results`} rows={ORDER.flatMap((state) => ofState(run.results, state))} action={action} />
        </Flex>
      )}
    </Modal>
  );
}

function titleOf(action: BulkAction, run: BulkRun, affected: number): string {
  if (run.step === 'asking') return `${action.phrase(affected)}?`;
  return run.step === 'running' ? action.phrase(run.total) : action.verb;
}

/** Outcomes in display order. Outcomes that need attention come first. */
const ORDER = ['failed', 'not tried', 'unchanged', 'done'] as const;
const ofState = (results: readonly BulkResult[], wanted: BulkResult['state']) =>
  results.filter(({ state }) => state === wanted);

const WORDS: Record<BulkResult['state'], { status: string; tone: Tone }> = {
  done: { status: t`Done`, tone: 'success' },
  unchanged: { status: t`Unchanged`, tone: 'neutral' },
  failed: { status: t`Failed`, tone: 'danger' },
  'not tried': { status: t`Not attempted`, tone: 'warning' },
};

/** Returns a summary such as `38 disabled · 2 failed`. */
const summaryOf = (action: BulkAction, results: readonly BulkResult[]) =>
  ORDER.toReversed()
    .map((state) => ({
      count: ofState(results, state).length,
      word: state === 'done' ? action.done : WORDS[state].status,
    }))
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => `${formatNumber(count)} ${inSentence(word)}`)
    .join(' · ');

interface PeopleProps {
  label: string;
  rows: readonly { member: Member; reason?: string | undefined; state?: BulkResult['state'] }[];
  action?: BulkAction;
}

/** Maximum number of rendered rows, to keep the page fast. Copied and downloaded results contain all rows. */
const LISTED_MAX = 200;

function People({ label, rows, action }: PeopleProps) {
  if (rows.length === 0) return null;
  return (
    <Box
      as="ul"
      aria-label={label}
      maxH="48"
      overflowY="auto"
      borderWidth="1px"
      borderRadius="l2"
      tabIndex={0}
      outline="0"
      focusVisibleRing="outside"
    >
      {rows.slice(0, LISTED_MAX).map(({ member, reason, state }) => (
        <Flex as="li" key={member.suid} gap="3" px="3.5" py="1.5" align="center" justify="space-between">
          <Box minW="0">
            <Text textStyle="sm" truncate>
              {fullNameOf(member)}
            </Text>
            <Text textStyle="xs" color="fg.muted" overflowWrap="anywhere">
              {reason ?? member.primaryEmail}
            </Text>
          </Box>
          {state && <StatusBadge {...WORDS[state]} {...(state === 'done' && action && { status: action.done })} />}
        </Flex>
      ))}
      {rows.length > LISTED_MAX && (
        <Text as="li" textStyle="sm" color="fg.muted" px="3.5" py="1.5">
          {t`and ${formatNumber(rows.length - LISTED_MAX)} more`}
        </Text>
      )}
    </Box>
  );
}

function Progress({ run: { tried, failed, total } }: { run: Extract<BulkRun, { step: 'running' }> }) {
  return (
    <Flex direction="column" gap="3">
      <Text fontWeight="medium" fontVariantNumeric="tabular-nums">
        {joinWithDots(
          t`${formatNumber(tried)} of ${formatNumber(total)}`,
          failed > 0 && t`${formatNumber(failed)} failed`,
        )}
      </Text>
      <ProgressBar label={t`Progress`} value={tried} max={total} />
    </Flex>
  );
}

interface EndButtonsProps {
  action: BulkAction;
  results: readonly BulkResult[];
  onRetry: () => void;
  onClose: () => void;
}

function EndButtons({ action, results, onRetry, onClose }: EndButtonsProps) {
  const open = [...ofState(results, 'failed'), ...ofState(results, 'not tried')].length;
  const rows = [
    [t`Name`, t`Email`, t`Result`, t`Reason`],
    ...results.map(({ member, state, reason = '' }) => [
      fullNameOf(member),
      member.primaryEmail,
      state === 'done' ? action.done : WORDS[state].status,
      reason,
    ]),
  ];
  const download = () => saveFile('results.csv', 'text/csv;charset=utf-8', csvText(rows));
  return (
    <>
      <CopyAction text={tabbedText(rows)} label={t`Copy results`} />
      <Button variant="outline" onClick={download}>
        <Download />
        {t`Download results`}
      </Button>
      {open > 0 && (
        <Button variant="outline" onClick={onRetry}>
          {t`Retry ${formatNumber(open)}`}
        </Button>
      )}
      <Button onClick={onClose}>{t`Done`}</Button>
    </>
  );
}
