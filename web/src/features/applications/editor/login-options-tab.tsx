import { Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { IntegrationType } from '@orchestrate/shared';
import { useFormContext, useWatch } from 'react-hook-form';
import { LoginOptionSwitches, LoginOptionsSkeleton } from '#features/settings/shared/login-option-switches.tsx';
import { cookieLifeOf, supportsOption, useOrgLoginOptions } from '#features/settings/shared/login-options.ts';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { NumberField } from '#ui/form/number-field.tsx';
import { Section } from '#ui/list/section.tsx';
import type { AppForm } from './app-form.ts';

const OPTIONS = ['forceAuthnEnabled', 'didEnabled', 'webAuthnEnabled', 'desktopAppEnabled'] as const;

/** Edits how users sign in to this application. */
export default function LoginOptionsTab({ type }: { type: IntegrationType }) {
  const options = OPTIONS.filter((option) => supportsOption(type, option));
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
        {supportsOption(type, 'maxCookieLife') && (
          <NumberField
            label={t`Max cookie life`}
            isRequired
            unit={t`minutes`}
            help={reason ?? t`How long a browser is remembered after a sign-in. 0 = not remembered.`}
            error={formState.errors.maxCookieMinutes?.message}
            {...register('maxCookieMinutes', { valueAsNumber: true })}
          />
        )}
      </Flex>
    </Section>
  );
}
