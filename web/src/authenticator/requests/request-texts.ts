import { t } from '@lingui/core/macro';
import type { DenyReason, PendingChallenge } from '@orchestrate/shared';
import type { OutcomeText } from './outcome.tsx';

/** All strings displayed for a request, except its question. */
export interface RequestMessages {
  /** Message for each answer. */
  outcomes: Record<'approve' | DenyReason, OutcomeText>;
  /** Explanation of each reason for denying. */
  reasons: Record<DenyReason, string>;
  /** Prompt above the number choices. */
  numberLabel: string;
}

const numberLabel = t`Tap the number displayed in your browser`;

const signIn: RequestMessages = {
  numberLabel,
  outcomes: {
    approve: { tone: 'success', title: t`Approved`, text: t`You can go back to your browser.` },
    cancel: {
      tone: 'neutral',
      title: t`Denied`,
      text: t`The request was cancelled, and you weren't signed in.`,
    },
    'not-me': {
      tone: 'warning',
      title: t`Denied and reported`,
      text: t`The sign-in was blocked and your administrators were notified. You don't need to do anything else.`,
    },
  },
  reasons: {
    'not-me': t`Someone else may be trying to sign in as you.`,
    cancel: t`I started it, but changed my mind.`,
  },
};

const verbal: RequestMessages = {
  numberLabel,
  outcomes: {
    approve: { tone: 'success', title: t`Confirmed`, text: t`You can continue your call.` },
    cancel: { tone: 'neutral', title: t`Consent Denied`, text: t`Your identity wasn't shared.` },
    'not-me': {
      tone: 'warning',
      title: t`Denied and reported`,
      text: t`Your identity wasn't shared, and your administrators were notified. You don't need to do anything else.`,
    },
  },
  reasons: {
    'not-me': t`I'm not on a call.`,
    cancel: t`I no longer want to share my identity.`,
  },
};

const approval: RequestMessages = {
  numberLabel,
  outcomes: {
    approve: { tone: 'success', title: t`Approved`, text: t`You can go back to your browser.` },
    cancel: { tone: 'neutral', title: t`Denied`, text: t`Nothing was changed.` },
    'not-me': {
      tone: 'warning',
      title: t`Denied and reported`,
      text: t`Nothing was changed, and your administrators were notified. If someone else may be signed in as you, choose “Sign out everywhere” on your dashboard.`,
    },
  },
  reasons: {
    'not-me': t`Someone else may be signed in as you.`,
    cancel: t`I started it, but changed my mind.`,
  },
};

const confirmation: RequestMessages = {
  numberLabel: t`Tap the number displayed on the new device or in your browser`,
  outcomes: {
    approve: { tone: 'success', title: t`Confirmed`, text: t`The new device can now approve changes.` },
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
    cancel: t`It's mine, but it shouldn't be able to approve changes yet.`,
  },
};

export function requestMessagesFor({ kind, action }: PendingChallenge): RequestMessages {
  if (action === 'confirm-device') return confirmation;
  if (kind === 'verbal') return verbal;
  return kind === 'approval' ? approval : signIn;
}
