import { t } from '@lingui/core/macro';
import type { DenyReason, PendingChallenge } from '@orchestrate/shared';
import type { OutcomeText } from './outcome.tsx';

/** The words around a request, beside its question. */
export interface RequestTexts {
  /** How it ended. */
  outcomes: Record<'approve' | DenyReason, OutcomeText>;
  /** What each reason to deny means. */
  reasons: Record<DenyReason, string>;
}

const signIn: RequestTexts = {
  outcomes: {
    approve: { tone: 'success', title: t`Approved`, text: t`You can go back to your browser.` },
    cancel: { tone: 'neutral', title: t`Denied`, text: t`The request was cancelled. Nobody has been signed in.` },
    'not-me': {
      tone: 'warning',
      title: t`Denied and reported`,
      text: t`Nobody was signed in, and the person who tried has been stopped. Your administrators have been told what was asked, from where and when. You don't need to do anything else.`,
    },
  },
  reasons: {
    'not-me': t`Somebody else may be trying to sign in as you.`,
    cancel: t`I started it, but I no longer want to.`,
  },
};

const verbal: RequestTexts = {
  outcomes: {
    approve: { tone: 'success', title: t`Confirmed`, text: t`You can go on with your call.` },
    cancel: { tone: 'neutral', title: t`Consent Denied`, text: t`Nobody has been told who you are.` },
    'not-me': {
      tone: 'warning',
      title: t`Denied and reported`,
      text: t`Nobody was told who you are. Your administrators have been told about this call. You don't need to do anything else.`,
    },
  },
  reasons: {
    'not-me': t`I am not on the phone with anybody.`,
    cancel: t`I no longer want to say who I am.`,
  },
};

const approval: RequestTexts = {
  outcomes: {
    approve: { tone: 'success', title: t`Approved`, text: t`You can go back to your browser.` },
    cancel: { tone: 'neutral', title: t`Denied`, text: t`Nothing has been changed.` },
    'not-me': {
      tone: 'warning',
      title: t`Denied and reported`,
      text: t`Nothing was changed, and your administrators have been told. If somebody else may be signed in as you, choose “Sign out everywhere” on your dashboard.`,
    },
  },
  reasons: {
    'not-me': t`Somebody else may be trying this in your name.`,
    cancel: t`I started it, but I no longer want to.`,
  },
};

export function textsOf({ kind }: PendingChallenge): RequestTexts {
  if (kind === 'verbal') return verbal;
  return kind === 'approval' ? approval : signIn;
}
