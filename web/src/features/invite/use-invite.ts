import { t } from '@lingui/core/macro';
import { type AppType, bulkInvite, checkInvitees, type InviteeCheck, inviteUsers } from '@orchestrate/shared';
import { useCallback, useEffect, useRef, useState } from 'react';
import { now, randomId } from '#adapters/browser.ts';
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
  validateDraft,
  withTypedTags,
} from './invite-draft.ts';
import { type InviteOutcome, isExplanatory, outcomeOf } from './invite-outcome.ts';
import { csvQueryOf, hasEmailColumn, looksLikeText, needsReview, useFileCheck } from './use-file-check.ts';

const inputOf = ({ type, mode, tags }: InviteDraft) => {
  const orgEmails = tags.filter(({ isValid }) => isValid).map(({ text }) => text);
  return mode === 'email' && orgEmails.length > 0 ? { body: { orgEmails, type } } : null;
};

/**
 * Checks the outcome for each email address entered. The previous reply stays visible while further addresses are
 * checked.
 * @returns `people` to display; and `isCurrent`, true if they match the current draft
 */
function useInviteeCheck(draft: InviteDraft): { people: readonly InviteeCheck[]; isCurrent: boolean } {
  const input = inputOf(draft);
  const { data } = useRead(checkInvitees, input);
  const [last, setLast] = useState(data);
  if (data && data !== last) setLast(data);
  return { people: (input && (data ?? last)?.people) || [], isCurrent: data !== undefined };
}

/** Upload in progress. */
export interface Upload {
  /** Upload ID, which identifies the progress channel. */
  id: string;
  fileName: string;
  /** Start time by the browser's clock, in milliseconds since the epoch. */
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
      upload?: Upload | undefined;
    };

const UPLOAD_FAILED = t`Failed to upload file. Please try again`;

/** Manages an invitation from the empty form to the result. */
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
    // The user left the page during the upload, so this toast is the only way to report the result.
    if (isUnmounted.current) toast.success(t`${outcome.invited} invited, ${outcome.failed} failed`);
    await invalidate('Member Profile');
  };

  const inviteByEmail = async (type: AppType, { tags, sendEmail, addNew }: InviteDraft, isSeen: boolean) => {
    setView({ step: 'sending' });
    const orgEmails = tags.map(({ text }) => text);
    // Let the user review new people before adding them.
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
    // Append the file last, so that the portal can process rows as they arrive.
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
    const found = validateDraft(filled);
    setDraft(filled);
    setProblems(found);
    if (!type || Object.keys(found).length > 0) return;
    if (mode === 'email' || !file) return await inviteByEmail(type, filled, check.isCurrent && draft.typed === '');
    if (!(await looksLikeText(file))) return setProblems({ file: t`File format not supported` });
    if (fileCheck.check && !hasEmailColumn(fileCheck.check)) return;
    // Let the user review errors and new people before the upload.
    if (!fileCheck.isCurrent) {
      setView({ step: 'sending' });
      const check = await fileCheck.ask();
      if (check && needsReview(check)) return setView({ step: 'form' });
    }
    await upload(type, file, filled);
  };

  return {
    draft,
    /** Invitees with their outcome. */
    people: check.people,
    /** File check with the outcome for each row. */
    fileCheck: fileCheck.check,
    /** Whether unsaved input was restored after the session ended. */
    restored,
    problems: { ...problems, file: problems.file ?? fileCheck.problem },
    view,
    change,
    changeTags,
    submit,
    /** Stops the upload. People in rows already read stay invited. */
    stop: () => running.current?.abort(),
    /** Returns to the form with its input. */
    goBack: () => setView({ step: 'form' }),
    /** Returns to the empty form. */
    startAgain: () => {
      setDraft(emptyDraft);
      setProblems({});
      setView({ step: 'form' });
    },
  };
}

/** Returns a ref whose value becomes true when the component unmounts. */
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
 * Returns true if the user should review these people before inviting them. Returns false if the check fails, because
 * inviting will report the error.
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
