import { Button, Flex, Text } from '@chakra-ui/react';
import { DAY, HOUR, MINUTE, readClock, SECOND, setClock } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { now } from '../adapters/clock.ts';
import { useWrite } from '../lib/api/use-endpoint.ts';
import { formatDateTimeSeconds } from '../lib/format/dates.ts';
import { resultText } from '../lib/notices/result-text.ts';
import { AlertLine } from '../ui/alert-line.tsx';
import { FormField } from '../ui/form-field.tsx';
import { Section } from '../ui/section.tsx';
import { Select } from '../ui/select.tsx';
import { useFollowed } from './lab-news.tsx';

const steps = [
  { label: '+ 1 minute', ms: MINUTE },
  { label: '+ 1 hour', ms: HOUR },
  { label: '+ 1 day', ms: DAY },
];

const modes = {
  real: 'The machine’s own time.',
  offset: 'Ahead of the machine, and running.',
  frozen: 'Frozen.',
};

/** Milliseconds since a moment, updated every second while it runs. */
function useElapsed(since: unknown, isRunning: boolean): number {
  const [begun, setBegun] = useState(() => ({ since, at: now() }));
  const [time, setTime] = useState(now);
  if (begun.since !== since) {
    setBegun({ since, at: now() });
    setTime(now());
  }
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setTime(now()), SECOND);
    return () => clearInterval(timer);
  }, [isRunning]);
  return isRunning ? Math.max(0, time - begun.at) : 0;
}

/** The clock that everything follows; whatever falls due by advancing it has happened before the answer. */
export function ClockPanel() {
  const { data, refetch } = useFollowed(readClock, {});
  const { run, isPending, refusal } = useWrite(setClock);
  const elapsed = useElapsed(data, data !== undefined && data.mode !== 'frozen');
  const present = data && Date.parse(data.now) + elapsed;

  const set = async (body: Parameters<typeof run>[0]['body']) => {
    try {
      await run({ body });
    } catch {
      // `refusal` shows it.
    }
    await refetch();
  };
  return (
    <Section title="Clock">
      <Flex direction="column" gap="4">
        <Flex direction="column" gap="0.5">
          <Text textStyle="code" fontSize="lg" fontWeight="semibold">
            {present === undefined ? '…' : formatDateTimeSeconds(present)}
          </Text>
          <Text color="fg.muted" textStyle="sm" role="status">
            {data ? modes[data.mode] : 'Asking for the time.'}
          </Text>
        </Flex>
        <Flex gap="2" wrap="wrap">
          {steps.map(({ label, ms }) => (
            <Button
              key={label}
              variant="outline"
              size="sm"
              disabled={isPending}
              onClick={() => void set({ advanceSeconds: ms / SECOND })}
            >
              {label}
            </Button>
          ))}
        </Flex>
        <Flex gap="2" wrap="wrap">
          <Button
            variant="outline"
            size="sm"
            disabled={isPending || present === undefined || data?.mode === 'frozen'}
            onClick={() => void set({ freezeAt: new Date(present ?? 0).toISOString() })}
          >
            Freeze
          </Button>
          <Button
            variant="outline"
            size="sm"
            disabled={isPending || data?.mode === 'real'}
            onClick={() => void set({ mode: 'real' })}
          >
            Real time
          </Button>
        </Flex>
        <FormField label="Time that other programs are told" help="In OIDC tokens, SAML messages and webhooks">
          <Select
            value={data?.tokens ?? 'machine'}
            disabled={isPending || !data}
            onChange={({ target }) => void set({ tokens: target.value === 'lab' ? 'lab' : 'machine' })}
          >
            <option value="machine">The machine’s</option>
            <option value="lab">This clock’s</option>
          </Select>
        </FormField>
        {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
      </Flex>
    </Section>
  );
}
