const labels: Readonly<Record<string, string>> = {
  cancel: 'Cancelled on the device',
  'not-me': '“It wasn’t me”',
  'wrong-number': 'Wrong number chosen',
  'copied-passkey': 'The passkey was copied',
};

/** Why a sign-in failed, for people; an unknown reason is shown as it is. */
export const signInReasonLabel = (reason: string): string => labels[reason] ?? reason;

export const SIGN_IN_REASONS: readonly string[] = Object.keys(labels);
