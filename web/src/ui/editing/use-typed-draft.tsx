import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { currentSession } from '#lib/session/session.ts';
import { type Draft, dropDraft, findDraft, keepDraft, lostOf, type Unkept, without } from './drafts.ts';
import { RestoredNote } from './restored-note.tsx';

interface DraftOptions {
  /** The name under which it is kept, e.g. `webhook new`. */
  name: string;
  isOpen: boolean;
  /** Secrets and files. */
  unkept?: Unkept;
}

interface TypedDraftOptions<Values extends FieldValues> extends DraftOptions {
  form: Pick<UseFormReturn<Values>, 'reset' | 'getValues' | 'formState'>;
}

/**
 * Keeps what was typed into a dialog when the session ends, and fills it in again once the same person has signed in
 * and the dialog is open. Forms that save on top of a version do this by `useVersionedForm`.
 * @returns what the dialog says about it
 */
export function useTypedDraft<Values extends FieldValues>({ form, ...options }: TypedDraftOptions<Values>): ReactNode {
  return useDraft<Values>({
    ...options,
    isDirty: form.formState.isDirty,
    valuesNow: () => form.getValues(),
    fillIn: (values) => form.reset(values, { keepDefaultValues: true }),
  });
}

interface DraftOfOptions<Values> extends DraftOptions {
  isDirty: boolean;
  valuesNow: () => Values;
  fillIn: (values: Values) => void;
}

/** `useTypedDraft` for a dialog that is not a form of react-hook-form. */
export function useDraft<Values extends object>(options: DraftOfOptions<Values>): ReactNode {
  const { name, isOpen, isDirty, valuesNow, fillIn, unkept = {} } = options;
  const [suid] = useState(() => currentSession()?.profile.suid ?? '');
  const [restored, setRestored] = useState<Pick<Draft<Values>, 'lost'>>();
  // StrictMode ends an effect and begins it again: the draft is no longer stored then.
  const held = useRef<{ name: string; draft: Draft<Values> }>(undefined);

  const restore = useEffectEvent(() => {
    const draft = findDraft<Values>(suid, name) ?? (held.current?.name === name ? held.current.draft : undefined);
    if (!draft) return;
    held.current = { name, draft };
    // What is undefined is not in a stored draft, e.g. the invitation of somebody who is to get none.
    const others = Object.entries(valuesNow()).map(([part, value]) => [part, part in unkept ? value : undefined]);
    fillIn({ ...(Object.fromEntries(others) as Values), ...draft.typed });
    setRestored(draft);
  });
  useEffect(() => {
    if (!isOpen) {
      held.current = undefined;
      return;
    }
    restore();
    return () => {
      if (currentSession()) dropDraft(name);
      setRestored(undefined);
    };
  }, [isOpen, name]);

  const leave = useEffectEvent(() => {
    if (currentSession() || !isOpen || !isDirty) return;
    const values = valuesNow();
    keepDraft<Values>(suid, name, {
      base: { values: {}, version: undefined },
      typed: without(values, unkept),
      path: window.location.pathname,
      lost: lostOf(values, {}, unkept),
    });
  });
  useEffect(() => () => leave(), []);

  return restored && <RestoredNote lost={restored.lost} />;
}
