import { Button, Flex, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { Send } from 'lucide-react';
import type { ReactNode } from 'react';
import type { useWrite } from '#lib/api/use-write.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { StatusBadge, type Tone } from '#ui/feedback/status-badge.tsx';
import { Select } from '#ui/form/select.tsx';

interface DeliveryDetailsProps {
  delivery: { attempts: number; nextAttemptAt: string | null; error: string };
  resending: Pick<ReturnType<typeof useWrite>, 'isPending' | 'refusal'>;
  /** Resends the delivery. Throws ApiRefusal if that fails. */
  onResend: () => Promise<unknown>;
  /** Delivery ID, shown after the number of attempts. */
  id?: ReactNode;
  /** Request and response of the delivery. */
  children: ReactNode;
}

/** Shows the number of attempts and the failure reason, with a button to resend the delivery. */
export function DeliveryDetails({ delivery, resending, onResend, id, children }: DeliveryDetailsProps) {
  const { attempts, nextAttemptAt, error } = delivery;
  const { isPending, refusal } = resending;
  const resend = async () => {
    try {
      await onResend();
    } catch {
      // The page displays `resending.refusal`.
    }
  };
  return (
    <Flex direction="column" gap="4" py="1">
      <Flex gap="4" justify="space-between" align="center" wrap="wrap">
        <Text color="fg.muted">
          {nextAttemptAt
            ? t`${plural(attempts, { one: '# attempt', other: '# attempts' })}, next attempt ${formatDateTimeSeconds(nextAttemptAt)}`
            : plural(attempts, { one: '# attempt', other: '# attempts' })}
          {id}
        </Text>
        <Button size="sm" variant="outline" loading={isPending} loadingText={t`Resend`} onClick={() => void resend()}>
          <Send aria-hidden />
          {t`Resend`}
        </Button>
      </Flex>
      {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
      {error && <Text color="danger.fg">{error}</Text>}
      {children}
    </Flex>
  );
}

const STATUSES = ['delivered', 'failed', 'waiting'] as const;
export type DeliveryStatus = (typeof STATUSES)[number];

const WORDS: Readonly<Record<DeliveryStatus, { status: string; tone: Tone }>> = {
  delivered: { status: t`Delivered`, tone: 'success' },
  failed: { status: t`Failed`, tone: 'danger' },
  waiting: { status: t`Pending`, tone: 'info' },
};

/** Status of an outgoing request to another system. */
export const DeliveryBadge = ({ status }: { status: DeliveryStatus }) => <StatusBadge {...WORDS[status]} />;

interface DeliveryFilterProps {
  label: string;
  /** Label of the option that clears the filter, e.g. 'All deliveries'. */
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
