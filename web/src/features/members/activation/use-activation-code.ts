import { t } from '@lingui/core/macro';
import {
  type AppType,
  codeOf,
  emailActivationCode,
  type Member,
  type ResultName,
  regenerateActivationCode,
} from '@orchestrate/shared';
import { useState } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { NOT_FOUND_CACHE_GROUPS, useInvalidate } from '#lib/api/use-write.ts';
import { reasonOf, resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { activationOf, activationStateOf } from './activation-state.ts';

/** Results that explain why no code can be generated. Retrying wouldn't help. */
const REASONS: ReadonlySet<ResultName | undefined> = new Set<ResultName>([
  'USER_INACTIVE',
  'DESKTOP_APP_NOT_ENABLED',
  'MOBILE_APP_NOT_ENABLED',
  'AUTHENTICATOR_DISALLOWED',
  'INVALID_PERMISSIONS',
  'AUTHENTICATION_INCOMPLETE',
]);

function reportFailure(failure: unknown): void {
  if (!(failure instanceof ApiRefusal)) throw failure;
  if (failure.resultName === 'USER_ALREADY_ACTIVE') toast.info(t`User is already active`);
  else if (REASONS.has(failure.resultName)) toast.error(resultText(failure));
  // `call` has already handled 401 by leaving the page and 404 with a toast.
  else if (failure.status !== 401 && failure.status !== 404)
    toast.error(t`Failed to generate activation code. Please try again`, reasonOf(failure));
}

/**
 * Generates and emails a member's activation codes for one app. The functions don't throw but show refusals to the
 * user.
 */
export function useActivationCode(member: Member, type: AppType) {
  const { primaryAttr, primaryEmail } = member;
  const invalidate = useInvalidate();
  const [pending, setPending] = useState<'generate' | 'email' | null>(null);

  const run = async (action: 'generate' | 'email', request: () => Promise<void>) => {
    setPending(action);
    try {
      await request();
      await invalidate('Member Profile');
    } catch (failure) {
      reportFailure(failure);
      if (failure instanceof ApiRefusal && failure.status === 404) await invalidate(...NOT_FOUND_CACHE_GROUPS);
    } finally {
      setPending(null);
    }
  };

  const generate = () =>
    run('generate', async () => {
      await call(regenerateActivationCode, { body: { email: primaryEmail, primaryAttr, sendEmail: false, type } });
    });
  const email = () =>
    run('email', async () => {
      const body = { email: primaryEmail, primaryAttr, sendEmail: true, type };
      const { resultCode } = await call(emailActivationCode, { body });
      const isSame = resultCode === codeOf('CODE_RESENT');
      const isReplaced = activationStateOf(activationOf(member, type)) === 'valid';
      if (isSame) toast.success(t`The valid code was sent to ${primaryEmail} again`);
      else if (isReplaced)
        toast.success(
          t`A new code was sent to ${primaryEmail}. The previous one was about to expire and no longer works.`,
        );
      else toast.success(t`A new code was sent to ${primaryEmail}`);
    });
  return { generate, email, isGenerating: pending === 'generate', isEmailing: pending === 'email' };
}
