import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { currentSession } from '#lib/session/session.ts';
import {
  type Draft,
  dropDraft,
  findDraft,
  lostInputOf,
  type OmittedFields,
  storeDraft,
  withoutOmitted,
} from './drafts.ts';
import { RestoredNote } from './restored-note.tsx';

interface DraftOptions {
  /** Draft name, e.g. `webhook new`. */
  name: string;
  isOpen: boolean;
  /** Fields that the draft omits: secrets and files. */
  omitted?: OmittedFields;
}

interface TypedDraftOptions<Values extends FieldValues> extends DraftOptions {
  form: Pick<UseFormReturn<Values>, 'reset' | 'getValues' | 'formState'>;
}

/**
 * Stores a dialog's input when the session ends, and restores it when the same user signs in again and opens the
 * dialog. Versioned forms use `useVersionedForm` instead.
 * @returns a note for the dialog if its input was restored
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

/** Same as `useTypedDraft`, for dialogs that don't use react-hook-form. */
export function useDraft<Values extends object>(options: DraftOfOptions<Values>): ReactNode {
  const { name, isOpen, isDirty, valuesNow, fillIn, omitted = {} } = options;
  const [suid] = useState(() => currentSession()?.profile.suid ?? '');
  const [restored, setRestored] = useState<Pick<Draft<Values>, 'lost'>>();
  // Keep the draft in a ref: StrictMode runs the effect twice, and the first cleanup would remove the stored draft.
  const held = useRef<{ name: string; draft: Draft<Values> }>(undefined);

  const restore = useEffectEvent(() => {
    const draft = findDraft<Values>(suid, name) ?? (held.current?.name === name ? held.current.draft : undefined);
    if (!draft) return;
    held.current = { name, draft };
    // JSON drops undefined, so a field that the draft lacks was undefined when stored.
    const others = Object.entries(valuesNow()).map(([part, value]) => [part, part in omitted ? value : undefined]);
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
    storeDraft<Values>(suid, name, {
      base: { values: {}, version: undefined },
      typed: withoutOmitted(values, omitted),
      path: window.location.pathname,
      lost: lostInputOf(values, {}, omitted),
    });
  });
  useEffect(() => () => leave(), []);

  return restored && <RestoredNote lost={restored.lost} />;
}
