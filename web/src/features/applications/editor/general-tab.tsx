import { Button, chakra, Flex, Input, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { appName, deleteAppLogo, hasSignIn, LIMITS, saveAppLogo, validateAppName } from '@orchestrate/shared';
import { ImageUp, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useLocation } from 'react-router-dom';
import { logQuietly } from '#adapters/browser.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { formatFileSize } from '#lib/format/numbers.ts';
import { toastRefusal } from '#lib/notices/show-refusal.ts';
import { toast } from '#lib/notices/toaster.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { RemovedFromLogo } from '#ui/feedback/removed-from-logo.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Section } from '#ui/list/section.tsx';
import { AppLogo } from '#ui/text/app-logo.tsx';
import { CLIENT_KINDS } from '../oidc/client-kind-texts.ts';
import { useApplication, useOrgCode } from '../use-applications.ts';
import type { AppForm } from './app-form.ts';
import { NAME_TAKEN_MESSAGE } from './app-schemas.ts';
import { GeneralFields } from './general-fields.tsx';

const MEGAPIXELS = LIMITS.logoPixels / 1_000_000;
const ACCEPTED = '.svg,.png,.jpg,.jpeg,.gif,.webp';

/** Uploads the application's logo as soon as an image is chosen, independently of the form. */
function AppLogoSection({ appId }: { appId: string }) {
  const { data } = useApplication(appId);
  const params = { orgCode: useOrgCode(), appId };
  const { run: save, isPending: isSaving } = useWrite(saveAppLogo, { invalidates: ['Applications'] });
  const { run: remove, isPending: isRemoving } = useWrite(deleteAppLogo, { invalidates: ['Applications'] });
  const [problem, setProblem] = useState<string>();
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const app = data?.app;

  const upload = async (file: File | undefined) => {
    if (input.current) input.current.value = '';
    if (!file) return;
    setRemoved([]);
    if (file.size > LIMITS.logoBytes)
      return setProblem(t`File is larger than ${formatFileSize(LIMITS.logoBytes)}. Choose a different one`);
    setProblem(undefined);
    const body = new FormData();
    body.set('file', file);
    try {
      setRemoved((await save({ params, body })).removed);
      toast.success(t`Logo saved`);
    } catch (failure) {
      const reason = failure instanceof ApiRefusal && failure.issues.find(({ path }) => path === 'file')?.message;
      if (reason) setProblem(reason);
      else toastRefusal(failure);
    }
  };
  const clear = async () => {
    setProblem(undefined);
    setRemoved([]);
    try {
      await remove({ params });
      toast.success(t`Logo removed`);
      choose.current?.focus();
    } catch (failure) {
      toastRefusal(failure);
    }
  };

  return (
    <Section title={t`Logo`} description={t`A new logo is saved as soon as you choose it, without “Submit”.`}>
      <Flex direction="column" gap="3">
        <Flex align="center" gap="4" wrap="wrap">
          <AppLogo name={app?.name ?? ''} logo={app?.logo ?? null} />
          <Flex gap="2.5" wrap="wrap">
            <Button
              ref={choose}
              type="button"
              variant="outline"
              loading={isSaving}
              loadingText={t`Saving`}
              onClick={() => input.current?.click()}
            >
              <ImageUp />
              {app?.logo ? t`Replace logo` : t`Choose a logo`}
            </Button>
            {app?.logo && (
              <Button
                type="button"
                variant="outline"
                loading={isRemoving}
                loadingText={t`Removing`}
                onClick={() => void clear()}
              >
                <Trash2 />
                {t`Remove logo`}
              </Button>
            )}
          </Flex>
        </Flex>
        <Text textStyle="sm" color="fg.muted">
          {t`This logo appears in My Applications and in the application list. SVG, PNG, JPG, GIF or WebP, up to ${formatFileSize(LIMITS.logoBytes)} and ${MEGAPIXELS} million pixels.`}
        </Text>
        {problem && <AlertLine>{problem}</AlertLine>}
        <RemovedFromLogo names={removed} />
        <chakra.input
          ref={input}
          type="file"
          accept={ACCEPTED}
          aria-label={t`Logo file`}
          display="none"
          onChange={({ target }) => void upload(target.files?.[0])}
        />
      </Flex>
    </Section>
  );
}

const OIDC_START = t`My Applications opens this page, which starts the sign-in.`;
const SAML_START = t`My Applications opens this page. If you leave it empty, the portal starts the sign-in.`;

/**
 * Edits the application's name and description.
 * @param appId ID of the application, whose current name isn't considered taken; absent in create mode
 */
export function GeneralTab({ appId }: { appId?: string | undefined }) {
  const form = useFormContext<AppForm>();
  const { errors } = form.formState;
  const checkName = useNameCheck(appId);
  const kind = useWatch<AppForm, 'oidc.kind'>({ name: 'oidc.kind' });
  const isSaml = form.getValues('saml') !== null;
  const { hash } = useLocation();
  const { setFocus } = form;
  useEffect(() => {
    if (hash === '#start-address') setFocus('startUrl');
  }, [hash, setFocus]);
  const isOpened = isSaml || (kind !== undefined && hasSignIn(kind));
  return (
    <Flex direction="column" gap="6">
      <Section title={t`General info`}>
        <Flex direction="column" gap="5" maxW="fields">
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
            <FormField label={t`Application kind`} help={CLIENT_KINDS[kind].help}>
              <Input value={CLIENT_KINDS[kind].label} readOnly />
            </FormField>
          )}
        </Flex>
      </Section>
      {isOpened && appId !== undefined && <AppLogoSection appId={appId} />}
    </Flex>
  );
}

/** Checks on blur whether another application already uses a changed name (spec 2 §5). */
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
      // The response may be for a name that is no longer in the field.
      if (!result.available && getValues('name').trim() === name) setError('name', { message: NAME_TAKEN_MESSAGE });
    } catch (failure) {
      // Saving the form checks the name again, so only log the failure.
      logQuietly('Could not check the name.', failure);
    }
  };
}
