import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import { formatNumber } from '#lib/format/numbers.ts';
import { DayChart } from '#ui/chart/day-chart.tsx';

interface SignInDaysChartProps {
  days: readonly { day: string; success: number; failed: number }[];
  /** Returns the URL of a day's sign-ins; undefined for users who can't view them. */
  pathOf: ((day: string) => string) | undefined;
  /** The day that the list is limited to. */
  selected?: string | undefined;
  /** `sm` above a list. */
  size?: 'sm' | 'md';
}

/** Shows the sign-ins of the last days, successful and failed. */
export function SignInDaysChart({ days, pathOf, selected, size }: SignInDaysChartProps) {
  return (
    <DayChart
      label={t`Sign-ins of the last ${LIMITS.chartDays} days`}
      days={days.map(({ day, success, failed }) => ({ day, values: [success, failed] }))}
      series={[
        { name: t`Successful`, tone: 'plain' },
        { name: t`Failed`, tone: 'danger' },
      ]}
      describe={([success = 0, failed = 0]) => t`${formatNumber(success)} successful, ${formatNumber(failed)} failed`}
      to={pathOf}
      selected={selected}
      {...(size && { size })}
    />
  );
}
