import { Box, Button, Flex, Kbd, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { type RefObject, useEffect, useEffectEvent } from 'react';
import { isMac } from '#lib/browser/use-media.ts';

/** Open dialogs and menus. Closed ones can stay in the document. */
const OPEN_OVERLAY = ':is([role=dialog], [role=alertdialog], [role=menu]):not([data-state=closed], [hidden])';

/** Returns true for Ctrl S or ⌘ S. */
export const isSaveKey = (event: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'key'>): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && /^s$/i.test(event.key);

/**
 * Saves a form with Ctrl S or ⌘ S. Every form prevents the browser's own dialog, but only the form with the focus is
 * saved if there are several.
 * @param save undefined if there is nothing to save
 */
export function useSaveKey(form: RefObject<HTMLFormElement | null>, save: (() => void) | undefined): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isSaveKey(event)) return;
    event.preventDefault();
    const focused = document.activeElement?.closest('form');
    const isElsewhere = focused ? focused !== form.current : false;
    if (!isElsewhere && !event.repeat && !document.querySelector(OPEN_OVERLAY)) save?.();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

const FIELDS = 'input, textarea, select, [contenteditable=true]';
/** Space for the help below a field, and the height of the page's header with some space, in px. */
const GAP = 44;
const HEADER = 80;

/**
 * Scrolls the focused field out from under a bar at the bottom of the window, when the bar appears, when a field gets
 * the focus, while the user types, and when the window gets smaller.
 */
export function useKeepFieldClear(
  form: RefObject<HTMLFormElement | null>,
  bar: RefObject<HTMLElement | null>,
  isShown: boolean,
): void {
  useEffect(() => {
    const box = form.current;
    if (!isShown || !box) return;
    const clear = () => {
      const field = document.activeElement;
      if (!bar.current || !field?.matches(FIELDS) || !box.contains(field)) return;
      const { top, bottom } = field.getBoundingClientRect();
      const covered = bottom + GAP - bar.current.getBoundingClientRect().top;
      // A field that is higher than the window keeps its first line in view.
      const distance = Math.min(covered, top - HEADER);
      if (distance > 0) window.scrollBy({ top: distance });
    };
    clear();
    box.addEventListener('focusin', clear);
    box.addEventListener('input', clear);
    // Zooming in and on-screen keyboards leave less room.
    window.addEventListener('resize', clear);
    return () => {
      box.removeEventListener('focusin', clear);
      box.removeEventListener('input', clear);
      window.removeEventListener('resize', clear);
    };
  }, [form, bar, isShown]);
}

interface SaveBarProps {
  /** Number of changed fields. With 0, the bar shows only its buttons. */
  changes: number;
  isSaving: boolean;
  onDiscard: () => void;
  /** False if the form can't be saved yet. */
  canSave?: boolean;
  discardLabel?: string;
  saveLabel?: string;
}

/**
 * The actions of a form with their shortcut, and the number of unsaved changes. It belongs inside the form, because
 * its save button submits the form.
 */
export function SaveBar({ changes, isSaving, onDiscard, canSave = true, ...labels }: SaveBarProps) {
  const { discardLabel = t`Discard`, saveLabel = t`Save` } = labels;
  const isDirty = changes > 0;
  return (
    <Flex
      role="group"
      aria-label={isDirty ? t`Unsaved changes` : undefined}
      data-dirty={isDirty || undefined}
      align="center"
      wrap="wrap"
      columnGap="4"
      rowGap="2"
      ps={isDirty ? '4' : undefined}
      pe={isDirty ? '2' : undefined}
      py="2"
      maxW="full"
      borderWidth="1px"
      borderColor="transparent"
      borderRadius="l3"
      css={{
        '&[data-dirty]': {
          bg: { base: 'bg.inverted', _dark: 'bg.emphasized' },
          color: { base: 'fg.inverted', _dark: 'fg' },
          borderColor: { base: 'bg.inverted', _dark: 'border.emphasized' },
          boxShadow: 'lg',
          // The page's focus colour can be too dark on the bar.
          '& button': { '--focus-ring-color': 'currentcolor', focusRingColor: 'currentcolor' },
        },
      }}
    >
      {isDirty && (
        <Flex align="center" gap="2.5" flex="1 1 auto">
          <Box
            boxSize="2"
            borderRadius="full"
            bg="warning.emphasized"
            flexShrink="0"
            aria-hidden
            _highContrast={{ bg: 'CanvasText' }}
          />
          <Text fontWeight="medium" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
            {plural(changes, { one: '# change, not saved', other: '# changes, not saved' })}
          </Text>
        </Flex>
      )}
      <Flex gap="2" ms="auto">
        <Button
          type="button"
          variant="outline"
          onClick={onDiscard}
          disabled={isSaving}
          {...(isDirty && {
            bg: 'transparent',
            color: 'inherit',
            borderColor: 'rgb(255 255 255 / 0.28)',
            _hover: { bg: 'rgb(255 255 255 / 0.12)' },
          })}
        >
          {discardLabel}
        </Button>
        <Button
          type="submit"
          disabled={!canSave}
          loading={isSaving}
          loadingText={saveLabel}
          aria-keyshortcuts={isMac() ? 'Meta+S' : 'Control+S'}
        >
          {saveLabel}
          {isDirty && (
            <Kbd aria-hidden bg="transparent" color="inherit" borderColor="currentcolor" opacity="0.72" hideBelow="sm">
              {isMac() ? '⌘ S' : t`Ctrl S`}
            </Kbd>
          )}
        </Button>
      </Flex>
    </Flex>
  );
}
