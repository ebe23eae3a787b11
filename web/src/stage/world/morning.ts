import { addMinutes, differenceInMinutes, max, startOfDay } from 'date-fns';

/** Minutes after 07:30 at which people sign in: few at first, most around 08:30, and some in the rest of the day. */
const ARRIVALS = [
  2, 9, 15, 21, 24, 28, 31, 35, 38, 41, 44, 46, 49, 51, 53, 55, 57, 58, 60, 61, 63, 65, 66, 68, 70, 73, 75, 79, 82, 86,
  90, 95, 99, 104, 110, 117, 125, 138, 155, 176, 204, 236, 270, 318, 341, 377, 415, 450, 489, 530,
];
/** Of them, those that failed: denied by mistake, a wrong number, and one that was really somebody else. */
const FAILED: ReadonlyMap<number, 'cancel' | 'wrong-number' | 'not-me'> = new Map([
  [38, 'cancel'],
  [63, 'wrong-number'],
  [90, 'not-me'],
]);

const BEGIN_MINUTES = 7 * 60 + 30;
/** By then most have come. */
const BUSY_MINUTES = 150;

export interface Arrival {
  /** Minutes before now. */
  minutesAgo: number;
  /** Why it failed; null for a success. */
  failure: 'cancel' | 'wrong-number' | 'not-me' | null;
}

/**
 * The sign-ins of the day until `now`, oldest first. Before ten o'clock the morning is drawn together, so that it looks
 * like one whenever the stage is opened; none of it lies before midnight.
 */
export function arrivalsUntil(now: Date): Arrival[] {
  const midnight = startOfDay(now);
  const begin = addMinutes(midnight, BEGIN_MINUTES);
  const passed = differenceInMinutes(now, begin);
  const isEarly = passed < BUSY_MINUTES;
  const from = isEarly ? max([midnight, addMinutes(now, -BUSY_MINUTES)]) : begin;
  const length = Math.max(differenceInMinutes(now, from) - 1, 0);
  const scale = isEarly ? length / BUSY_MINUTES : 1;
  return ARRIVALS.filter((minute) => minute * scale < length).map((minute) => ({
    minutesAgo: length + 1 - Math.round(minute * scale),
    failure: FAILED.get(minute) ?? null,
  }));
}
