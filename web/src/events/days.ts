import { t } from '@lingui/core/macro';
import { format, isSameDay, parseISO, subDays } from 'date-fns';
import { formatDay } from '../lib/format/dates.ts';

export interface Day<Item> {
  /** Local, e.g. `2026-11-22`. */
  day: string;
  /** 'Today', 'Yesterday', or the date. */
  label: string;
  items: Item[];
}

/** What happened by local days, in its order. @param now the portal's time in milliseconds */
export function byDay<Item>(items: readonly Item[], timeOf: (item: Item) => string, now: number): Day<Item>[] {
  const days: Day<Item>[] = [];
  for (const item of items) {
    const time = parseISO(timeOf(item));
    const day = format(time, 'yyyy-MM-dd');
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else days.push({ day, label: labelOf(time, now), items: [item] });
  }
  return days;
}

function labelOf(time: Date, now: number): string {
  if (isSameDay(time, now)) return t`Today`;
  if (isSameDay(time, subDays(now, 1))) return t`Yesterday`;
  return formatDay(time);
}
