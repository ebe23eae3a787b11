import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { type RefObject, useState } from 'react';
import { hasPermission, useSession } from '../../../lib/session/session.ts';
import { ObstructedButton } from '../../../ui/obstructed-button.tsx';
import { useKeptUntilFaded } from '../../../ui/use-kept-until-faded.ts';
import { BULK_ACTIONS, type BulkAction } from './bulk-actions.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { useBulkObstacle } from './use-bulk-obstacle.ts';
import type { Chosen } from './use-chosen.ts';

/** The actions that the signed-in person may take on several members at once. */
export function useBulkActions(): BulkAction[] {
  const profile = useSession()?.profile;
  return BULK_ACTIONS.filter(({ needs }) => hasPermission(profile, needs));
}

interface ChosenBarProps {
  chosen: Chosen;
  /** Holds the list; its first control takes the focus when the bar has gone. */
  place: RefObject<HTMLElement | null>;
}

/** How many members are chosen, and what can be done to them. Stays at the foot of the window, below the list. */
export function ChosenBar({ chosen, place }: ChosenBarProps) {
  const actions = useBulkActions();
  const obstacleOf = useBulkObstacle();
  const [asked, setAsked] = useState<BulkAction | null>(null);
  const { shown, isOpen, forget } = useKeptUntilFaded(asked);
  const { members } = chosen;
  const giveFocus = () => place.current?.querySelector<HTMLElement>('input, button')?.focus();
  return (
    <>
      {/* There before anybody is chosen: what comes together with its words is not read out. */}
      <chakra.p role="status" srOnly>
        {members.length > 0 && plural(members.length, { one: '# member chosen', other: '# members chosen' })}
      </chakra.p>
      {members.length > 0 && (
        <Flex
          role="region"
          aria-label={t`Chosen members`}
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
            {t`${members.length} chosen`}
          </Text>
          {actions.map((action) => {
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
