import { t } from '@lingui/core/macro';
import { Select } from '../ui/select.tsx';
import { StatusBadge, type Tone } from '../ui/status-badge.tsx';

const STATUSES = ['delivered', 'failed', 'waiting'] as const;
export type DeliveryStatus = (typeof STATUSES)[number];

const WORDS: Readonly<Record<DeliveryStatus, { status: string; tone: Tone }>> = {
  delivered: { status: t`Delivered`, tone: 'success' },
  failed: { status: t`Failed`, tone: 'danger' },
  waiting: { status: t`Waiting`, tone: 'info' },
};

/** Whether something that the portal sends to another program has arrived. */
export const DeliveryBadge = ({ status }: { status: DeliveryStatus }) => <StatusBadge {...WORDS[status]} />;

interface DeliveryFilterProps {
  label: string;
  /** What the option that filters nothing says, e.g. 'All deliveries'. */
  all: string;
  status: DeliveryStatus | undefined;
  onChange: (status: DeliveryStatus | undefined) => void;
}

export function DeliveryFilter({ label, all, status, onChange }: DeliveryFilterProps) {
  return (
    <Select
      size="sm"
      width="36"
      aria-label={label}
      value={status ?? ''}
      onChange={({ target }) => onChange(STATUSES.find((each) => each === target.value))}
    >
      <option value="">{all}</option>
      {STATUSES.map((each) => (
        <option key={each} value={each}>
          {WORDS[each].status}
        </option>
      ))}
    </Select>
  );
}
