import { Center, chakra, Flex, Heading, Kbd, Spinner, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Check, MousePointerClick, RotateCcw } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { dotted } from '#lib/format/text.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { SoftDisabledButton } from '#ui/feedback/soft-disabled-button.tsx';
import { Face } from '../faces/face.tsx';
import type { Play } from '../play/use-play.ts';
import { BRAND_EDGE } from '../world/brand-edge.ts';
import { CAST } from '../world/people.ts';

/**
 * For a button that goes on being pressed: the pages in the frames take the focus when something opens in them, or when
 * the hand types there, and get it only from somebody who moves it there.
 * @param isBusy while the hand acts, which needs the focus where it types
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
      // Where it has gone is known a moment later.
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
  /** The address of the person whose story it is: in some scenes it is typed. */
  email: string;
  onShow: () => void;
  /** Only the present step, for small screens. */
  isShort?: boolean;
  /** Whether a key shows the step too. */
  hasKeys?: boolean;
}

/** The scene with its steps: those that have happened are ticked by what the portal has recorded. */
export function ScenePanel({ play, email, onShow, isShort = false, hasKeys = false }: ScenePanelProps) {
  const titleId = useId();
  const { scene, done, isSet, isShowing, problem, begin } = play;
  const { first, last, job } = CAST[scene.who];
  // What happens by itself needs no press: the button would be a different one a moment later.
  const isByItself = scene.steps[done]?.show === undefined;
  const busy = !isSet ? t`Setting the scene` : isShowing ? t`Showing` : isByItself ? t`One moment` : undefined;
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
            {dotted(`${first} ${last}`, job)}
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
          {t`That was the whole scene, and all of it is in the portal’s own records.`}
        </Text>
      )}
      {problem && <AlertLine>{problem}</AlertLine>}
      {/* One button throughout, so that it keeps the focus from step to step. */}
      <SoftDisabledButton
        {...buttonFocus}
        size="md"
        {...(isOver ? { variant: 'outline' } : { borderColor: BRAND_EDGE })}
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
