import type { IntegrationType } from '@orchestrate/shared';
import { useFormContext, useWatch } from 'react-hook-form';
import {
  APP_OPTIONS,
  AppLoginOptions,
  LoginOptionsSkeleton,
} from '#features/settings/shared/login-option-switches.tsx';
import { supportsOption, useOrgLoginOptions } from '#features/settings/shared/login-options.ts';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import type { AppForm } from './app-form.ts';

/** Edits how users sign in to this application. */
export default function LoginOptionsTab({ type }: { type: IntegrationType }) {
  const { control, register, formState } = useFormContext<AppForm>();
  const { data: organisation, refusal, refetch } = useOrgLoginOptions();
  const [minutes, isForced] = useWatch({ control, name: ['maxCookieMinutes', 'forceAuthnEnabled'] });
  const pending = refusal ? (
    <RefusalState refusal={refusal} onRetry={refetch} />
  ) : (
    <LoginOptionsSkeleton count={APP_OPTIONS.filter((option) => supportsOption(type, option)).length} />
  );
  return (
    <AppLoginOptions
      type={type}
      control={control}
      organisation={organisation}
      pending={pending}
      minutes={minutes}
      isForced={isForced}
      life={register('maxCookieMinutes', { valueAsNumber: true })}
      error={formState.errors.maxCookieMinutes?.message}
    />
  );
}
