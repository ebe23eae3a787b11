import { Button, Flex } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { clientKind, createApp, hasSignIn, needsAddress } from '@orchestrate/shared';
import { useState } from 'react';
import { useFieldArray, useWatch } from 'react-hook-form';
import { useGuardedNavigate } from '#lib/address/use-next-step.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { reasonOf } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { paths } from '#paths.ts';
import { useTypedDraft } from '#ui/editing/use-typed-draft.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { Select } from '#ui/form/select.tsx';
import { Steps } from '#ui/list/steps.tsx';
import { type CreateOidcForm, createOidcForm, NAME_TAKEN_MESSAGE, urlsOf } from '../editor/app-schemas.ts';
import { GeneralFields } from '../editor/general-fields.tsx';
import { useTouchedForm } from '../editor/use-touched-form.ts';
import { CALLBACK_HELP, CLIENT_KINDS } from '../oidc/client-kind-texts.ts';
import { UnencryptedWarning } from '../oidc/unencrypted-warning.tsx';
import { UrlListField } from '../oidc/url-list-field.tsx';
import { useOrgCode } from '../use-applications.ts';
import type { CreateDialogProps } from './general-info-dialog.tsx';

const FAILED = t`Something went wrong while creating the app`;

/** Creates an OIDC application and opens it. Calls `onNameTaken` if the name is taken (ORG_APP_ALREADY_EXISTS). */
function useCreateOidc(onNameTaken: () => void) {
  const orgCode = useOrgCode();
  const goToNextStep = useGuardedNavigate();
  const { run } = useWrite(createApp, { invalidates: ['Applications'] });
  return async ({ name, description, kind, callbackUrls, logoutUrls }: CreateOidcForm) => {
    const addresses = {
      redirect_uris: urlsOf(callbackUrls),
      post_logout_redirect_uris: urlsOf(logoutUrls),
    };
    const clients = { kind, ...(hasSignIn(kind) && addresses) };
    const body = { orgCode, integrationType: 'oidc', name, description, oidcConfiguration: { clients } } as const;
    try {
      const { app } = await run({ params: { orgCode }, body });
      if (app.appId) goToNextStep(`${paths.application(app.appId)}/configuration`, { replace: true });
      else toast.error(FAILED);
    } catch (failure) {
      if (failure instanceof ApiRefusal && failure.resultName === 'ORG_APP_ALREADY_EXISTS') onNameTaken();
      else if (!(failure instanceof ApiRefusal && failure.status === 401)) toast.error(FAILED, reasonOf(failure));
    }
  };
}

const STEPS = [t`Name & description`, t`Callback / Logout URL`] as const;
const EMPTY: CreateOidcForm = {
  name: '',
  description: '',
  kind: 'web',
  callbackUrls: [{ value: '' }],
  logoutUrls: [{ value: '' }],
};

/**
 * A dialog that creates an OIDC application in two steps (spec 2 §2), or in one step for a service client, which has
 * no addresses.
 */
export default function CreateOidcDialog({ isOpen, onClose, onExitComplete }: CreateDialogProps) {
  const [step, setStep] = useState(0);
  const form = useTouchedForm<CreateOidcForm>({ resolver: zodResolver(createOidcForm), defaultValues: EMPTY });
  const restored = useTypedDraft({ form, name: 'application OIDC', isOpen });
  const { errors, isDirty, isSubmitting } = form.formState;
  const callbacks = useFieldArray({ control: form.control, name: 'callbackUrls' });
  const logouts = useFieldArray({ control: form.control, name: 'logoutUrls' });
  const create = useCreateOidc(() => {
    setStep(0);
    form.setError('name', { message: NAME_TAKEN_MESSAGE });
  });

  const next = async () => {
    if (await form.trigger(['name', 'description'])) setStep(1);
  };
  const [kind, callbackUrls, logoutUrls] = useWatch({
    control: form.control,
    name: ['kind', 'callbackUrls', 'logoutUrls'],
  });
  const steps = hasSignIn(kind) ? STEPS : STEPS.slice(0, 1);
  const isLast = step === steps.length - 1;

  return (
    <FormModal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={onExitComplete}
      title={t`Create OIDC application`}
      size="md"
      closesOnEscape={false}
      verb={isLast ? t`Submit` : t`Next`}
      onSubmit={isLast ? form.handleSubmit(create) : next}
      isDirty={isDirty}
      isPending={isSubmitting}
      canSubmit={isDirty}
      aside={
        <Button variant="outline" disabled={step === 0} onClick={() => setStep(0)}>
          {t`Previous`}
        </Button>
      }
    >
      {restored}
      <Steps steps={steps} current={step} />
      {step === 0 ? (
        <Flex direction="column" gap="5">
          <GeneralFields
            name={form.register('name')}
            description={form.register('description')}
            errors={{ name: errors.name?.message, description: errors.description?.message }}
          />
          <FormField
            label={t`Application kind`}
            isRequired
            help={t`${CLIENT_KINDS[kind].help} You can't change the kind later.`}
          >
            <Select {...form.register('kind')}>
              {clientKind.options.map((option) => (
                <option key={option} value={option}>
                  {CLIENT_KINDS[option].label}
                </option>
              ))}
            </Select>
          </FormField>
        </Flex>
      ) : (
        <Flex direction="column" gap="6">
          <UrlListField
            label={t`Callback URL`}
            help={CALLBACK_HELP[needsAddress(kind) ? 'needed' : 'optional']}
            placeholder={t`https://app.example.com/callback`}
            isRequired={needsAddress(kind)}
            rows={callbacks.fields}
            inputOf={(row) => form.register(`callbackUrls.${row}.value`)}
            errorOf={(row) => errors.callbackUrls?.[row]?.value?.message}
            onAdd={() => callbacks.append({ value: '' })}
            onRemove={callbacks.remove}
          />
          <UnencryptedWarning addresses={callbackUrls.map(({ value }) => value)} />
          <UrlListField
            label={t`Logout URL`}
            help={t`We'll send people to this address after they sign out.`}
            placeholder={t`https://app.example.com/signed-out`}
            isRequired={needsAddress(kind)}
            rows={logouts.fields}
            inputOf={(row) => form.register(`logoutUrls.${row}.value`)}
            errorOf={(row) => errors.logoutUrls?.[row]?.value?.message}
            onAdd={() => logouts.append({ value: '' })}
            onRemove={logouts.remove}
          />
          <UnencryptedWarning isLogout addresses={logoutUrls.map(({ value }) => value)} />
        </Flex>
      )}
    </FormModal>
  );
}
