import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { formatNumber } from '#lib/format/numbers.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { hasPermission, useSession } from '#lib/session/session.ts';
import { useValueDuringExit } from '#ui/dialog/use-value-during-exit.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { ObstructedButton } from '#ui/feedback/obstructed-button.tsx';
import { ProgressBar } from '#ui/feedback/progress-bar.tsx';
import { BULK_ACTIONS, type BulkAction } from './bulk-actions.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { useBulkObstacle } from './use-bulk-obstacle.ts';
import type { Chosen } from './use-chosen.ts';
import type { useWholeResult } from './use-whole-result.ts';

/** The actions that the signed-in person may take on several members at once. */
export function useBulkActions(): BulkAction[] {
  const profile = useSession()?.profile;
  return BULK_ACTIONS.filter(({ needs }) => hasPermission(profile, needs));
}

interface ChosenBarProps {
  chosen: Chosen;
  whole: ReturnType<typeof useWholeResult>;
  /** Whether there are more in the result than are shown, all of whom are chosen. */
  isWholeOffered: boolean;
  /** How many there are in the result; undefined where that is not counted. */
  total: number | undefined;
  /** Holds the list; its first control takes the focus when the bar has gone. */
  place: RefObject<HTMLElement | null>;
}

/** How many members are chosen, and what can be done to them. Stays at the foot of the window, below the list. */
export function ChosenBar({ chosen, whole, isWholeOffered, total, place }: ChosenBarProps) {
  const actions = useBulkActions();
  const obstacleOf = useBulkObstacle();
  const [asked, setAsked] = useState<BulkAction | null>(null);
  const { shown, isOpen, forget } = useValueDuringExit(asked);
  const bar = useRef<HTMLDivElement>(null);
  const { members, isWhole } = chosen;
  const isReading = whole.read !== undefined;
  // The button that had the focus has gone.
  useEffect(() => {
    if (isWhole && document.activeElement === document.body) bar.current?.querySelector('button')?.focus();
  }, [isWhole]);
  const giveFocus = () => place.current?.querySelector<HTMLElement>('input, button')?.focus();
  return (
    <>
      {/* There before anybody is chosen: what comes together with its words is not read out. */}
      <chakra.p role="status" srOnly>
        {members.length > 0 && plural(members.length, { one: '# member selected', other: '# members selected' })}
      </chakra.p>
      {members.length > 0 && (
        <Flex
          ref={bar}
          role="region"
          aria-label={t`Selected members`}
          position="sticky"
          bottom="4"
          zIndex="docked"
          align="center"
          gap="2.5"
          wrap="wrap"
          px="5"
          py="3"
          bg="bg.panel"
          borderWidth="1px"
          borderRadius="l3"
          boxShadow="md"
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
                <ObstructedButton
                  key={action.name}
                  size="sm"
                  variant="outline"
                  color={action.name === 'delete' ? 'fg.error' : undefined}
                  obstacle={reasons.every(Boolean) ? reasons[0] : undefined}
                  onClick={() => setAsked(action)}
                >
                  {action.verb}
                </ObstructedButton>
              );
            })}
          <Button
            size="sm"
            variant="ghost"
            ms="auto"
            onClick={() => {
              chosen.clear();
              giveFocus();
            }}
          >
            {t`Clear`}
          </Button>
          {whole.refusal && (
            <Box w="full">
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
          onClose={() => setAsked(null)}
          onEnded={chosen.clear}
          onExitComplete={() => {
            forget();
            // A frame later, because the dialog gives the focus back first, here to a bar that has gone.
            requestAnimationFrame(() => document.activeElement === document.body && giveFocus());
          }}
        />
      )}
    </>
  );
}

/** Where they are not all counted, their number is known once they are read. */
const offerOf = (total: number | undefined) =>
  total === undefined ? t`Select all results` : t`Select all ${formatNumber(total)} results`;

function WholeProgress({ read, total }: { read: number; total: number | undefined }) {
  const soFar = formatNumber(read);
  return (
    <Flex direction="column" gap="1.5" flex="1 1 12rem" maxW="xs">
      <Text textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
        {total === undefined
          ? t`Selecting all results: ${soFar} so far`
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
