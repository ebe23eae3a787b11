import { Box, ChakraProvider, chakra, createSystem, Flex, Heading, Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { contrastRatio, DEFAULT_BRAND, type OrgSettings, parseHex } from '@orchestrate/shared';
import { useState } from 'react';
import { Controller } from 'react-hook-form';
import { PageFooter } from '#features/sign-in/shared/page-footer.tsx';
import { SignInFront } from '#features/sign-in/shared/sign-in-front.tsx';
import { formatNumber } from '#lib/format/numbers.ts';
import { BREAKPOINTS } from '#theme/tokens.ts';
import { system } from '#theme.ts';
import type { Versioned } from '#ui/editing/drafts.ts';
import { useSettingsForm } from '#ui/editing/use-settings-form.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { SettingsForm } from '#ui/form/settings-form.tsx';
import { TextArea } from '#ui/form/text-area.tsx';
import { Section } from '#ui/list/section.tsx';
import { TabList } from '#ui/list/tab-list.tsx';
import { BrandScope } from '#ui/text/brand-scope.tsx';
import { BrandingColumns } from './branding-columns.tsx';
import { type BrandingForm as Branding, brandingEditFields, brandingForm, brandingOf } from './branding-fields.ts';
import { LogoField } from './logo-field.tsx';
import { type SavedImage, useLogoCheck } from './use-branding.ts';

interface ColourFieldProps {
  label: string;
  help?: string;
  error?: string | undefined;
  /** Colour as entered. `#rrggbb` if it is valid. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
}

/** Edits a colour with a colour picker or as `#rrggbb`. */
function ColourField({ label, help, error, value, onChange, onBlur }: ColourFieldProps) {
  return (
    <FormField label={label} isRequired error={error} {...(help && { help })}>
      <Flex gap="2" w="full">
        <chakra.input
          type="color"
          aria-label={t`Pick ${label}`}
          value={(parseHex(value) ?? '#000000').toLowerCase()}
          onChange={(event) => onChange(event.target.value.toUpperCase())}
          w="12"
          h="9"
          p="1"
          flexShrink="0"
          borderWidth="1px"
          borderColor="border.emphasized"
          borderRadius="l2"
          bg="bg.panel"
          cursor="pointer"
          focusVisibleRing="outside"
        />
        <Input
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
          maxLength={7}
          spellCheck={false}
          autoComplete="off"
          fontFamily="mono"
        />
      </Flex>
    </FormField>
  );
}

/** Minimum contrast between the page and lines or buttons (WCAG 2.2 §1.4.11). */
const ENOUGH = 3;

const PAGES = [
  {
    surface: '#FFFFFF',
    note: (ratio: string) =>
      t`Low contrast on light pages (${ratio}:1, should be at least 3:1). Links and lines use a darker shade there.`,
  },
  {
    surface: '#1C1B19',
    note: (ratio: string) =>
      t`Low contrast on dark pages (${ratio}:1, should be at least 3:1). Links and lines use a lighter shade there.`,
  },
];

/**
 * Describes on which pages a brand colour has too little contrast and how the portal compensates. Returns no notes
 * for invalid colours and the portal's default colour.
 */
export function contrastNotes(colour: string): string[] {
  const hex = parseHex(colour);
  if (!hex || hex.toUpperCase() === DEFAULT_BRAND) return [];
  return PAGES.flatMap(({ surface, note }) => {
    const ratio = contrastRatio(hex, surface);
    return ratio >= ENOUGH ? [] : [note(formatNumber(Number(ratio.toFixed(1))))];
  });
}

/**
 * Creates a theme with fixed breakpoints that don't depend on the window, and without a second set of global styles.
 */
function systemFor(breakpoints: Record<string, string>): typeof system {
  return { ...createSystem(system._config, { theme: { breakpoints } }), _global: [] };
}

const names = Object.keys(BREAKPOINTS) as (keyof typeof BREAKPOINTS)[];
const systems = {
  // Breakpoints up to 1280 px match any window, in ascending order. Larger breakpoints never match.
  desktop: systemFor(
    Object.fromEntries(names.map((name, at) => [name, BREAKPOINTS[name] <= 1280 ? `${at + 1}px` : `${99_990 + at}px`])),
  ),
  phone: systemFor(Object.fromEntries(names.map((name, at) => [name, `${99_990 + at}px`]))),
};

const SCREENS = [
  { value: 'desktop', label: t`Desktop` },
  { value: 'phone', label: t`Phone` },
] as const;
type Screen = (typeof SCREENS)[number]['value'];

/** Screen sizes in CSS, with their preview scale. The desktop is as high as the window. */
const sizes = {
  desktop: { width: '1280px', height: '100dvh', scale: 0.36 },
  phone: { width: '390px', height: '780px', scale: 0.72 },
} as const;

interface BrandingPreviewProps {
  settings: OrgSettings;
}

/** Previews the actual sign-in page with these settings. The preview isn't interactive. */
function BrandingPreview({ settings }: BrandingPreviewProps) {
  const [screen, setScreen] = useState<Screen>('desktop');
  return (
    <TabList isCompact label={t`Preview device`} tabs={SCREENS} value={screen} onChange={setScreen}>
      <Flex justify="center" containerType="inline-size">
        <ChakraProvider value={systems[screen]}>
          <Picture screen={screen} settings={settings} />
        </ChakraProvider>
      </Flex>
    </TabList>
  );
}

function Picture({ screen, settings }: BrandingPreviewProps & { screen: Screen }) {
  const { width, height, scale: largest } = sizes[screen];
  // Scale down to the ratio of available width to screen width if space is limited.
  const scale = `min(${largest}, tan(atan2(100cqw, ${width})))`;
  return (
    <Box
      role="img"
      aria-label={
        screen === 'phone' ? t`Preview of the sign-in page on a phone` : t`Preview of the sign-in page on a desktop`
      }
      position="relative"
      overflow="hidden"
      borderWidth="1px"
      borderRadius={screen === 'phone' ? '2xl' : 'l2'}
      boxShadow="md"
      style={{ width: `calc(${width} * ${scale})`, height: `calc(${height} * ${scale})` }}
    >
      <BrandScope
        colour={settings.color}
        inert
        aria-hidden
        display="flex"
        flexDirection="column"
        position="absolute"
        top="0"
        left="0"
        transformOrigin="top left"
        style={{ width, height, transform: `scale(${scale})` }}
      >
        <SignInFront settings={settings} footer={<PageFooter settings={settings} />} />
      </BrandScope>
    </Box>
  );
}

interface BrandingFormProps {
  settings: OrgSettings & { etag?: string };
  save: (values: Branding, base: Versioned<Branding>) => Promise<Versioned<Branding>>;
  image: SavedImage;
  onNewImage: () => void;
}

/** Edits the branding, with a preview of the sign-in page. */
export function BrandingForm({ settings, save, image, onNewImage }: BrandingFormProps) {
  const { form, frame } = useSettingsForm<Branding>({
    resolver: zodResolver(brandingForm),
    name: 'branding',
    saved: { values: brandingOf(settings), version: settings.etag },
    save,
    fields: brandingEditFields,
    formOf: brandingOf,
    omitted: { file: 'file', logo: null, removeLogo: null },
  });
  const { register, control, formState } = form;
  const { errors } = formState;
  const values = form.watch();
  const check = useLogoCheck(values.file);
  const currentLogo = values.removeLogo === 'true' ? null : settings.logo;
  const changeLogo = (changed: Partial<Pick<Branding, 'file' | 'removeLogo'>>) => {
    onNewImage();
    if ('file' in changed) form.setValue('file', changed.file ?? null, { shouldDirty: true });
    if (changed.removeLogo) form.setValue('removeLogo', changed.removeLogo, { shouldDirty: true });
  };
  const previewed = {
    ...settings,
    ...values,
    color: parseHex(values.color) ?? settings.color,
    logo: check.address ?? currentLogo,
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
                  help={t`Enter # followed by six hexadecimal digits.`}
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
        <Section id="logo" title={t`Logo`}>
          <LogoField
            logo={currentLogo}
            file={values.file}
            fileAddress={check.address}
            removed={values.file ? check.removed : image.removed}
            onFile={(file) => changeLogo({ file })}
            onRemove={() => changeLogo({ removeLogo: 'true' })}
            error={check.problem ?? image.problem}
          />
        </Section>
        <Section id="sign-in-page" title={t`Sign-in page`}>
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
            <FormField label={t`Sign-in button label`} isRequired error={errors.loginButtonName?.message}>
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
