import { t } from '@lingui/core/macro';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { toast } from '#lib/notices/toaster.ts';
import { currentSession } from '#lib/session/session.ts';
import type { ConflictDialogProps, ConflictRow, Side } from './conflict-dialog.tsx';
import {
  dropDraft,
  findDraft,
  keepDraft,
  type Lost,
  lostOf,
  type Unkept,
  type Versioned,
  wholeDraft,
  without,
} from './drafts.ts';
import { RestoredNote } from './restored-note.tsx';
import { type EditedField, isEqual, mergeThreeWay, taken } from './three-way.ts';

const ConflictDialog = lazyPart(() => import('./conflict-dialog.tsx'));

export interface VersionedFormOptions<Values extends FieldValues> {
  form: Pick<UseFormReturn<Values>, 'reset' | 'getValues' | 'formState'>;
  /** The name under which drafts are kept, e.g. `role AUDITOR`. */
  name: string;
  /** The values on the server: what the form begins with, and what it shows once they are read again. */
  saved: Versioned<Values>;
  /** Saves the input on top of `base`, with its version, and returns what the server then has. Throws the refusal. */
  save: (values: Values, base: Versioned<Values>) => Promise<Versioned<Values>>;
  /** Turns the `current` of a stale version's refusal into form values. */
  formOf: (current: never) => Values;
  fields: readonly EditedField<Values>[];
  /** Secrets and files. */
  unkept?: Unkept;
}

/**
 * Saves a form on top of the version that it began with. If somebody has changed the thing since, changes of only
 * one side are merged, and the person is asked about the rest. When a session ends, the input is kept, and comes back,
 * on top of the same version, once the same person has signed in again.
 */
export function useVersionedForm<Values extends FieldValues>(options: VersionedFormOptions<Values>) {
  const { form, name, saved, save, formOf, fields, unkept = {} } = options;
  const [suid] = useState(() => currentSession()?.profile.suid ?? '');
  const [draft] = useState(() => draftOf(suid, options));
  const [isRestored, setIsRestored] = useState(draft !== undefined);
  const [base, setBase] = useState(draft?.base ?? saved);
  const [asked, setAsked] = useState<ConflictDialogProps>();
  const { isDirty } = form.formState;

  const startFrom = (next: Versioned<Values>) => {
    setBase(next);
    form.reset(next.values);
  };

  // A restored form: the values it began with, and the input on top of them.
  const restore = useEffectEvent(() => {
    if (!draft) return;
    form.reset(draft.base.values);
    form.reset(draft.typed, { keepDefaultValues: true });
  });
  useLayoutEffect(() => restore(), []);

  // Changes from elsewhere are taken over only while nobody has typed: after that the version that the input began with
  // stays.
  const now = saved.version ?? JSON.stringify(saved.values);
  const shown = useRef(now);
  useEffect(() => {
    if (shown.current === now) return;
    shown.current = now;
    if (!isDirty && !isEqual(saved, base)) startFrom(saved);
  });

  const leave = useEffectEvent(() => {
    if (currentSession()) dropDraft(name);
    else if (isDirty)
      keepDraft<Values>(suid, name, {
        base: { ...base, values: without(base.values, unkept) },
        typed: without(form.getValues(), unkept),
        path: window.location.pathname,
        lost: lostOf(form.getValues(), base.values, unkept),
      });
  });
  useEffect(() => () => leave(), []);

  const ask = (question: Omit<ConflictDialogProps, 'onAnswer'>) =>
    new Promise<readonly Side[] | undefined>((resolve) => {
      const onAnswer = (sides: readonly Side[] | undefined) => {
        setAsked(undefined);
        resolve(sides);
      };
      setAsked({ ...question, onAnswer });
    });

  /** Returns what the server then has; undefined where the person went back to the form. Throws the refusal. */
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
        const who = stale.changedBy?.name || t`Somebody`;
        if (merge.conflicts.length === 0) {
          mine = merge.merged;
          if (merge.theirs.length > 0) news = t`${who} also changed ${namesOf(merge.theirs)}. Both changes are saved.`;
        } else {
          const asked = [...merge.conflicts, ...merge.theirs];
          const rows = asked.map(
            (field): ConflictRow => ({
              label: field.label,
              theirs: field.show(theirs.values),
              mine: field.show(mine),
              isContested: merge.conflicts.includes(field),
            }),
          );
          const sides = await ask({ who, at: stale.changedAt, rows });
          if (!sides) return undefined;
          mine = asked.reduce(
            (values, field, at) => taken(values, field, sides[at] === 'theirs' ? theirs.values : mine),
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

  /** Render it anywhere in the screen. */
  const conflict: ReactNode = asked && (
    <Suspense>
      <ConflictDialog {...asked} />
    </Suspense>
  );
  const note = isRestored && <RestoredNote lost={draft?.lost} />;
  return { base, save: saveVersioned, discard, conflict, note };
}

function draftOf<Values extends FieldValues>(
  suid: string,
  { name, saved, unkept = {} }: VersionedFormOptions<Values>,
): { base: Versioned<Values>; typed: Values; lost: Lost | undefined } | undefined {
  const kept = findDraft<Values>(suid, name);
  if (!kept) return undefined;
  return { ...wholeDraft(kept, saved.values, unkept), lost: kept.lost };
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
