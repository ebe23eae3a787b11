import { Button, chakra, Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { type ReplyOf, type ResultName, type SetupForm, setUp, setupForm } from '@orchestrate/shared';
import { type FieldPath, useForm } from 'react-hook-form';
import { call } from '../../lib/api/call.ts';
import { useAskedUnload } from '../../lib/leaving/use-unsaved-guard.ts';
import { showRefusal } from '../../lib/notices/show-refusal.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { ColourChoice } from '../../ui/colour-choice.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { OwnFields } from '../../ui/own-fields.tsx';

/** The field that a refusal is shown under; all others are shown above the button. */
const fieldOf: Partial<Record<ResultName, FieldPath<SetupForm>>> = {
  EXPIRED: 'code',
  ORG_CODE_NOT_FOUND: 'orgCode',
  USER_EXISTS: 'email',
};

const nobody: SetupForm = { code: '', orgCode: '', firstName: '', lastName: '', email: '' };

interface SetupFormProps {
  /** Whether the setup also makes the organisation. */
  isEmpty: boolean;
  /** The brand colour of the new organisation. */
  colour: string;
  onColour: (colour: string) => void;
  onDone: (made: ReplyOf<typeof setUp>) => void;
}

/** The code of the start, the organisation, and its first administrator. */
export function FirstAdministrator({ isEmpty, colour, onColour, onDone }: SetupFormProps) {
  const form = useForm<SetupForm>({ resolver: zodResolver(setupForm), mode: 'onTouched', defaultValues: nobody });
  const { errors, isDirty, isSubmitting } = form.formState;
  useAskedUnload(isDirty && !isSubmitting);

  const submit = form.handleSubmit(async (body) => {
    try {
      onDone(await call(setUp, { body }));
    } catch (failure) {
      showRefusal(form, failure, fieldOf);
    }
  });

  return (
    <chakra.form noValidate display="flex" flexDirection="column" gap="5" onSubmit={(event) => void submit(event)}>
      <FormField
        label={t`Setup code`}
        isRequired
        error={errors.code?.message}
        help={t`The server printed it when it started.`}
      >
        <Input size="lg" autoComplete="off" maxLength={40} {...form.register('code')} />
      </FormField>
      <FormField
        label={t`Organisation code`}
        isRequired
        error={errors.orgCode?.message}
        help={
          isEmpty
            ? t`Part of every address, e.g. acme: letters, digits and hyphens.`
            : t`Of an organisation that has no administrator yet.`
        }
      >
        <Input size="lg" autoComplete="off" autoCapitalize="none" maxLength={40} {...form.register('orgCode')} />
      </FormField>
      {isEmpty && (
        <FormField
          label={t`Organisation name`}
          error={errors.orgName?.message}
          help={t`Without one, people see the code.`}
        >
          <Input
            size="lg"
            autoComplete="organization"
            maxLength={100}
            {...form.register('orgName', { setValueAs: (name: string) => name || undefined })}
          />
        </FormField>
      )}
      {isEmpty && (
        <ColourChoice
          value={colour}
          onChange={(chosen) => {
            form.setValue('color', chosen);
            onColour(chosen);
          }}
        />
      )}
      <OwnFields register={(name) => form.register(name)} errors={errors} />
      {errors.root?.message && <AlertLine>{errors.root.message}</AlertLine>}
      <Button type="submit" size="xl" loading={isSubmitting}>
        {t`Set up`}
      </Button>
    </chakra.form>
  );
}
