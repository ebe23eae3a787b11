import { Flex, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { portalNow } from '#lib/time/portal-time.ts';
import { Select } from '#ui/form/select.tsx';
import { type Period, type PeriodName, periodName, periodOf, readDay } from './activity-address.ts';

interface PeriodFilterProps {
  period: Period;
  onChange: (period: Period) => void;
  /** Width of the list of periods. Default: all available. */
  width?: '40';
}

/** Selects a preset period or a custom range of days. */
export function PeriodFilter({ period, onChange, width }: PeriodFilterProps) {
  const [isOwn, setIsOwn] = useState(false);
  const named = periodName(period, portalNow());
  const shown: PeriodName = isOwn ? 'custom' : named;
  const choose = (name: PeriodName) => {
    setIsOwn(name === 'custom');
    if (name === 'any') onChange({});
    else if (name !== 'custom') onChange(periodOf(name, portalNow()));
  };
  return (
    <>
      <Select
        aria-label={t`When`}
        width={width}
        value={shown}
        onChange={({ target }) => choose(target.value as PeriodName)}
      >
        <option value="any">{t`Any time`}</option>
        <option value="today">{t`Today`}</option>
        <option value="week">{t`Last 7 days`}</option>
        <option value="month">{t`Last 30 days`}</option>
        <option value="custom">{t`Custom dates`}</option>
      </Select>
      {shown === 'custom' && (
        <Flex gap="2" align="center" wrap="wrap" maxW="full" gridColumn="span 2">
          <Day label={t`Start date`} value={period.from} onChange={(from) => onChange({ ...period, from })} />
          <Day label={t`End date`} value={period.to} onChange={(to) => onChange({ ...period, to })} />
        </Flex>
      )}
    </>
  );
}

interface DayProps {
  label: string;
  value: string | undefined;
  onChange: (day: string | undefined) => void;
}

const Day = ({ label, value, onChange }: DayProps) => (
  <Input
    type="date"
    aria-label={label}
    title={label}
    flex="1 1 9rem"
    minW="0"
    maxW="38"
    value={value ?? ''}
    onChange={({ target }) => onChange(readDay(target.value))}
  />
);
