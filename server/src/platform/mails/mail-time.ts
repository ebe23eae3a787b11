import type { Language } from '@orchestrate/shared';

const OPTIONS = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC', year: 'numeric' } as const;
const FORMS = {
  en: () => new Intl.DateTimeFormat('en-GB', { ...OPTIONS, day: '2-digit', month: 'short' }),
  de: () => new Intl.DateTimeFormat('de-DE', { ...OPTIONS, day: 'numeric', month: 'long' }),
} as const satisfies Record<Language, () => Intl.DateTimeFormat>;

const formats: Partial<Record<Language, Intl.DateTimeFormat>> = {};

/** Created with the first mail: it takes 9 ms, which the start need not wait for. */
function formatOf(language: Language): Intl.DateTimeFormat {
  formats[language] ??= FORMS[language]();
  return formats[language];
}

/** A time for people who may be anywhere, e.g. `05 Jan 2026, 14:30 UTC` or `5. Januar 2026 um 14:30 UTC`. */
export const mailTime = (time: number, language: Language): string => `${formatOf(language).format(time)} UTC`;
