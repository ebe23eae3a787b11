import { t } from '@lingui/core/macro';
import type { AppType, Member } from '@orchestrate/shared';
import { Mail } from 'lucide-react';
import { appSwitchObstacle, useOrgLoginOptions } from '#features/settings/shared/login-options.ts';
import { ExplainedButton } from '#ui/feedback/explained-button.tsx';
import { useActivationCode } from './use-activation-code.ts';

interface MailCodeButtonProps {
  member: Member;
  app: AppType;
  /** Reason why the code can't be sent at the moment. */
  obstacle?: string | undefined;
  label?: string;
}

/** Emails a member's activation code, generating a new code if necessary. */
export function MailCodeButton({ member, app, obstacle, label = t`Email activation code` }: MailCodeButtonProps) {
  const { email, isEmailing } = useActivationCode(member, app);
  const { data: organisation } = useOrgLoginOptions();
  return (
    <ExplainedButton
      obstacle={appSwitchObstacle(app, organisation) ?? obstacle}
      size="sm"
      variant="outline"
      h="auto"
      minH="8"
      maxW="full"
      py="1"
      whiteSpace="normal"
      loading={isEmailing}
      loadingText={label}
      onClick={() => void email()}
    >
      <Mail />
      {label}
    </ExplainedButton>
  );
}
