import { Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { IntegrationType } from '@orchestrate/shared';
import { useFormContext, useWatch } from 'react-hook-form';
import { cookieLifeOf } from '../../../login-options/cookie-life.ts';
import { LoginOptionSwitches, LoginOptionsSkeleton } from '../../../login-options/login-option-switches.tsx';
import { canHave } from '../../../login-options/options-of-type.ts';
import { useOrgLoginOptions } from '../../../login-options/org-login-options.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { RefusalState } from '../../../ui/refusal-state.tsx';
import { Section } from '../../../ui/section.tsx';
import type { AppForm } from './app-form.ts';

const OPTIONS = ['forceAuthnEnabled', 'didEnabled', 'webAuthnEnabled', 'desktopAppEnabled'] as const;

/** How people sign in to this application. */
export function LoginOptionsTab({ type }: { type: IntegrationType }) {
  const options = OPTIONS.filter((option) => canHave(type, option));
  const { control, register, formState } = useFormContext<AppForm>();
  const { data: organisation, refusal, refetch } = useOrgLoginOptions();
  const [minutes, forceAuthnEnabled] = useWatch({ control, name: ['maxCookieMinutes', 'forceAuthnEnabled'] });
  const { reason } = cookieLifeOf({ maxCookieLife: minutes * 60, forceAuthnEnabled }, organisation);
  return (
    <Section title={t`Login options`}>
      <Flex direction="column" gap="6" maxW="xl">
        {organisation ? (
          <LoginOptionSwitches control={control} options={options} organisation={organisation} />
        ) : refusal ? (
          <RefusalState refusal={refusal} onRetry={refetch} />
        ) : (
          <LoginOptionsSkeleton count={options.length} />
        )}
        {canHave(type, 'maxCookieLife') && (
          <NumberField
            label={t`Max cookie life`}
            isRequired
            unit={t`minutes`}
            help={reason ?? t`How long a browser is remembered after a sign-in; 0 means not at all.`}
            error={formState.errors.maxCookieMinutes?.message}
            {...register('maxCookieMinutes', { valueAsNumber: true })}
          />
        )}
      </Flex>
    </Section>
  );
}
