import { brandingFields, type OrgSettings } from '@orchestrate/shared';
import { z } from 'zod';

/** The form of the branding: the contract's fields, and the logo that was chosen. */
export const brandingForm = brandingFields.required().extend({ file: z.instanceof(File).nullable() });
export type BrandingForm = z.output<typeof brandingForm>;

export const brandingOf = (settings: OrgSettings): BrandingForm => ({
  name: settings.name,
  color: settings.color,
  title: settings.title,
  bannerText: settings.bannerText,
  loginButtonName: settings.loginButtonName,
  copyrightText: settings.copyrightText,
  removeLogo: 'false',
  file: null,
});

/** As it goes over the wire: the file last, after the fields. */
export function brandingUpload({ file, ...fields }: BrandingForm): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  if (file) body.set('file', file);
  return body;
}
