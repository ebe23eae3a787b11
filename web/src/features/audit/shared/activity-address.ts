import type { AuditActorKind } from '@orchestrate/shared';
import { addDays, format, isValid, parseISO, startOfDay, subDays } from 'date-fns';
import { paths } from '#paths.ts';

/** Query parameters for the activity list's filters. */
export const activityParameters = {
  q: 'q',
  actor: 'by',
  actorKind: 'kind',
  action: 'action',
  objectType: 'type',
  objectId: 'object',
  suid: 'about',
  from: 'from',
  to: 'to',
} as const;

export type ActivityParameter = keyof typeof activityParameters;

/** Filter values as they appear in the URL, with times as local days. */
export type ActivityAddress = Partial<Record<Exclude<ActivityParameter, 'actorKind'>, string | undefined>> & {
  actorKind?: AuditActorKind | undefined;
};

/** Returns the URL path of the activity list with these filters. */
export function activityPath(filters: ActivityAddress): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filters))
    if (value) search.set(activityParameters[name as ActivityParameter], value);
  return search.size > 0 ? `${paths.activity}?${search}` : paths.activity;
}

/** Inclusive range of local days, as `yyyy-MM-dd`. Without a start or end, the range is open on that side. */
export interface Period {
  from?: string | undefined;
  to?: string | undefined;
}

const DAY = 'yyyy-MM-dd';

const days = { today: 1, week: 7, month: 30 } as const;
type Preset = keyof typeof days;

/** Preset periods, all ending today, or 'custom' for any other period. */
export type PeriodName = 'any' | Preset | 'custom';

/** Parses a day from the URL, or returns undefined if it's invalid. */
export function readDay(text: string | null): string | undefined {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  return isValid(parseISO(text)) ? text : undefined;
}

/**
 * Returns the local day of a time.
 * @param time in milliseconds, or a Date
 */
export const dayOf = (time: number | Date): string => format(time, DAY);

/** Converts a period to the API's form: `from` inclusive, `to` exclusive. */
export function spanOf({ from, to }: Period): { from?: string; to?: string } {
  return {
    ...(from && { from: startOfDay(parseISO(from)).toISOString() }),
    ...(to && { to: addDays(startOfDay(parseISO(to)), 1).toISOString() }),
  };
}

/**
 * Returns a preset's days.
 * @param now the portal's time in milliseconds
 */
export function periodOf(preset: Preset, now: number): Period {
  return { from: dayOf(subDays(now, days[preset] - 1)) };
}

/**
 * Returns the preset that matches a period, or 'custom'.
 * @param now the portal's time in milliseconds
 */
export function periodName(period: Period, now: number): PeriodName {
  if (!period.from && !period.to) return 'any';
  if (period.to) return 'custom';
  const presets = Object.keys(days) as Preset[];
  return presets.find((preset) => periodOf(preset, now).from === period.from) ?? 'custom';
}
