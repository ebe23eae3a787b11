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
import { logQuietly } from '#adapters/log.ts';
import { useNextStep } from '#lib/address/use-next-step.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useDebounced } from '#lib/time/timers.ts';
import { paths } from '#paths.ts';
import { FormField } from '#ui/form/form-field.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { NAME_TAKEN } from './editor/app-schemas.ts';
import { useOrgCode } from './use-applications.ts';

type Proposed = ReplyOf<typeof validateAppName>['result'];

/**
 * Returns the id that an application with this name would get and whether the name is available; undefined until the
 * server replies.
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
      // Submitting the form checks the name again.
      .catch((failure: unknown) => logQuietly('The name could not be checked.', failure));
    return () => {
      isWanted = false;
    };
  }, [orgCode, settled]);
  return answer?.of === name ? answer.result : undefined;
}

const copyForm = z.object({ name: appName });

const ONLY_SECRETS = t`The copy gets its own secret.`;

/** Describes what the copy doesn't share with the original. */
const OWN: Record<IntegrationType, string> = {
  oidc: t`The copy gets its own client id and secret. Public keys and the SCIM service aren't copied.`,
  saml: t`The copy is a separate identity provider, so give its metadata to the service provider. The SCIM service isn't copied.`,
  radius: ONLY_SECRETS,
  ldap: ONLY_SECRETS,
  portal: t`The oldest portal application still represents the portal itself.`,
};

export type DuplicatedApp = Pick<Application, 'appId' | 'orgCode' | 'name' | 'integrationType'>;

interface DuplicateAppDialogProps {
  app: DuplicatedApp;
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** Shortens the original name if necessary, never the suffix that distinguishes the copy. */
function nameOfCopy(original: string): string {
  const copyOf = (name: string) => t`${name} copy`;
  const excess = copyOf(original).length - LIMITS.appNameMaxLength;
  // Drops a leftover half of a surrogate pair.
  const shortened = excess > 0 ? original.slice(0, -excess).replace(/[\uD800-\uDBFF]$/, '') : original;
  return copyOf(shortened.trimEnd());
}

/** Asks for the name of a copy of the application, creates it with the same settings, and opens it. */
export default function DuplicateAppDialog({ app, ...modal }: DuplicateAppDialogProps) {
  const { appId, orgCode, integrationType } = app;
  const goToNextStep = useNextStep();
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
        form.setError('name', { message: NAME_TAKEN }, { shouldFocus: true });
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
        {t`The copy has the same saved settings, and the same people can use it. ${OWN[integrationType]}`}
      </Text>
      <FormField
        label={t`App name`}
        isRequired
        error={errors.name?.message ?? (proposed?.available === false ? NAME_TAKEN : undefined)}
        {...(proposed?.available && { help: t`Its ID will be ${proposed.proposedAppId}` })}
      >
        <Input {...form.register('name')} autoComplete="off" onFocus={({ target }) => target.select()} />
      </FormField>
    </FormModal>
  );
}
