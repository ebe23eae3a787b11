import { Box, Flex, Heading, Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { Controller } from 'react-hook-form';
import type { Versioned } from '../../editing/drafts.ts';
import { useSettingsForm } from '../../editing/use-settings-form.ts';
import { parseHex } from '../../lib/brand/brand-colour.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { ColourField } from '../../ui/colour-field.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { Section } from '../../ui/section.tsx';
import { SettingsForm } from '../../ui/settings-form.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { BrandingColumns } from './branding-columns.tsx';
import { type BrandingForm as Branding, brandingEdits, brandingForm, brandingOf } from './branding-fields.ts';
import { BrandingPreview } from './branding-preview.tsx';
import { contrastNotes } from './contrast-notes.ts';
import { LogoField } from './logo-field.tsx';
import { type SavedImage, useLogoCheck } from './use-branding.ts';

interface BrandingFormProps {
  settings: OrgSettings & { etag?: string };
  save: (values: Branding, base: Versioned<Branding>) => Promise<Versioned<Branding>>;
  image: SavedImage;
  onNewImage: () => void;
}

/** The branding on the left, the sign-in page that it makes on the right. */
export function BrandingForm({ settings, save, image, onNewImage }: BrandingFormProps) {
  const { form, frame } = useSettingsForm<Branding>({
    resolver: zodResolver(brandingForm),
    name: 'branding',
    saved: { values: brandingOf(settings), version: settings.etag },
    save,
    fields: brandingEdits,
    formOf: brandingOf,
    unkept: { file: 'file', logo: null, removeLogo: null },
  });
  const { register, control, formState } = form;
  const { errors } = formState;
  const values = form.watch();
  const check = useLogoCheck(values.file);
  const keptLogo = values.removeLogo === 'true' ? null : settings.logo;
  const changeLogo = (changed: Partial<Pick<Branding, 'file' | 'removeLogo'>>) => {
    onNewImage();
    if ('file' in changed) form.setValue('file', changed.file ?? null, { shouldDirty: true });
    if (changed.removeLogo) form.setValue('removeLogo', changed.removeLogo, { shouldDirty: true });
  };
  const previewed = {
    ...settings,
    ...values,
    color: parseHex(values.color) ?? settings.color,
    logo: check.address ?? keptLogo,
  };

  return (
    <BrandingColumns>
      <SettingsForm {...frame}>
        <Section title={t`Organisation`}>
          <Flex direction="column" gap="5">
            <FormField label={t`Name`} isRequired error={errors.name?.message}>
              <Input {...register('name')} maxLength={100} autoComplete="off" />
            </FormField>
            <Controller
              control={control}
              name="color"
              render={({ field: { value, onChange, onBlur } }) => (
                <ColourField
                  label={t`Colour`}
                  help={t`# followed by six hexadecimal digits.`}
                  value={value}
                  onChange={onChange}
                  onBlur={onBlur}
                  error={errors.color?.message}
                />
              )}
            />
            {contrastNotes(values.color).map((note) => (
              <AlertLine key={note} tone="warning">
                {note}
              </AlertLine>
            ))}
          </Flex>
        </Section>
        <Section title={t`Logo`}>
          <LogoField
            logo={keptLogo}
            file={values.file}
            fileAddress={check.address}
            removed={values.file ? check.removed : image.removed}
            onFile={(file) => changeLogo({ file })}
            onRemove={() => changeLogo({ removeLogo: 'true' })}
            error={check.problem ?? image.problem}
          />
        </Section>
        <Section title={t`Sign-in page`}>
          <Flex direction="column" gap="5">
            <FormField label={t`Title`} isRequired error={errors.title?.message}>
              <Input {...register('title')} maxLength={100} autoComplete="off" />
            </FormField>
            <FormField
              label={t`Banner text`}
              help={t`The first line, or a short first sentence, becomes the headline.`}
              error={errors.bannerText?.message}
            >
              <TextArea {...register('bannerText')} maxLength={500} />
            </FormField>
            <FormField label={t`Login button name`} isRequired error={errors.loginButtonName?.message}>
              <Input {...register('loginButtonName')} maxLength={40} autoComplete="off" />
            </FormField>
            <FormField label={t`Copyright text`} error={errors.copyrightText?.message}>
              <Input {...register('copyrightText')} maxLength={200} autoComplete="off" />
            </FormField>
          </Flex>
        </Section>
      </SettingsForm>
      <Box as="section" aria-label={t`Preview`} position="sticky" top="22">
        <Heading as="h2" size="sm" pb="3">
          {t`Preview`}
        </Heading>
        <BrandingPreview settings={previewed} />
      </Box>
    </BrandingColumns>
  );
}
