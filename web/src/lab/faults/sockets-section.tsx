import { Button, chakra, Grid, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  addSocketFault,
  clearSocketFaults,
  readSocketFaults,
  type SocketFault,
  socketFault,
} from '@orchestrate/shared';
import { Unplug } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { SoftDisabledButton } from '#ui/feedback/soft-disabled-button.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { NumberField } from '#ui/form/number-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { Section } from '#ui/list/section.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { useLiveRead } from '../lab-updates.tsx';
import { EmptyList, LineList } from '../line-list.tsx';
import { useLabForm } from '../use-control.ts';
import { timesText } from './fault-text.ts';

/** Labels for the effects of a socket fault on the next connection or message. */
const SOCKET_ACTS: Record<SocketFault['do'], string> = {
  refuse: t`Refuse the connection`,
  cut: t`Drop the connection`,
  close: t`Close the connection`,
  delay: t`Delay the message`,
  duplicate: t`Send the message twice`,
  drop: t`Drop the message`,
  reorder: t`Send the message after the next one`,
};
const acts = Object.keys(SOCKET_ACTS) as SocketFault['do'][];
const channels = socketFault.shape.channel.options;

/** Form for a socket fault. */
function SocketFaultForm({ onAdded }: { onAdded: () => void }) {
  const [channel, setChannel] = useState<SocketFault['channel']>('login');
  const [act, setAct] = useState<SocketFault['do']>('cut');
  const [state, setState] = useState('');
  const [code, setCode] = useState('');
  const [ms, setMs] = useState('');
  const [times, setTimes] = useState('1');
  const { send, errors, isPending } = useLabForm(addSocketFault, ['code', 'ms', 'state', 'times']);

  const add = async () => {
    const isAdded = await send({
      channel,
      do: act,
      times: Number(times),
      ...(state.trim() && act !== 'refuse' && { state: state.trim() }),
      ...(code && act === 'close' && { code: Number(code) }),
      ...(ms && act === 'delay' && { ms: Number(ms) }),
    });
    if (isAdded) onAdded();
  };
  return (
    <chakra.form
      noValidate
      aria-label={t`New socket fault`}
      display="flex"
      flexDirection="column"
      gap="4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void add();
      }}
    >
      <Grid
        gap="4"
        templateColumns={{ base: '1fr', xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(4, minmax(0, 1fr))' }}
        alignItems="start"
      >
        <FormField label={t`Channel`}>
          <Select
            value={channel}
            onChange={({ target }) => setChannel(channels.find((one) => one === target.value) ?? channel)}
          >
            {channels.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </Select>
        </FormField>
        <FormField label={t`Effect`}>
          <Select value={act} onChange={({ target }) => setAct(acts.find((one) => one === target.value) ?? act)}>
            {acts.map((one) => (
              <option key={one} value={one}>
                {SOCKET_ACTS[one]}
              </option>
            ))}
          </Select>
        </FormField>
        {act === 'close' && (
          <NumberField
            label={t`Close code`}
            min={1_000}
            max={4_999}
            error={errors.code}
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        )}
        {act === 'delay' && (
          <NumberField
            label={t`Delay`}
            unit={t`ms`}
            min={1}
            max={60_000}
            error={errors.ms}
            value={ms}
            onChange={({ target }) => setMs(target.value)}
          />
        )}
        {act !== 'refuse' && (
          <FormField label={t`Only in this state`} error={errors.state}>
            <Input
              placeholder={t`any, e.g. success`}
              autoCapitalize="none"
              spellCheck={false}
              value={state}
              onChange={({ target }) => setState(target.value)}
            />
          </FormField>
        )}
        <NumberField
          label={t`Times to trigger`}
          min={1}
          max={1_000}
          error={errors.times}
          value={times}
          onChange={({ target }) => setTimes(target.value)}
        />
      </Grid>
      {errors.root && <AlertLine>{errors.root}</AlertLine>}
      <SoftDisabledButton type="submit" alignSelf="flex-start" isDisabled={isPending}>
        {t`Add socket fault`}
      </SoftDisabledButton>
    </chakra.form>
  );
}

/** Socket faults: a form, the pending faults and the triggered faults. */
export function SocketsSection() {
  const { data, refetch } = useLiveRead(readSocketFaults, {});
  const { run } = useWrite(clearSocketFaults);
  const { faults = [], fired = [] } = data ?? {};
  const clear = async () => {
    await run({}).catch(() => undefined);
    await refetch();
  };
  return (
    <>
      <PageHeader
        title={t`Sockets`}
        description={t`Refuse, drop or close live connections, and delay, duplicate, drop or reorder their messages.`}
      />
      <Section title={t`New socket fault`}>
        <SocketFaultForm onAdded={() => void refetch()} />
      </Section>
      <Section
        title={t`Pending`}
        isFlush
        aside={
          faults.length + fired.length > 0 && (
            <Button variant="ghost" size="sm" onClick={() => void clear()}>
              {t`Remove all socket faults`}
            </Button>
          )
        }
      >
        {faults.length > 0 ? (
          <LineList
            label={t`Pending socket faults`}
            isCode
            lines={faults.map((fault) => ({
              what: channelText(fault),
              how: `${actOf(fault)}, ${timesText(fault.times)}`,
            }))}
          />
        ) : (
          <EmptyList
            isRead={data !== undefined}
            icon={Unplug}
            title={t`No pending socket faults`}
            description={t`Connections and messages work normally. Add a socket fault to change that.`}
          />
        )}
      </Section>
      {fired.length > 0 && (
        <Section title={t`Triggered`} isFlush>
          <LineList
            label={t`Triggered socket faults`}
            isCode
            lines={fired.map(({ at, fault }) => ({
              what: channelText(fault),
              how: joinWithDots(actOf(fault), formatDateTimeSeconds(at)),
            }))}
          />
        </Section>
      )}
    </>
  );
}

const channelText = ({ channel, state }: SocketFault): string =>
  state === undefined ? `/ws/${channel}` : t`/ws/${channel}, state ${state}`;

function actOf({ do: act, code, ms }: SocketFault): string {
  if (code !== undefined) return t`Close the connection with code ${code}`;
  const words = SOCKET_ACTS[act];
  return ms === undefined ? words : t`${words} by ${ms} ms`;
}
