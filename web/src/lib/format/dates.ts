import { t } from '@lingui/core/macro';
import { format, isValid, parseISO } from 'date-fns';
import { i18n } from '#words/words.ts';

/**
 * English uses the spec's pattern (spec 1 §1), with a no-break space before AM/PM. Other languages use their locale's
 * format.
 */
const HAS_PATTERN = !i18n.locale || i18n.locale === 'en';

const MINUTES = { day: '2-digit', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
const inMinutes = new Intl.DateTimeFormat(i18n.locale || 'en', MINUTES);
const inSeconds = new Intl.DateTimeFormat(i18n.locale || 'en', { ...MINUTES, second: '2-digit' });

function formatWith(
  pattern: string,
  own: Intl.DateTimeFormat,
  moment: string | number | Date | null | undefined,
): string {
  if (moment === null || moment === undefined || moment === '') return t`N/A`;
  const date = typeof moment === 'string' ? parseISO(moment) : new Date(moment);
  if (!isValid(date)) return t`N/A`;
  return HAS_PATTERN ? format(date, pattern) : own.format(date);
}

/**
 * Formats an ISO string, milliseconds or a date as `20 Nov 2026, 08:02 AM` in local time. Returns 'N/A' if the time
 * is missing or invalid.
 */
export const formatDateTime = (moment: string | number | Date | null | undefined) =>
  formatWith('dd MMM yyyy, hh:mm\u00a0a', inMinutes, moment);

const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const inTimes = new Intl.DateTimeFormat(i18n.locale || 'en', TIME);

/** Formats a time as `08:02:31 AM` in local time. */
export const formatTime = (moment: string) => formatWith('hh:mm:ss\u00a0a', inTimes, moment);

const DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
const inDays = new Intl.DateTimeFormat(i18n.locale || 'en', DAY);

/** Formats a day as `Friday, 20 November 2026` in local time. */
export const formatDay = (moment: Date) => formatWith('EEEE, d MMMM yyyy', inDays, moment);

/** Formats a 'Last refresh' time as `20 Nov 2026, 08:02:31 AM` in local time. */
export const formatDateTimeSeconds = (moment: string | number | Date | null | undefined) =>
  formatWith('dd MMM yyyy, hh:mm:ss\u00a0a', inSeconds, moment);

/**
 * Converts a date and time field's value to ISO 8601. Invalid values, such as a year with too many digits, are
 * returned unchanged because the portal validates them.
 */
export function isoFromField(field: string): string {
  const moment = new Date(field);
  return Number.isNaN(moment.getTime()) ? field : moment.toISOString();
}
