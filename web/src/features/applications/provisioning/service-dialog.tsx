import { Box, Button, Flex, Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import {
  type AppProvisioning,
  type getAppProvisioning,
  type ProvisioningCheck,
  type ProvisioningForm,
  provisioningForm,
  type ReplyOf,
  saveAppProvisioning,
  testAppProvisioning,
} from '@orchestrate/shared';
import { Plug } from 'lucide-react';
import { useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useTypedDraft } from '#ui/editing/use-typed-draft.tsx';
import { Checkbox, CheckRow } from '#ui/form/checkbox.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { SecretInput } from '#ui/form/secret-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { SwitchField } from '#ui/form/switch-field.tsx';
import { useOrgCode } from '../use-applications.ts';

type OfferedAttributes = ReplyOf<typeof getAppProvisioning>['attributes'];

interface AttributeChoiceProps {
  attributes: OfferedAttributes;
  /** Names of the selected attributes, with their URN. */
  chosen: readonly string[];
  onChange: (names: string[]) => void;
}

/** Selects attributes from the organisation's registered schemas. */
function AttributeChoice({ attributes, chosen, onChange }: AttributeChoiceProps) {
  return (
    <Box as="fieldset">
      <Box as="legend" fontWeight="medium" pb="1">
        {t`Attributes to send from registered schemas`}
      </Box>
      <Flex direction="column">
        {attributes.map(({ name, schema }) => (
          <Checkbox
            key={name}
            label={`${name.slice(name.lastIndexOf(':') + 1)} (${schema})`}
            isChecked={chosen.includes(name)}
            onChange={(isOn) => onChange(isOn ? [...chosen, name] : chosen.filter((one) => one !== name))}
          />
        ))}
      </Flex>
    </Box>
  );
}

const NEW: ProvisioningForm = {
  url: '',
  authentication: 'bearer',
  username: '',
  enabled: true,
  changesBy: 'put',
  withoutAccess: 'deactivate',
  sendManagers: true,
  sendRoles: false,
  sendAttributes: [],
  sendGroups: false,
};

const FIELDS = ['url', 'authentication', 'username', 'secret', 'changesBy', 'withoutAccess'] as const;

interface ServiceDialogProps {
  appId: string;
  /** Null if the application has no service yet. */
  saved: AppProvisioning | null;
  /** Attributes in registered schemas that can be sent. */
  attributes: OfferedAttributes;
  isOpen: boolean;
  onClose: () => void;
  onSaved: () => void;
}

/** Edits an application's SCIM service: its address, its authentication and the data sent to it. */
export function ServiceDialog({ appId, saved, attributes, isOpen, onClose, onSaved }: ServiceDialogProps) {
  const params = { orgCode: useOrgCode(), appId };
  const save = useWrite(saveAppProvisioning);
  const test = useWrite(testAppProvisioning);
  const [checks, setChecks] = useState<readonly ProvisioningCheck[]>();
  const form = useForm({
    resolver: zodResolver(provisioningForm),
    mode: 'onTouched',
    values: saved ? { ...NEW, ...settingsOf(saved, attributes) } : NEW,
  });
  const restored = useTypedDraft({ form, name: `provisioning ${appId}`, isOpen, omitted: { secret: 'secret' } });
  const { errors, isDirty } = form.formState;
  const authentication = useWatch({ control: form.control, name: 'authentication' });

  const show = (failure: unknown) => {
    if (!(failure instanceof ApiRefusal)) return;
    for (const { path, message } of failure.issues) {
      const field = FIELDS.find((each) => each === path);
      if (field) form.setError(field, { message });
    }
  };
  const submit = form.handleSubmit(async (body) => {
    try {
      await save.run({ params, body }, saved ? { ifMatch: saved.version } : {});
    } catch (failure) {
      show(failure);
      return;
    }
    onSaved();
    toast.success(t`Provisioning saved`);
    onClose();
  });
  const tryIt = form.handleSubmit(async (body) => {
    setChecks(undefined);
    try {
      setChecks((await test.run({ params, body })).checks);
    } catch (failure) {
      show(failure);
    }
  });
  const forget = () => {
    form.reset();
    save.reset();
    test.reset();
    setChecks(undefined);
  };
  const refusal = save.refusal ?? test.refusal;

  return (
    <FormModal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={forget}
      title={saved ? t`Edit the SCIM service` : t`Set up provisioning`}
      verb={t`Save`}
      onSubmit={submit}
      isDirty={isDirty}
      isPending={save.isPending}
      error={refusal && refusal.issues.length === 0 && resultText(refusal)}
      aside={
        <Button
          variant="outline"
          loading={test.isPending}
          loadingText={t({ message: 'Test', context: 'do it' })}
          onClick={() => void tryIt()}
        >
          <Plug aria-hidden />
          {t({ message: 'Test', context: 'do it' })}
        </Button>
      }
    >
      {restored}
      <FormField
        label={t`Address`}
        isRequired
        help={t`The address before /Users. It must start with https; http works only for the portal’s own machine.`}
        error={errors.url?.message}
      >
        <Input
          {...form.register('url')}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder={t`https://app.example.com/scim/v2`}
        />
      </FormField>
      <FormField label={t`Authentication`}>
        <Select {...form.register('authentication')}>
          <option value="bearer">{t`Bearer token`}</option>
          <option value="basic">{t`Username and password`}</option>
        </Select>
      </FormField>
      {authentication === 'basic' && (
        <FormField label={t`Username`} isRequired error={errors.username?.message}>
          <Input {...form.register('username')} autoComplete="off" spellCheck={false} />
        </FormField>
      )}
      <FormField
        label={authentication === 'basic' ? t`Password` : t`Token`}
        isRequired={saved === null}
        {...(saved && {
          help: t`Leave empty to keep the current value. Enter the value again if you change the address or authentication.`,
        })}
        error={errors.secret?.message}
      >
        <SecretInput
          label={authentication === 'basic' ? t`password` : t`token`}
          {...form.register('secret', { setValueAs: (text: string | undefined) => text || undefined })}
          autoComplete="off"
        />
      </FormField>
      <FormField label={t`Update format`}>
        <Select {...form.register('changesBy')}>
          <option value="put">{t`Whole person or group (PUT)`}</option>
          <option value="patch">{t`Only the differences (PATCH)`}</option>
        </Select>
      </FormField>
      <FormField label={t`When people lose access`}>
        <Select {...form.register('withoutAccess')}>
          <option value="deactivate">{t`Deactivate them at the service`}</option>
          <option value="delete">{t`Delete them at the service`}</option>
        </Select>
      </FormField>
      <SwitchField
        control={form.control}
        name="sendManagers"
        label={t`Send managers`}
        help={t`Sends each person’s manager with the service’s own ID, once both people exist there.`}
      />
      <SwitchField
        control={form.control}
        name="sendRoles"
        label={t`Send roles`}
        help={t`Sends each person's role in the portal as “roles”.`}
      />
      <SwitchField
        control={form.control}
        name="sendGroups"
        label={t`Send groups`}
        help={t`Sends every group with members who can use the application. If you turn this off, the groups at the service are emptied, or deleted if people who lose access are deleted.`}
      />
      {attributes.length > 0 && (
        <Controller
          control={form.control}
          name="sendAttributes"
          render={({ field: { value = [], onChange } }) => (
            <AttributeChoice attributes={attributes} chosen={value} onChange={onChange} />
          )}
        />
      )}
      <SwitchField
        control={form.control}
        name="enabled"
        label={t`Send people`}
        help={t`While this is off, nothing is sent. Changes are sent once you turn it on again.`}
      />
      <Box role="status">
        {checks && (
          <Flex as="ul" direction="column" listStyleType="none" aria-label={t({ message: 'Test', context: 'do it' })}>
            {checks.map(({ name, ok, message }) => (
              <CheckRow key={name} check={{ name, isMet: ok, detail: message }} />
            ))}
          </Flex>
        )}
      </Box>
    </FormModal>
  );
}

/** Returns the editable settings, without attributes that are no longer registered. */
const settingsOf = (
  { url, authentication, username, enabled, changesBy, withoutAccess, ...sent }: AppProvisioning,
  attributes: OfferedAttributes,
) => ({
  url,
  authentication,
  username,
  enabled,
  changesBy,
  withoutAccess,
  sendManagers: sent.sendManagers,
  sendRoles: sent.sendRoles,
  sendGroups: sent.sendGroups,
  sendAttributes: sent.sendAttributes.filter((attribute) => attributes.some(({ name }) => name === attribute)),
});
