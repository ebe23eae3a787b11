import { Flex, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { NAME_ID_FORMATS } from '@orchestrate/shared';
import { useFormContext, useWatch } from 'react-hook-form';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { FormField } from '../../../ui/form-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { Select } from '../../../ui/select.tsx';
import type { AppForm } from '../editor/app-form.ts';
import { useMemberFields } from './use-member-fields.ts';
import { useTemplateProblem } from './use-template-problem.ts';

/** `urn:…:nameid-format:emailAddress` as `emailAddress`. */
const shortName = (format: string) => format.split(':').at(-1) ?? format;

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const EMAILS = ['email', 'primaryEmail'];

/** Whether a name id contains the email address. @param template replaces the field; '' where there is none */
const isOfEmail = (field: string, template: string): boolean =>
  template === '' ? EMAILS.includes(field) : EMAILS.some((email) => template.includes(`{${email}`));

/** The identifier by which the service provider knows a person, and where a sign-in that begins here ends. */
export function SamlNameId() {
  const { register, formState, control } = useFormContext<AppForm>();
  const wrong = formState.errors.saml;
  const fields = useMemberFields();
  const [source, format, template] = useWatch({
    control,
    name: ['saml.samlNameId', 'saml.samlNameIdFormat', 'saml.samlNameIdTransformationTemplate'],
  });
  const problem = useTemplateProblem(template);
  const isPassing = format === PERSISTENT && isOfEmail(source, template);
  return (
    <Section title={t`Sign-in`}>
      <Flex direction="column" gap="5" maxW="2xl">
        <FormField
          label={t`Redirect URL`}
          isRequired
          help={t`Where people arrive when they open the application from here.`}
          error={wrong?.redirectUrl?.message}
        >
          <Input
            {...register('saml.redirectUrl')}
            inputMode="url"
            placeholder={t`https://app.example.com/`}
            autoComplete="off"
            spellCheck={false}
          />
        </FormField>
        <FormField
          label={t`Name id`}
          isRequired
          help={t`The field of a member that becomes the name id.`}
          error={wrong?.samlNameId?.message}
        >
          <Select {...register('saml.samlNameId')}>
            {fields.map((field) => (
              <option key={field} value={field}>
                {field}
              </option>
            ))}
          </Select>
        </FormField>
        <FormField
          label={t`Name id format`}
          help={t`If you leave this open and the service provider asks for a persistent name id, each person gets a pseudonym that no other application knows.`}
          error={wrong?.samlNameIdFormat?.message}
        >
          <Select {...register('saml.samlNameIdFormat')}>
            <option value="">{t`The format the service provider asks for`}</option>
            {NAME_ID_FORMATS.map((format) => (
              <option key={format} value={format}>
                {shortName(format)}
              </option>
            ))}
          </Select>
        </FormField>
        {isPassing && (
          <AlertLine tone="warning">
            {t`A persistent name ID must never change or reveal who the person is, but an email address can change and be reassigned. Choose suid or another format.`}
          </AlertLine>
        )}
        <FormField
          label={t`Name id transformation template`}
          help={t`Optional, for example ${'${primaryAttr}@example.com'}`}
          error={problem ?? wrong?.samlNameIdTransformationTemplate?.message}
        >
          <Input
            {...register('saml.samlNameIdTransformationTemplate')}
            fontFamily="mono"
            autoComplete="off"
            spellCheck={false}
          />
        </FormField>
      </Flex>
    </Section>
  );
}
