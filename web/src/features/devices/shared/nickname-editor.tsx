import { Box, chakra, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type Device, LIMITS } from '@orchestrate/shared';
import { Pencil } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useDebounced } from '#lib/time/timers.ts';
import { Hint } from '#ui/feedback/hint.tsx';

/**
 * Saves a nickname half a second after it was entered, unless a newer nickname replaces it within that time.
 * `waiting` is the nickname to save, or null. Leaving the screen saves it immediately.
 */
function useDelayedSave(save: (nickname: string) => void) {
  const [waiting, setWaiting] = useState<string | null>(null);
  const present = useRef<{ nickname: string; timer: ReturnType<typeof setTimeout> } | null>(null);
  const latestSave = useRef(save);

  useEffect(() => {
    latestSave.current = save;
  }, [save]);

  const flush = useCallback(() => {
    if (!present.current) return;
    const { nickname, timer } = present.current;
    clearTimeout(timer);
    present.current = null;
    setWaiting(null);
    latestSave.current(nickname);
  }, []);

  useEffect(() => flush, [flush]);

  const schedule = (nickname: string) => {
    if (present.current) clearTimeout(present.current.timer);
    present.current = { nickname, timer: setTimeout(flush, LIMITS.nicknameSaveDebounceMs) };
    setWaiting(nickname);
  };
  return { waiting, schedule };
}

interface NicknameEditorProps {
  device: Device;
  onSave: (nickname: string) => void;
}

const TOO_SHORT = t`Nicknames must have at least ${LIMITS.nicknameMinLength} characters`;

/** An empty value is allowed and clears the nickname. */
const isTooShort = (trimmed: string) => trimmed.length > 0 && trimmed.length < LIMITS.nicknameMinLength;

/** A nickname that turns into an editor on click. Enter or blur saves, and Escape cancels (spec 1 §4). */
export function NicknameEditor({ device, onSave }: NicknameEditorProps) {
  const { waiting, schedule } = useDelayedSave(onSave);
  const shown = waiting ?? device.nickName;
  const [draft, setDraft] = useState<string | null>(null);
  const [isLeaving, setIsLeaving] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const returnsFocus = useRef(false);
  // Waits until typing has paused before reporting a nickname as too short.
  const settled = useDebounced(draft, LIMITS.nicknameTypingDebounceMs);
  const trimmed = draft?.trim() ?? '';
  const hasError = draft !== null && isTooShort(trimmed) && (settled === draft || hasTried);

  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => {
      setDraft(null);
      setIsLeaving(false);
    }, LIMITS.nicknameIdleCloseMs);
    return () => clearTimeout(timer);
  }, [isLeaving]);

  useEffect(() => {
    if (draft !== null || !returnsFocus.current) return;
    returnsFocus.current = false;
    opener.current?.focus();
  }, [draft]);

  const save = () => {
    setHasTried(true);
    if (trimmed !== shown && !isTooShort(trimmed)) schedule(trimmed);
  };
  const close = () => {
    returnsFocus.current = true;
    setDraft(null);
    setIsLeaving(false);
  };

  if (draft === null) {
    return (
      <chakra.button
        ref={opener}
        type="button"
        className="group"
        aria-label={shown ? t`${shown}, edit nickname for ${device.name}` : t`Add a nickname for ${device.name}`}
        onClick={() => setDraft(shown)}
        display="inline-flex"
        alignItems="center"
        gap="1.5"
        maxW="full"
        minW="0"
        minH="8"
        mx="-2"
        px="2"
        borderRadius="l1"
        textAlign="start"
        cursor="text"
        color={shown ? 'fg' : 'fg.subtle'}
        whiteSpace={shown ? undefined : { xs: 'nowrap' }}
        outline="0"
        focusVisibleRing="outside"
        _hover={{ bg: 'bg.muted' }}
      >
        {shown ? <chakra.span overflowWrap="anywhere">{shown}</chakra.span> : <span>{t`Add a nickname`}</span>}
        <Box
          as="span"
          color="fg.subtle"
          opacity={{ base: 1, xs: 0 }}
          _groupHover={{ opacity: 1 }}
          _groupFocusVisible={{ opacity: 1 }}
        >
          <Pencil size={14} aria-hidden />
        </Box>
      </chakra.button>
    );
  }

  return (
    <Hint text={TOO_SHORT} isOpen={hasError}>
      <Input
        size="sm"
        // Uses only the available space, because a wider editor would move the table's columns.
        w="0"
        minW={{ base: '40', xs: 'calc(100% + 1rem)' }}
        mx="-2"
        px="2"
        aria-label={t`Nickname for ${device.name}`}
        aria-invalid={hasError || undefined}
        placeholder={t`Add a nickname`}
        maxLength={LIMITS.nicknameMaxLength}
        autoComplete="off"
        autoFocus
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value);
          setHasTried(false);
        }}
        onFocus={(event) => {
          setIsLeaving(false);
          event.target.select();
        }}
        onBlur={() => {
          save();
          setIsLeaving(true);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
          if (event.key !== 'Enter') return;
          // Prevents the same key press from also activating the button that receives focus.
          event.preventDefault();
          save();
          if (!isTooShort(trimmed)) close();
        }}
      />
    </Hint>
  );
}
