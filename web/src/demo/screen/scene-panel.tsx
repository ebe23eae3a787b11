import { Center, chakra, Flex, Heading, Kbd, Spinner, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Check, MousePointerClick, RotateCcw } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { joinWithDots } from '#lib/format/text.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { SoftDisabledButton } from '#ui/feedback/soft-disabled-button.tsx';
import { BRAND_BORDER } from '../demo-paths.ts';
import { Face } from '../faces/face.tsx';
import type { Play } from '../play/use-play.ts';
import { CAST } from '../world/people.ts';

/**
 * Keeps the focus on a button that is pressed repeatedly. Pages in the frames take the focus when a dialog opens or a
 * step types into them. The button takes it back, unless the user moved the focus.
 * @param isBusy true while a step runs, because typing needs the focus
 */
function useButtonFocus(isBusy: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const isTabbing = useRef(false);
  const isTaken = useRef(false);
  const busy = useRef(isBusy);

  function giveBack(): void {
    isTaken.current = false;
    if (document.activeElement instanceof HTMLIFrameElement) button.current?.focus();
  }

  useEffect(() => {
    busy.current = isBusy;
    if (!isBusy && isTaken.current) giveBack();
  });

  return {
    ref: button,
    onKeyDown({ key }: KeyboardEvent) {
      isTabbing.current = key === 'Tab';
    },
    onFocus() {
      isTaken.current = false;
    },
    onBlur() {
      // Wait, because the newly focused element isn't known until after the event.
      setTimeout(() => {
        const taker = document.activeElement;
        isTaken.current = taker instanceof HTMLIFrameElement && !taker.matches(':hover') && !isTabbing.current;
        if (isTaken.current && !busy.current) giveBack();
      });
    },
  };
}

interface ScenePanelProps {
  play: Play;
  /** Email address of the main character, which must be typed in some scenes. */
  email: string;
  onShow: () => void;
  /** True to display only the current step, on small screens. */
  isShort?: boolean;
  /** True if keyboard shortcuts are on. */
  hasKeys?: boolean;
}

/** Displays the scene with its steps, which are completed by portal journal entries. */
export function ScenePanel({ play, email, onShow, isShort = false, hasKeys = false }: ScenePanelProps) {
  const titleId = useId();
  const { scene, done, isSet, isShowing, problem, begin } = play;
  const { first, last, job } = CAST[scene.who];
  // Automatic steps disable the button, to keep an early click from triggering the next step.
  const isAutomatic = scene.steps[done]?.show === undefined;
  const busy = !isSet ? t`Preparing the scene` : isShowing ? t`Showing` : isAutomatic ? t`One moment` : undefined;
  const isOver = done === scene.steps.length;
  const isDisabled = !isOver && busy !== undefined;
  const buttonFocus = useButtonFocus(isDisabled);
  return (
    <Flex
      as="section"
      aria-labelledby={titleId}
      direction="column"
      gap={isShort ? '3' : '4'}
      p={isShort ? '4' : '5'}
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="l3"
      flexShrink="0"
    >
      <Flex align="center" gap="3">
        <Face name={`${first} ${last}`} size="11" />
        <Flex direction="column" minW="0">
          <Heading as="h2" id={titleId} size="sm">
            {scene.title}
          </Heading>
          <Text textStyle="xs" color="fg.muted">
            {joinWithDots(`${first} ${last}`, job)}
          </Text>
          <Text textStyle="xs" color="fg.muted" overflowWrap="anywhere">
            {email}
          </Text>
        </Flex>
      </Flex>
      {!isShort && done === 0 && (
        <Text textStyle="sm" color="fg.muted" textWrap="pretty">
          {scene.about}
        </Text>
      )}
      <chakra.ol
        listStyleType="none"
        display={isShort && isOver ? 'none' : 'flex'}
        flexDirection="column"
        gap="2.5"
        aria-label={t`Steps`}
      >
        {scene.steps.map(({ title, text }, at) => {
          const isNow = at === done;
          if (isShort && !isNow) return null;
          return (
            <chakra.li key={title} display="flex" gap="3" aria-current={isNow ? 'step' : undefined}>
              <Mark at={at} done={done} />
              <Flex direction="column" gap="0.5" minW="0" pt="px">
                <Text textStyle="sm" fontWeight={isNow ? 'semibold' : 'medium'} color={isNow ? 'fg' : 'fg.muted'}>
                  {title}
                  {at < done && <chakra.span srOnly> {t`(done)`}</chakra.span>}
                </Text>
                {isNow && (
                  <Text textStyle="sm" color="fg.muted" textWrap="pretty">
                    {text}
                  </Text>
                )}
              </Flex>
            </chakra.li>
          );
        })}
      </chakra.ol>
      {isOver && (
        <Text textStyle="sm" color="fg.muted" textWrap="pretty">
          {t`That's the whole scene. The portal has recorded every step.`}
        </Text>
      )}
      {problem && <AlertLine>{problem}</AlertLine>}
      {/* All steps use the same button, which lets the button keep focus. */}
      <SoftDisabledButton
        {...buttonFocus}
        size="md"
        {...(isOver ? { variant: 'outline' } : { borderColor: BRAND_BORDER })}
        isDisabled={isDisabled}
        onClick={isOver ? () => begin(scene) : onShow}
      >
        {isOver ? (
          <RotateCcw aria-hidden />
        ) : busy ? (
          <Spinner size="sm" aria-hidden />
        ) : (
          <MousePointerClick aria-hidden />
        )}
        {isOver ? t`Play again` : (busy ?? t`Show me`)}
        {!isOver && !busy && hasKeys && <Kbd aria-hidden>S</Kbd>}
      </SoftDisabledButton>
    </Flex>
  );
}

function Mark({ at, done }: { at: number; done: number }) {
  const isDone = at < done;
  return (
    <Center
      aria-hidden
      boxSize="5.5"
      flexShrink="0"
      borderRadius="full"
      textStyle="xs"
      fontWeight="semibold"
      {...(isDone
        ? { bg: 'success.subtle', color: 'success.fg' }
        : at === done
          ? { bg: 'brand.solid', color: 'brand.contrast' }
          : { bg: 'bg.muted', color: 'fg.muted' })}
    >
      {isDone ? <Check size={13} strokeWidth={3} /> : at + 1}
    </Center>
  );
}
