import { Flex, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { appName, hasSignIn, validateAppName } from '@orchestrate/shared';
import { useFormContext, useWatch } from 'react-hook-form';
import { logQuietly } from '../../../adapters/log.ts';
import { call } from '../../../lib/api/call.ts';
import { FormField } from '../../../ui/form-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { CLIENT_KINDS } from '../oidc/client-kind-texts.ts';
import { useOrgCode } from '../use-applications.ts';
import type { AppForm } from './app-form.ts';
import { AppLogoSection } from './app-logo-section.tsx';
import { NAME_TAKEN } from './app-schemas.ts';
import { GeneralFields } from './general-fields.tsx';

const OIDC_START = t`The page that My Applications opens. It starts the sign-in.`;
const SAML_START = t`The page that My Applications opens. Without one, the portal starts the sign-in.`;

/** Name and purpose of the application. `appId`: its own name counts as free; absent in create mode. */
export function GeneralTab({ appId }: { appId?: string | undefined }) {
  const form = useFormContext<AppForm>();
  const { errors } = form.formState;
  const checkName = useNameCheck(appId);
  const kind = useWatch<AppForm, 'oidc.kind'>({ name: 'oidc.kind' });
  const isSaml = form.getValues('saml') !== null;
  const isOpened = isSaml || (kind !== undefined && hasSignIn(kind));
  return (
    <Flex direction="column" gap="6">
      <Section title={t`General info`}>
        <Flex direction="column" gap="5" maxW="xl">
          <GeneralFields
            name={form.register('name', { onBlur: () => void checkName() })}
            description={form.register('description')}
            errors={{ name: errors.name?.message, description: errors.description?.message }}
          />
          {isOpened && (
            <FormField
              label={t`Start address`}
              error={errors.startUrl?.message}
              help={t`Optional. ${isSaml ? SAML_START : OIDC_START}`}
            >
              <Input {...form.register('startUrl')} inputMode="url" autoComplete="off" placeholder={'https://'} />
            </FormField>
          )}
          {kind && (
            <FormField label={t`Kind`} help={CLIENT_KINDS[kind].help}>
              <Input value={CLIENT_KINDS[kind].label} readOnly />
            </FormField>
          )}
        </Flex>
      </Section>
      {isOpened && appId !== undefined && <AppLogoSection appId={appId} />}
    </Flex>
  );
}

/** When the field is left with a changed name, asks whether another application has it (spec 2 §5). */
function useNameCheck(appId: string | undefined) {
  const orgCode = useOrgCode();
  const { getValues, setError, formState } = useFormContext<AppForm>();
  const before = formState.defaultValues?.name;
  return async () => {
    const name = getValues('name').trim();
    if (name === before || !appName.safeParse(name).success) return;
    const body = { appName: name, orgId: orgCode, ...(appId && { appId }) };
    try {
      const { result } = await call(validateAppName, { params: { orgCode }, body });
      // The answer may be about a name that is no longer in the field.
      if (!result.available && getValues('name').trim() === name) setError('name', { message: NAME_TAKEN });
    } catch (failure) {
      // Saving asks again.
      logQuietly('The name could not be checked.', failure);
    }
  };
}
