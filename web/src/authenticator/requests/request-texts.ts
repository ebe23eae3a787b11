import { t } from '@lingui/core/macro';
import type { DenyReason, PendingChallenge } from '@orchestrate/shared';
import type { OutcomeText } from './outcome.tsx';

/** The words around a request, beside its question. */
export interface RequestTexts {
  /** How it ended. */
  outcomes: Record<'approve' | DenyReason, OutcomeText>;
  /** What each reason to deny means. */
  reasons: Record<DenyReason, string>;
  /** Where the person finds the number to choose. */
  numberLabel: string;
}

const numberLabel = t`Tap the number shown in your browser`;

const signIn: RequestTexts = {
  numberLabel,
  outcomes: {
    approve: { tone: 'success', title: t`Approved`, text: t`You can go back to your browser.` },
    cancel: {
      tone: 'neutral',
      title: t`Denied`,
      text: t`The request was cancelled. You haven't been signed in anywhere.`,
    },
    'not-me': {
      tone: 'warning',
      title: t`Denied and reported`,
      text: t`The sign-in was blocked. Your administrators were notified of what was requested, when and from where. You don't need to do anything else.`,
    },
  },
  reasons: {
    'not-me': t`Someone else may be trying to sign in as you.`,
    cancel: t`I started it, but I no longer want to.`,
  },
};

const verbal: RequestTexts = {
  numberLabel,
  outcomes: {
    approve: { tone: 'success', title: t`Confirmed`, text: t`You can go on with your call.` },
    cancel: { tone: 'neutral', title: t`Consent Denied`, text: t`No one has been told who you are.` },
    'not-me': {
      tone: 'warning',
      title: t`Denied and reported`,
      text: t`The caller wasn't told who you are. Your administrators were notified about this call. You don't need to do anything else.`,
    },
  },
  reasons: {
    'not-me': t`I am not on the phone with anybody.`,
    cancel: t`I no longer want to say who I am.`,
  },
};

const approval: RequestTexts = {
  numberLabel,
  outcomes: {
    approve: { tone: 'success', title: t`Approved`, text: t`You can go back to your browser.` },
    cancel: { tone: 'neutral', title: t`Denied`, text: t`Nothing has been changed.` },
    'not-me': {
      tone: 'warning',
      title: t`Denied and reported`,
      text: t`Nothing was changed, and your administrators were notified. If someone else may be signed in as you, choose “Sign out everywhere” on your dashboard.`,
    },
  },
  reasons: {
    'not-me': t`Someone else may be trying this in your name.`,
    cancel: t`I started it, but I no longer want to.`,
  },
};

const confirmation: RequestTexts = {
  numberLabel: t`Tap the number shown on the new device or in your browser`,
  outcomes: {
    approve: { tone: 'success', title: t`Confirmed`, text: t`The new device can approve changes now.` },
    cancel: {
      tone: 'neutral',
      title: t`Not confirmed`,
      text: t`The new device can sign in, but can't approve changes yet.`,
    },
    'not-me': {
      tone: 'warning',
      title: t`Removed and reported`,
      text: t`The device was removed and signed out, and your administrators were notified. If someone else may be signed in as you, choose “Sign out everywhere” on your dashboard.`,
    },
  },
  reasons: {
    'not-me': t`Someone else added it. The device will be removed.`,
    cancel: t`It's mine, but it shouldn't approve changes yet.`,
  },
};

export function textsOf({ kind, action }: PendingChallenge): RequestTexts {
  if (action === 'confirm-device') return confirmation;
  if (kind === 'verbal') return verbal;
  return kind === 'approval' ? approval : signIn;
}
