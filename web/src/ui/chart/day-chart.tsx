import { Box, chakra, Flex, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { format, parseISO } from 'date-fns';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { formatDay } from '#lib/format/dates.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { i18n } from '#words/words.ts';

/** Heights of the highest possible bar, in pixels. */
const PLOTS = { md: 148, sm: 84 };
type ChartSize = keyof typeof PLOTS;

/** Height of a label of the axis, in pixels. */
const LABEL = 16;
/** Gap between the parts of a bar, in pixels. */
const GAP = 2;
/** Height of the smallest part that isn't zero, so that one failure among a thousand sign-ins stays visible. */
const LEAST = 4;

export interface ChartSeries {
  name: string;
  /** `plain` is filled with the brand colour; `danger` is red and hatched, to tell them apart without colours. */
  tone: 'plain' | 'danger';
}

export interface ChartDay {
  /** Local day, e.g. `2026-11-28`. */
  day: string;
  /** One value for each series, from the bottom of the bar to its top. */
  values: readonly number[];
}

interface DayChartProps {
  /** Accessible name, e.g. 'Sign-ins of the last 14 days'. */
  label: string;
  /** Oldest first; the last day is today. */
  days: readonly ChartDay[];
  series: readonly ChartSeries[];
  /** Describes the values of a day or of all days in words, e.g. `22 sign-ins, 2 failed`. */
  describe: (values: readonly number[]) => string;
  /** Returns the URL of a day's list. Without it, days can be read but not opened. */
  to?: ((day: string) => string) | undefined;
  /** The day that the page's list is limited to. */
  selected?: string | undefined;
  /** `sm` above a list. */
  size?: ChartSize;
}

const shortMonth = new Intl.DateTimeFormat(i18n.locale === 'de' ? 'de' : 'en-GB', { month: 'short' });

/**
 * Stacked bars of the last days. The chart is a list of days in words, one tab stop whose arrow keys move between the
 * days; hover and focus show a day's values above the bars.
 */
export function DayChart({ label, days, series, describe, to, selected, size = 'md' }: DayChartProps) {
  const plot = PLOTS[size];
  const hatch = `hatch-${useId().replaceAll(':', '')}`;
  const items = useRef(new Map<number, HTMLElement>());
  const [stop, setStop] = useState(days.length - 1);
  const [read, setRead] = useState<number>();
  const top = scaleTop(Math.max(1, ...days.map(({ values }) => sum(values))));
  const shown = read === undefined ? undefined : days[read];
  const totals = series.map((_, nth) => days.reduce((total, { values }) => total + (values[nth] ?? 0), 0));

  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -days.length, End: days.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(days.length - 1, Math.max(0, stop + step));
    items.current.get(next)?.focus();
  };

  return (
    <Box>
      <Flex align="center" justify="space-between" gap="4" wrap="wrap" minH="8" pb="3">
        <Text textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums" aria-hidden>
          {`${shown ? dayName(shown.day, shown === days.at(-1)) : t`Last ${days.length} days`}: ${describe(shown?.values ?? totals)}`}
        </Text>
        {series.length > 1 && <Legend series={series} />}
      </Flex>
      <Flex gap="3">
        <Axis top={top} plot={plot} />
        <Box position="relative" flex="1" minW="0">
          <GridLines plot={plot} />
          <chakra.svg position="absolute" w="0" h="0" aria-hidden>
            <Hatch id={hatch} />
          </chakra.svg>
          <chakra.ul
            aria-label={label}
            position="relative"
            display="grid"
            gridTemplateColumns={`repeat(${days.length}, minmax(0, 1fr))`}
            listStyleType="none"
            onKeyDown={move}
            onPointerLeave={() => setRead(undefined)}
          >
            {days.map(({ day, values }, nth) => (
              <li key={day}>
                <Column
                  to={to?.(day)}
                  name={`${dayName(day, nth === days.length - 1)}: ${describe(values)}`}
                  isSelected={day === selected}
                  isStop={nth === stop}
                  ref={(element) => {
                    if (element) items.current.set(nth, element);
                    else items.current.delete(nth);
                  }}
                  onRead={() => setRead(nth)}
                  onFocus={() => {
                    setStop(nth);
                    setRead(nth);
                  }}
                  onBlur={() => setRead(undefined)}
                >
                  <Bar
                    values={values}
                    series={series}
                    top={top}
                    plot={plot}
                    hatch={hatch}
                    isStrong={selected === undefined ? nth === days.length - 1 : day === selected}
                  />
                  <DayLabel day={day} nth={nth} isToday={nth === days.length - 1} />
                </Column>
              </li>
            ))}
          </chakra.ul>
        </Box>
      </Flex>
    </Box>
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const dayName = (day: string, isToday: boolean) =>
  isToday ? t`Today, ${formatDay(parseISO(day))}` : formatDay(parseISO(day));

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10];

/** Returns the smallest round number, divisible by two, that isn't below the highest bar. */
function scaleTop(highest: number): number {
  const half = highest / 2;
  const power = 10 ** Math.max(0, Math.floor(Math.log10(half)));
  const step = STEPS.find((each) => each * power >= half && Number.isInteger(each * power)) ?? 10;
  return 2 * step * power;
}

interface ColumnProps {
  to: string | undefined;
  name: string;
  isSelected: boolean;
  isStop: boolean;
  ref: (element: HTMLElement | null) => void;
  onRead: () => void;
  onFocus: () => void;
  onBlur: () => void;
  children: ReactNode;
}

const column = {
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  borderRadius: 'l1',
  outline: '0',
  focusVisibleRing: 'inside',
  _hover: { bg: 'bg.muted' },
  _currentPage: { bg: 'bg.muted' },
} as const;

const ColumnLink = chakra(Link, { base: column });

function Column({ to, name, isSelected, isStop, onRead, children, ...events }: ColumnProps) {
  const shared = { 'aria-label': name, tabIndex: isStop ? 0 : -1, onPointerEnter: onRead, ...events };
  if (to === undefined)
    return (
      <chakra.span role="img" {...column} {...shared}>
        {children}
      </chakra.span>
    );
  return (
    <ColumnLink to={to} aria-current={isSelected ? 'page' : undefined} {...shared}>
      {children}
    </ColumnLink>
  );
}

interface BarProps {
  values: readonly number[];
  series: readonly ChartSeries[];
  top: number;
  plot: number;
  /** ID of the pattern for `danger`. */
  hatch: string;
  isStrong: boolean;
}

function Bar({ values, series, top, plot, hatch, isStrong }: BarProps) {
  let from = plot;
  return (
    <chakra.svg w="60%" maxW="9" h={`${plot}px`} aria-hidden overflow="visible">
      {values.map((value, nth) => {
        if (value === 0) return null;
        const height = Math.max(LEAST, (value / top) * plot);
        from -= height;
        const y = from;
        from -= GAP;
        const isDanger = series[nth]?.tone === 'danger';
        return (
          <chakra.rect
            key={series[nth]?.name}
            x="0.5"
            y={y}
            width="calc(100% - 1px)"
            height={height}
            rx="2"
            strokeWidth="1"
            {...(isDanger
              ? { fill: `url(#${hatch})`, stroke: 'danger.solid', _highContrast: { stroke: 'CanvasText' } }
              : {
                  fill: isStrong ? 'brand.line' : 'brand.emphasized',
                  stroke: 'brand.line',
                  _highContrast: { fill: isStrong ? 'Highlight' : 'CanvasText', stroke: 'CanvasText' },
                })}
          />
        );
      })}
    </chakra.svg>
  );
}

/** Diagonal red lines, which also differ from a filled bar without colours. */
function Hatch({ id }: { id: string }) {
  return (
    <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <chakra.rect width="5" height="5" fill="danger.muted" _highContrast={{ fill: 'Canvas' }} />
      <chakra.rect width="2.5" height="5" fill="danger.solid" _highContrast={{ fill: 'CanvasText' }} />
    </pattern>
  );
}

/** The day of the month, with the month's name below it at the start and where a month begins. */
function DayLabel({ day, nth, isToday }: { day: string; nth: number; isToday: boolean }) {
  const date = parseISO(day);
  const hasMonth = nth === 0 || date.getDate() === 1;
  return (
    <chakra.span
      pt="1.5"
      textStyle="xs"
      whiteSpace="nowrap"
      textAlign="center"
      fontVariantNumeric="tabular-nums"
      color={isToday ? 'fg' : 'fg.muted'}
      fontWeight={isToday ? 'semibold' : 'normal'}
      // Decoration: the link's name has the whole date.
      _after={hasMonth && !isToday ? { content: JSON.stringify(shortMonth.format(date)), display: 'block' } : {}}
    >
      {isToday ? t`Today` : format(date, 'd')}
    </chakra.span>
  );
}

function Legend({ series }: { series: readonly ChartSeries[] }) {
  const hatch = `hatch-${useId().replaceAll(':', '')}`;
  return (
    <Flex gap="4" textStyle="xs" color="fg.muted" aria-hidden>
      {series.map(({ name, tone }) => (
        <Flex key={name} as="span" align="center" gap="1.5">
          <chakra.svg w="3" h="3">
            <Hatch id={hatch} />
            <chakra.rect
              x="0.5"
              y="0.5"
              width="11"
              height="11"
              rx="2"
              {...(tone === 'danger'
                ? { fill: `url(#${hatch})`, stroke: 'danger.solid', _highContrast: { stroke: 'CanvasText' } }
                : {
                    fill: 'brand.emphasized',
                    stroke: 'brand.line',
                    _highContrast: { fill: 'CanvasText', stroke: 'CanvasText' },
                  })}
            />
          </chakra.svg>
          {name}
        </Flex>
      ))}
    </Flex>
  );
}

function Axis({ top, plot }: { top: number; plot: number }) {
  return (
    <Flex
      aria-hidden
      direction="column"
      justify="space-between"
      align="flex-end"
      // Each label is centred on its line.
      h={`${plot + LABEL}px`}
      mt={`-${LABEL / 2}px`}
      minW="5"
      textStyle="xs"
      lineHeight={`${LABEL}px`}
      color="fg.subtle"
      fontVariantNumeric="tabular-nums"
    >
      {[top, top / 2, 0].map((value) => (
        <span key={value}>{formatNumber(value)}</span>
      ))}
    </Flex>
  );
}

function GridLines({ plot }: { plot: number }) {
  return (
    <Box aria-hidden position="absolute" insetX="0" top="0" h={`${plot}px`} pointerEvents="none">
      {['0%', '50%', '100%'].map((top) => (
        <Box key={top} position="absolute" insetX="0" top={top} borderTopWidth="1px" />
      ))}
    </Box>
  );
}

/** Reserves a chart's space while it loads. */
export function DayChartSkeleton({ label, size = 'md' }: { label: string; size?: ChartSize }) {
  return (
    <Box role="status" aria-label={label}>
      <Flex align="center" h="8" pb="3">
        <Skeleton h="3" w="40" />
      </Flex>
      <Flex align="flex-end" gap="3%" h={`${PLOTS[size]}px`} mb="42px" ps="8">
        {[55, 70, 30, 15, 80, 90, 75, 85, 65, 25, 20, 80, 75, 50].map((height, nth) => (
          <Skeleton key={nth} flex="1" h={`${height}%`} />
        ))}
      </Flex>
    </Box>
  );
}
