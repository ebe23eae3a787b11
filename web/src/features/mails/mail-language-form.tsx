import { Box } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import {
  type MailLanguage,
  mailLanguageForm,
  saveMailLanguage,
  type MailLanguageForm as Values,
} from '@orchestrate/shared';
import type { EditedField } from '../../editing/three-way.ts';
import { useSettingsForm } from '../../editing/use-settings-form.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { LANGUAGE_CHOICES, LANGUAGE_NAMES } from '../../mails/mail-languages.ts';
import { FormField } from '../../ui/form-field.tsx';
import { Section } from '../../ui/section.tsx';
import { Select } from '../../ui/select.tsx';
import { SettingsForm } from '../../ui/settings-form.tsx';

const valuesOf = ({ language }: MailLanguage): Values => ({ language });
const edits: EditedField<Values>[] = [
  { label: t`Language of mails`, paths: ['language'], show: ({ language }) => LANGUAGE_NAMES[language] },
];

/** The language of mails to people who have chosen none. */
export function MailLanguageForm({ mailLanguage }: { mailLanguage: MailLanguage }) {
  const { run: save } = useWrite(saveMailLanguage, { invalidates: ['Mails'] });
  const { form, frame } = useSettingsForm<Values>({
    resolver: zodResolver(mailLanguageForm),
    name: 'mail-language',
    saved: { values: valuesOf(mailLanguage), version: mailLanguage.version },
    save: async (values, { version: ifMatch }) => {
      const { mailLanguage: saved } = await save({ body: values }, { ifMatch });
      toast.success(t`Email language saved`);
      return { values: valuesOf(saved), version: saved.version };
    },
    fields: edits,
    formOf: valuesOf,
  });
  return (
    <SettingsForm {...frame}>
      <Section>
        <Box maxW="xl">
          <FormField
            label={t`Language of mails`}
            help={t`For people without a language in their profile, and for people who are invited or sign up. Everyone else gets emails in the language of their profile.`}
          >
            <Select {...form.register('language')} width={{ base: 'full', sm: '60' }}>
              {LANGUAGE_CHOICES.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </FormField>
        </Box>
      </Section>
    </SettingsForm>
  );
}
