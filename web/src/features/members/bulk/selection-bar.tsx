import { Box, Button, chakra, Flex, type SystemStyleObject, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useValueDuringExit } from '#lib/browser/held-values.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { hasPermission, useSession } from '#lib/session/session.ts';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { ExplainedButton } from '#ui/feedback/explained-button.tsx';
import { ProgressBar } from '#ui/feedback/progress-bar.tsx';
import { BULK_ACTIONS, type BulkAction, useBulkObstacle } from './bulk-actions.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import type { Selection } from './use-selection.ts';
import type { useWholeResult } from './use-whole-result.ts';

/** Returns the bulk actions that the signed-in user has permission for. */
export function useBulkActions(): BulkAction[] {
  const profile = useSession()?.profile;
  return BULK_ACTIONS.filter(({ needs }) => hasPermission(profile, needs));
}

interface SelectionBarProps {
  chosen: Selection;
  whole: ReturnType<typeof useWholeResult>;
  /** True if all displayed members are selected and there are more results. */
  isWholeOffered: boolean;
  /** Number of results. Undefined if it isn't known exactly. */
  total: number | undefined;
  /** Element around the list. Focus moves to its first control when the bar disappears. */
  container: RefObject<HTMLElement | null>;
}

/** Bar floating at the bottom of the window with the number of selected members and the bulk actions. */
export function SelectionBar({ chosen, whole, isWholeOffered, total, container }: SelectionBarProps) {
  const actions = useBulkActions();
  const obstacleOf = useBulkObstacle();
  const [pendingAction, setPendingAction] = useState<BulkAction | null>(null);
  const { shown, isOpen, forget } = useValueDuringExit(pendingAction);
  const bar = useRef<HTMLDivElement>(null);
  const { members, isWhole } = chosen;
  const isReading = whole.read !== undefined;
  // The “Select all results” button disappears once all results are selected, so move focus to the first button left
  // in the bar.
  useEffect(() => {
    if (isWhole && document.activeElement === document.body) bar.current?.querySelector('button')?.focus();
  }, [isWhole]);
  const giveFocus = () => container.current?.querySelector<HTMLElement>('input, button')?.focus();
  return (
    <>
      {/* Mount this live region before the first selection, or screen readers skip its text. */}
      <chakra.p role="status" srOnly>
        {members.length > 0 && plural(members.length, { one: '# member selected', other: '# members selected' })}
      </chakra.p>
      {members.length > 0 && (
        <Flex
          ref={bar}
          role="region"
          aria-label={t`Selected members`}
          position="sticky"
          bottom="6"
          zIndex="docked"
          alignSelf="center"
          align="center"
          gap="2"
          wrap="wrap"
          maxW="full"
          px="4"
          py="2"
          bg="bg.inverted"
          color="fg.inverted"
          borderWidth="1px"
          borderColor="transparent"
          borderRadius="l3"
          boxShadow="lg"
          css={ON_DARK}
        >
          <Text fontWeight="semibold" me="2" fontVariantNumeric="tabular-nums">
            {t`${formatNumber(members.length)} selected`}
          </Text>
          {whole.read !== undefined && <WholeProgress read={whole.read} total={total} />}
          {(isReading || isWholeOffered) && (
            <Button
              size="sm"
              variant="ghost"
              textDecoration={isReading ? undefined : 'underline'}
              onClick={isReading ? whole.stop : () => void whole.start()}
            >
              {isReading ? t`Cancel` : offerOf(total)}
            </Button>
          )}
          {!isReading &&
            actions.map((action) => {
              const reasons = members.map((member) => obstacleOf(action, member));
              return (
                <ExplainedButton
                  key={action.name}
                  size="sm"
                  variant="ghost"
                  data-danger={action.name === 'delete' ? '' : undefined}
                  obstacle={reasons.every(Boolean) ? reasons[0] : undefined}
                  onClick={() => setPendingAction(action)}
                >
                  {action.verb}
                </ExplainedButton>
              );
            })}
          <ActionButton
            label={t`Clear`}
            onClick={() => {
              chosen.clear();
              giveFocus();
            }}
          >
            <X />
          </ActionButton>
          {whole.refusal && (
            <Box w="full" color="fg" borderRadius="l2" bg="bg.panel">
              <AlertLine>{resultText(whole.refusal)}</AlertLine>
            </Box>
          )}
        </Flex>
      )}
      {shown && (
        <BulkDialog
          key={shown.name}
          action={shown}
          members={members}
          isOpen={isOpen}
          onClose={() => setPendingAction(null)}
          onEnded={chosen.clear}
          onExitComplete={() => {
            forget();
            // Wait a frame, because the dialog first tries to restore focus to the bar, which is gone.
            requestAnimationFrame(() => document.activeElement === document.body && giveFocus());
          }}
        />
      )}
    </>
  );
}

/** Buttons on the bar, whose colours are those of the other colour mode. */
const ON_DARK: SystemStyleObject = {
  '& button': {
    color: 'inherit',
    bg: 'color-mix(in oklab, currentcolor 12%, transparent)',
    _hover: { bg: 'color-mix(in oklab, currentcolor 22%, transparent)' },
    _focusVisible: { outlineColor: 'currentcolor' },
  },
  '& button[data-danger]': { color: { base: '#FF9C96', _dark: '#B91C1C' } },
};

/**
 * Returns the label for selecting all results. Without a total, the number is known only after all results have been
 * fetched, so the label omits the number.
 */
const offerOf = (total: number | undefined) =>
  total === undefined ? t`Select all results` : t`Select all ${formatNumber(total)} results`;

function WholeProgress({ read, total }: { read: number; total: number | undefined }) {
  const soFar = formatNumber(read);
  return (
    <Flex direction="column" gap="1.5" flex="1 1 12rem" maxW="xs">
      <Text textStyle="sm" fontVariantNumeric="tabular-nums">
        {total === undefined
          ? t`Selecting all results (${soFar} so far)`
          : t`Selecting ${soFar} of ${formatNumber(total)}`}
      </Text>
      <ProgressBar
        label={t`Selecting all results`}
        value={total === undefined ? undefined : Math.min(read, total)}
        max={total ?? 0}
      />
    </Flex>
  );
}
