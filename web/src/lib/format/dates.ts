import { format, isValid, parseISO } from 'date-fns';

const MINUTES = 'dd MMM yyyy, hh:mm a';
const SECONDS = 'dd MMM yyyy, hh:mm:ss a';

function formatWith(pattern: string, moment: string | number | Date | null | undefined): string {
  if (moment === null || moment === undefined || moment === '') return 'N/A';
  const date = typeof moment === 'string' ? parseISO(moment) : moment;
  return isValid(date) ? format(date, pattern) : 'N/A';
}

/** `20 Nov 2026, 08:02 AM` in local time from an ISO string, milliseconds or a date; 'N/A' where there is none. */
export const formatDateTime = (moment: string | number | Date | null | undefined) => formatWith(MINUTES, moment);

/** `20 Nov 2026, 08:02:31 AM`, the form of the 'Last refresh' time. */
export const formatDateTimeSeconds = (moment: string | number | Date | null | undefined) => formatWith(SECONDS, moment);
