import { t } from '@lingui/core/macro';
import { type AppType, bulkInvite, checkInvitees, type InviteeCheck, inviteUsers } from '@orchestrate/shared';
import { useCallback, useEffect, useRef, useState } from 'react';
import { now } from '#adapters/clock.ts';
import { randomId } from '#adapters/random.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useInvalidate } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useDraft } from '#ui/editing/use-typed-draft.tsx';
import type { Tag } from '#ui/form/tags.ts';
import {
  emptyDraft,
  type InviteDraft,
  type InviteMode,
  type InviteProblems,
  problemsOf,
  withTypedTags,
} from './invite-draft.ts';
import { type InviteOutcome, isExplanatory, outcomeOf } from './invite-outcome.ts';
import { csvQueryOf, hasAddresses, looksLikeText, needsReview, useFileCheck } from './use-file-check.ts';

const inputOf = ({ type, mode, tags }: InviteDraft) => {
  const orgEmails = tags.filter(({ isValid }) => isValid).map(({ text }) => text);
  return mode === 'email' && orgEmails.length > 0 ? { body: { orgEmails, type } } : null;
};

/**
 * Checks the outcome for each entered address. The previous reply stays while more addresses are checked.
 * @returns `people` to display, and whether they match the current draft
 */
function useInviteeCheck(draft: InviteDraft): { people: readonly InviteeCheck[]; isCurrent: boolean } {
  const input = inputOf(draft);
  const { data } = useRead(checkInvitees, input);
  const [last, setLast] = useState(data);
  if (data && data !== last) setLast(data);
  return { people: (input && (data ?? last)?.people) || [], isCurrent: data !== undefined };
}

/** An upload in progress. */
export interface Upload {
  /** Id on the channel. */
  id: string;
  fileName: string;
  /** Milliseconds since 1970 by this browser's clock. */
  startedAt: number;
}

export type InviteView =
  | { step: 'form' | 'sending' }
  | { step: 'stopped'; upload: Upload }
  | { step: 'uploading'; upload: Upload }
  | { step: 'result'; outcome: InviteOutcome; mode: InviteMode }
  | {
      step: 'error';
      title: string;
      detail: string | undefined;
      requestId: string | undefined;
      /** The failed upload. */
      upload?: Upload | undefined;
    };

const UPLOAD_FAILED = t`Failed to upload file. Please try again`;

