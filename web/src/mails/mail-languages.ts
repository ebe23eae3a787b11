import { t } from '@lingui/core/macro';
import { LANGUAGES, type Language } from '@orchestrate/shared';

/** The languages of mails, as administrators call them. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: t`English`, de: t`German` };

/** For a choice among them. */
export const LANGUAGE_CHOICES = LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));
