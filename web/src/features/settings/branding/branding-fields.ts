import { t } from '@lingui/core/macro';
import { brandingFields, type OrgSettings } from '@orchestrate/shared';
import { z } from 'zod';
import { textField } from '#ui/editing/three-way.ts';

/** Schema of the branding form with the contract's fields, the current logo and the selected file. */
export const brandingForm = brandingFields
  .required()
  .extend({ logo: z.string().nullable(), file: z.instanceof(File).nullable() });
export type BrandingForm = z.output<typeof brandingForm>;

export const brandingOf = (settings: OrgSettings): BrandingForm => ({
  name: settings.name,
  color: settings.color,
  title: settings.title,
  bannerText: settings.bannerText,
  loginButtonName: settings.loginButtonName,
  copyrightText: settings.copyrightText,
  logo: settings.logo,
  removeLogo: 'false',
  file: null,
});

function logoText({ file, removeLogo, logo }: BrandingForm): string {
  if (file) return t`File ${file.name}`;
  return removeLogo === 'true' || logo === null
    ? ''
    : t`Logo ${new URLSearchParams(logo.split('?')[1]).get('v') ?? ''}`;
}

/** Fields compared in the conflict dialog when two people edit the branding at the same time. */
export const brandingEditFields = [
  textField<BrandingForm>(t`Name`, 'name'),
  textField<BrandingForm>(t`Colour`, 'color'),
  { label: t`Logo`, paths: ['logo', 'file', 'removeLogo'], show: logoText },
  textField<BrandingForm>(t`Title`, 'title'),
  textField<BrandingForm>(t`Banner text`, 'bannerText'),
  textField<BrandingForm>(t`Sign-in button label`, 'loginButtonName'),
  textField<BrandingForm>(t`Copyright text`, 'copyrightText'),
];

/** Builds the multipart body. The file comes after the fields. */
export function brandingFormData({ file, logo: _present, ...fields }: BrandingForm): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  if (file) body.set('file', file);
  return body;
}
