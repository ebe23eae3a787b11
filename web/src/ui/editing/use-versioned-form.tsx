import { t } from '@lingui/core/macro';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { toast } from '#lib/notices/toaster.ts';
import { currentSession } from '#lib/session/session.ts';
import type { ConflictDialogProps, ConflictRow, Side } from './conflict-dialog.tsx';
import {
  completeDraft,
  dropDraft,
  findDraft,
  type LostInput,
  lostInputOf,
  type OmittedFields,
  storeDraft,
  type Versioned,
  withoutOmitted,
} from './drafts.ts';
import { RestoredNote } from './restored-note.tsx';
import { countChanges, type EditedField, isDeepEqual, mergeThreeWay, withFieldFrom } from './three-way.ts';

const ConflictDialog = lazyPart(() => import('./conflict-dialog.tsx'));

export interface VersionedFormOptions<Values extends FieldValues> {
  form: Pick<UseFormReturn<Values>, 'reset' | 'getValues' | 'formState'>;
  /** Name of the form's draft, e.g. `role AUDITOR`. */
  name: string;
  /** The server's values. The form follows them until the user edits it. */
  saved: Versioned<Values>;
  /** Saves the input with the version of `base` and returns the server's new values. Throws the refusal. */
  save: (values: Values, base: Versioned<Values>) => Promise<Versioned<Values>>;
  /** Converts `current` from a 412 refusal (stale version) to form values. */
  formOf: (current: never) => Values;
  fields: readonly EditedField<Values>[];
  /** Fields that the draft omits: secrets and files. */
  omitted?: OmittedFields;
}

/**
 * Saves a form with the version it was loaded with. If another user has saved in the meantime, fields that only one
 * side changed are merged, and the user decides about the others. If the session ends, the input is stored, and is
 * restored on top of the same version when the same user signs in again.
 */
export function useVersionedForm<Values extends FieldValues>(options: VersionedFormOptions<Values>) {
  const { form, name, saved, save, formOf, fields, omitted = {} } = options;
  const [suid] = useState(() => currentSession()?.profile.suid ?? '');
  const [draft] = useState(() => draftOf(suid, options));
  const [isRestored, setIsRestored] = useState(draft !== undefined);
  const [base, setBase] = useState(draft?.base ?? saved);
  const [openConflict, setOpenConflict] = useState<ConflictDialogProps>();
  const { isDirty, dirtyFields } = form.formState;
  const changes = isDirty ? Math.max(1, countChanges(dirtyFields, fields)) : 0;

  const startFrom = (next: Versioned<Values>) => {
    setBase(next);
    form.reset(next.values);
  };

  // Resets to the initial values first, which makes the restored input count as dirty.
  const restore = useEffectEvent(() => {
    if (!draft) return;
    form.reset(draft.base.values);
    form.reset(draft.typed, { keepDefaultValues: true });
  });
  useLayoutEffect(() => restore(), []);

  // Until the user types, the form follows changes on the server. After that, it keeps the version it started from.
  const now = saved.version ?? JSON.stringify(saved.values);
  const shown = useRef(now);
  useEffect(() => {
    if (shown.current === now) return;
    shown.current = now;
    if (!isDirty && !isDeepEqual(saved, base)) startFrom(saved);
  });

  const leave = useEffectEvent(() => {
    if (currentSession()) dropDraft(name);
    else if (isDirty)
      storeDraft<Values>(suid, name, {
        base: { ...base, values: withoutOmitted(base.values, omitted) },
        typed: withoutOmitted(form.getValues(), omitted),
        path: window.location.pathname,
        lost: lostInputOf(form.getValues(), base.values, omitted),
      });
  });
  useEffect(() => () => leave(), []);

  const ask = (question: Omit<ConflictDialogProps, 'onAnswer'>) =>
    new Promise<readonly Side[] | undefined>((resolve) => {
      const onAnswer = (sides: readonly Side[] | undefined) => {
        setOpenConflict(undefined);
        resolve(sides);
      };
      setOpenConflict({ ...question, onAnswer });
    });

  /** Returns the server's new values, or undefined if the user returned to the form. Throws the refusal. */
  const saveVersioned = async (typed: Values): Promise<Versioned<Values> | undefined> => {
    let mine = typed;
    let from = base;
    let news = '';
    for (;;) {
      try {
        const result = await save(mine, from);
        setIsRestored(false);
        dropDraft(name);
        startFrom(result);
        if (news) toast.info(news);
        return result;
      } catch (failure) {
        const stale = staleOf(failure);
        if (!stale) throw failure;
        const theirs: Versioned<Values> = { values: formOf(stale.current as never), version: stale.etag };
        const merge = mergeThreeWay({ base: from.values, theirs: theirs.values, mine }, fields);
        const who = stale.changedBy?.name || t`Someone`;
        if (merge.conflicts.length === 0) {
          mine = merge.merged;
          if (merge.theirs.length > 0) news = t`${who} also changed ${namesOf(merge.theirs)}. Both changes are saved.`;
        } else {
          const contested = [...merge.conflicts, ...merge.theirs];
          const rows = contested.map(
            (field): ConflictRow => ({
              label: field.label,
              theirs: field.show(theirs.values),
              mine: field.show(mine),
              isContested: merge.conflicts.includes(field),
            }),
          );
          const sides = await ask({ who, at: stale.changedAt, rows });
          if (!sides) return undefined;
          mine = contested.reduce(
            (values, field, at) => withFieldFrom(values, field, sides[at] === 'theirs' ? theirs.values : mine),
            merge.merged,
          );
          news = '';
        }
        from = theirs;
      }
    }
  };

  const discard = () => {
    setIsRestored(false);
    dropDraft(name);
    startFrom(saved);
  };

  /** Conflict dialog, which can be rendered anywhere on the screen. */
  const conflict: ReactNode = openConflict && (
    <Suspense>
      <ConflictDialog {...openConflict} />
    </Suspense>
  );
  const note = isRestored && <RestoredNote lost={draft?.lost} />;
  return { base, save: saveVersioned, discard, conflict, note, changes };
}

function draftOf<Values extends FieldValues>(
  suid: string,
  { name, saved, omitted = {} }: VersionedFormOptions<Values>,
): { base: Versioned<Values>; typed: Values; lost: LostInput | undefined } | undefined {
  const draft = findDraft<Values>(suid, name);
  if (!draft) return undefined;
  return { ...completeDraft(draft, saved.values, omitted), lost: draft.lost };
}

interface Stale {
  current: unknown;
  changedBy: { name: string } | null;
  changedAt: string | null;
  etag?: string;
}

const staleOf = (failure: unknown): Stale | undefined =>
  failure instanceof ApiRefusal && failure.status === 412 && 'current' in failure.body
    ? (failure.body as Stale)
    : undefined;

const namesOf = (fields: readonly { label: string }[]): string => fields.map(({ label }) => label).join(', ');
