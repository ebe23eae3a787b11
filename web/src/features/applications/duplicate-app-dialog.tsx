import { Input, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import {
  type Application,
  appName,
  duplicateApp,
  type IntegrationType,
  LIMITS,
  type ReplyOf,
  validateAppName,
} from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { logQuietly } from '#adapters/browser.ts';
import { useGuardedNavigate } from '#lib/address/use-next-step.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useDebounced } from '#lib/time/timers.ts';
import { paths } from '#paths.ts';
import { FormField } from '#ui/form/form-field.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { NAME_TAKEN_MESSAGE } from './editor/app-schemas.ts';
import { useOrgCode } from './use-applications.ts';

type Proposed = ReplyOf<typeof validateAppName>['result'];

/**
 * Returns the ID that an application with this name would get, and whether the name is available. Returns undefined
 * until the server responds.
 */
function useProposedId(typed: string): Proposed | undefined {
  const orgCode = useOrgCode();
  const name = typed.trim();
  const settled = useDebounced(name, LIMITS.searchDebounceMs);
  const [answer, setAnswer] = useState<{ of: string; result: Proposed }>();
  useEffect(() => {
    if (!orgCode || !appName.safeParse(settled).success) return;
    let isWanted = true;
    call(validateAppName, { params: { orgCode }, body: { appName: settled, orgId: orgCode } })
      .then(({ result }) => isWanted && setAnswer({ of: settled, result }))
      // Submitting the form checks the name again, so only log the failure.
      .catch((failure: unknown) => logQuietly('Could not check the name.', failure));
    return () => {
      isWanted = false;
    };
  }, [orgCode, settled]);
  return answer?.of === name ? answer.result : undefined;
}

const copyForm = z.object({ name: appName });

const ONLY_SECRETS = t`The copy gets a new secret.`;

/** Explains which settings aren't copied from the original. */
const OWN: Record<IntegrationType, string> = {
  oidc: t`The copy gets a new client ID and secret. Public keys and the SCIM service aren't copied.`,
  saml: t`The copy is a separate identity provider, so give its metadata to the service provider. The SCIM service isn't copied.`,
  radius: ONLY_SECRETS,
  ldap: ONLY_SECRETS,
  portal: t`The oldest portal application continues to represent the portal itself.`,
};

export type DuplicatedApp = Pick<Application, 'appId' | 'orgCode' | 'name' | 'integrationType'>;

interface DuplicateAppDialogProps {
  app: DuplicatedApp;
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** Names the copy. Shortens the original name if necessary, but never the suffix that marks the copy. */
function nameOfCopy(original: string): string {
  const copyOf = (name: string) => t`${name} copy`;
  const excess = copyOf(original).length - LIMITS.appNameMaxLength;
  // Drop the first half of a surrogate pair if shortening split the pair.
  const shortened = excess > 0 ? original.slice(0, -excess).replace(/[\uD800-\uDBFF]$/, '') : original;
  return copyOf(shortened.trimEnd());
}

/** Asks for a name for the copy, creates the copy with the application's settings, and opens it. */
export default function DuplicateAppDialog({ app, ...modal }: DuplicateAppDialogProps) {
  const { appId, orgCode, integrationType } = app;
  const goToNextStep = useGuardedNavigate();
  const { run } = useWrite(duplicateApp, { invalidates: ['Applications'] });
  const form = useForm({
    resolver: zodResolver(copyForm),
    mode: 'onTouched',
    defaultValues: { name: nameOfCopy(app.name) },
  });
  const { errors, isDirty, isSubmitting } = form.formState;
  const proposed = useProposedId(useWatch({ control: form.control, name: 'name' }));

  const submit = form.handleSubmit(async ({ name }) => {
    try {
      const copy = await run({ params: { orgCode, appId }, body: { name } });
      toast.success(t`Application duplicated`);
      goToNextStep(paths.application(copy.appId));
    } catch (failure) {
      if (failure instanceof ApiRefusal && failure.resultName === 'ORG_APP_ALREADY_EXISTS')
        form.setError('name', { message: NAME_TAKEN_MESSAGE }, { shouldFocus: true });
      else form.setError('root', { message: resultText(failure) });
    }
  });

  return (
    <FormModal
      {...modal}
      title={t`Duplicate ${app.name}`}
      size="md"
      verb={t`Duplicate`}
      onSubmit={submit}
      isDirty={isDirty}
      isPending={isSubmitting}
      error={errors.root?.message}
    >
      <Text color="fg.muted">
        {t`The copy starts with the saved settings and access of the original. ${OWN[integrationType]}`}
      </Text>
      <FormField
        label={t`App name`}
        isRequired
        error={errors.name?.message ?? (proposed?.available === false ? NAME_TAKEN_MESSAGE : undefined)}
        {...(proposed?.available && { help: t`The ID will be ${proposed.proposedAppId}` })}
      >
        <Input {...form.register('name')} autoComplete="off" onFocus={({ target }) => target.select()} />
      </FormField>
    </FormModal>
  );
}
