import { t } from '@lingui/core/macro';
import { FlaskConical } from 'lucide-react';
import { useFormContext } from 'react-hook-form';
import { ObstructedButton } from '../../../ui/obstructed-button.tsx';
import type { AppForm } from '../editor/app-form.ts';
import { useTryApp } from './use-try-app.ts';

/** Makes a real sign-in with the saved settings, and shows the findings. */
export function TryButton({ appId }: { appId: string }) {
  const { isDirty } = useFormContext<AppForm>().formState;
  const { begin, isPending } = useTryApp(appId);
  return (
    <ObstructedButton
      variant="outline"
      obstacle={isDirty ? t`Save your changes first: only saved settings can be tried` : undefined}
      loading={isPending}
      loadingText={t`Try it`}
      onClick={() => void begin()}
    >
      <FlaskConical />
      {t`Try it`}
    </ObstructedButton>
  );
}
