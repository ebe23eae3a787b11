import { chakra, Portal, Tooltip } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { differenceInCalendarDays, isValid, parseISO } from 'date-fns';
import { useId, useRef, useState, useSyncExternalStore } from 'react';
import { formatDateTime } from '#lib/format/dates.ts';
import { portalNow } from '#lib/time/portal-time.ts';
import { i18n } from '#words/words.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const inYear = new Intl.DateTimeFormat(i18n.locale === 'de' ? 'de' : 'en-GB', { day: 'numeric', month: 'short' });
const inOtherYear = new Intl.DateTimeFormat(i18n.locale === 'de' ? 'de' : 'en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/**
 * Returns how long ago a moment was: `just now`, `2 min ago`, `5 h ago`, `yesterday`, then the date. A future moment is
 * `in 5 min`, `in 2 h` or `tomorrow`. Days are local.
 * @param now the portal's time in milliseconds
 */
export function relativeTime(moment: Date, now: number): string {
  const age = now - moment.getTime();
  const minutes = Math.round(Math.abs(age) / MINUTE);
  const hours = Math.round(Math.abs(age) / HOUR);
  const days = differenceInCalendarDays(now, moment);
  if (minutes < 1) return t`just now`;
  if (minutes < 60) return age > 0 ? t`${minutes} min ago` : t`in ${minutes} min`;
  if (days === 0 || Math.abs(age) < 6 * HOUR) return age > 0 ? t`${hours} h ago` : t`in ${hours} h`;
  if (days === 1) return t`yesterday`;
  if (days === -1) return t`tomorrow`;
  return (moment.getFullYear() === new Date(now).getFullYear() ? inYear : inOtherYear).format(moment);
}

const REFRESH_MS = 20 * SECOND;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls the listener regularly. All times on a page share one timer. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, REFRESH_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

interface RelativeTimeProps {
  /** Moment as an ISO string. */
  at: string;
  /** True inside a link or button, which takes the focus instead. */
  isInControl?: boolean;
  /** Returns the exact time. */
  exact?: (at: string) => string;
  /** Returns the current time in milliseconds; by default the portal's. */
  clock?: () => number;
}

/** A moment relative to now. Hover and keyboard focus show the exact time, in a tooltip that is created on demand. */
export function RelativeTime({
  at,
  isInControl = false,
  exact = formatDateTime,
  clock = portalNow,
}: RelativeTimeProps) {
  const id = useId();
  const element = useRef<HTMLTimeElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const moment = parseISO(at);
  const text = useSyncExternalStore(subscribe, () => (isValid(moment) ? relativeTime(moment, clock()) : exact(at)));
  const show = () => setIsOpen(true);
  const hide = () => setIsOpen(false);
  return (
    <>
      <chakra.time
        ref={element}
        dateTime={at}
        whiteSpace="nowrap"
        borderRadius="xs"
        outline="0"
        focusVisibleRing="outside"
        onPointerEnter={show}
        onPointerLeave={hide}
        {...(!isInControl && {
          tabIndex: 0,
          'aria-describedby': isOpen ? id : undefined,
          onFocus: show,
          onBlur: hide,
          onKeyDown: ({ key }: { key: string }) => key === 'Escape' && hide(),
        })}
      >
        {text}
      </chakra.time>
      {isOpen && (
        <Tooltip.Root
          open
          ids={{ content: id }}
          closeOnEscape={false}
          positioning={{ placement: 'top', getAnchorRect: () => element.current?.getBoundingClientRect() ?? null }}
        >
          <Portal>
            <Tooltip.Positioner>
              <Tooltip.Content>{exact(at)}</Tooltip.Content>
            </Tooltip.Positioner>
          </Portal>
        </Tooltip.Root>
      )}
    </>
  );
}