/** State of an invitation, from the empty form to the result. */
export function useInvite({ isOpen }: { isOpen: boolean }) {
  const [draft, setDraft] = useState(emptyDraft);
  const [problems, setProblems] = useState<InviteProblems>({});
  const [view, setView] = useState<InviteView>({ step: 'form' });
  const invalidate = useInvalidate();
  const running = useRef<AbortController>(undefined);
  const isUnmounted = useIsUnmounted();
  const check = useInviteeCheck(draft);
  const fileCheck = useFileCheck(draft);
  const isDirty = draft.tags.length > 0 || draft.typed !== '';
  const restored = useDraft<InviteDraft>({
    isDirty,
    valuesNow: () => draft,
    fillIn: setDraft,
    name: 'invite',
    isOpen,
    omitted: { file: 'file', columns: null },
  });

  const change = useCallback((changed: Partial<InviteDraft>) => {
    setDraft((before) => ({ ...before, ...('file' in changed && { columns: undefined }), ...changed }));
    setProblems((before) => ({
      ...before,
      ...('type' in changed && { type: undefined }),
      ...('typed' in changed && { emails: undefined }),
      ...('file' in changed && { file: undefined }),
    }));
  }, []);
  const changeTags = useCallback((changed: (before: Tag[]) => Tag[]) => {
    setDraft((before) => ({ ...before, tags: changed(before.tags) }));
    setProblems((before) => ({ ...before, emails: undefined }));
  }, []);

  const fail = (failure: unknown, mode: InviteMode, upload?: Upload) => {
    if (!(failure instanceof ApiRefusal)) throw failure;
    const text = resultText(failure);
    const { resultCode, requestId } = failure;
    if (mode === 'email') return setView({ step: 'error', title: text, detail: undefined, requestId });
    if (isUnmounted.current) toast.error(UPLOAD_FAILED);
    setView({
      step: 'error',
      title: UPLOAD_FAILED,
      detail: failure.status === 0 || isExplanatory(resultCode) ? text : undefined,
      requestId,
      upload,
    });
  };
  const succeed = async (outcome: InviteOutcome, mode: InviteMode) => {
    setView({ step: 'result', outcome, mode });
    // The user left the page during the upload, so only this toast reports the result.
    if (isUnmounted.current) toast.success(t`${outcome.invited} invited, ${outcome.failed} failed`);
    await invalidate('Member Profile');
  };

  const inviteByEmail = async (type: AppType, { tags, sendEmail, addNew }: InviteDraft, isSeen: boolean) => {
    setView({ step: 'sending' });
    const orgEmails = tags.map(({ text }) => text);
    // Shows new people to the user before they are added.
    if (!isSeen && (await needsReviewBeforeInvite({ orgEmails, type }))) return setView({ step: 'form' });
    try {
      const reply = await call(inviteUsers, { body: { orgEmails, type, sendEmail, addNew } });
      await succeed(outcomeOf(reply), 'email');
    } catch (failure) {
      fail(failure, 'email');
    }
  };

  const upload = async (type: AppType, file: File, { sendEmail, ...draft }: InviteDraft) => {
    const upload = { id: randomId(), fileName: file.name, startedAt: now() };
    const stopping = new AbortController();
    running.current = stopping;
    setView({ step: 'uploading', upload });
    const body = new FormData();
    body.set('type', type);
    body.set('sendEmail', String(sendEmail));
    body.set('uploadId', upload.id);
    // The file comes last, so that the portal can read its rows as they arrive.
    body.set('file', file);
    try {
      await succeed(
        outcomeOf(await call(bulkInvite, { body, query: csvQueryOf(draft) }, { signal: stopping.signal })),
        'file',
      );
    } catch (failure) {
      if (!stopping.signal.aborted) return fail(failure, 'file', upload);
      setView({ step: 'stopped', upload });
      await invalidate('Member Profile');
    }
  };

  const submit = async () => {
    const filled = withTypedTags(draft);
    const { type, mode, file } = filled;
    const found = problemsOf(filled);
    setDraft(filled);
    setProblems(found);
    if (!type || Object.keys(found).length > 0) return;
    if (mode === 'email' || !file) return await inviteByEmail(type, filled, check.isCurrent && draft.typed === '');
    if (!(await looksLikeText(file))) return setProblems({ file: t`File format not supported` });
    if (fileCheck.check && !hasAddresses(fileCheck.check)) return;
    // Shows errors and new people to the user before the upload.
    if (!fileCheck.isCurrent) {
      setView({ step: 'sending' });
      const check = await fileCheck.ask();
      if (check && needsReview(check)) return setView({ step: 'form' });
    }
    await upload(type, file, filled);
  };

  return {
    draft,
    /** Outcome for each address. */
    people: check.people,
    /** Outcome for each row of the file. */
    fileCheck: fileCheck.check,
    /** Notice that unsaved input was restored after the session ended. */
    restored,
    problems: { ...problems, file: problems.file ?? fileCheck.problem },
    view,
    change,
    changeTags,
    submit,
    /** Stops the upload; people in rows already read stay invited. */
    stop: () => running.current?.abort(),
    /** Returns to the filled form. */
    goBack: () => setView({ step: 'form' }),
    /** Returns to the empty form. */
    startAgain: () => {
      setDraft(emptyDraft);
      setProblems({});
      setView({ step: 'form' });
    },
  };
}

/** Returns a ref that is true once the component is unmounted. */
function useIsUnmounted() {
  const isUnmounted = useRef(false);
  useEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
    };
  }, []);
  return isUnmounted;
}

/**
 * True if the user should see the check before inviting these people. False if it fails: inviting will report the
 * error.
 */
async function needsReviewBeforeInvite(body: { orgEmails: string[]; type: AppType }): Promise<boolean> {
  try {
    const { people } = await call(checkInvitees, { body });
    return people.some(({ outcome }) => outcome === 'new' || outcome === 'refused');
  } catch (failure) {
    if (failure instanceof ApiRefusal) return false;
    throw failure;
  }
}
