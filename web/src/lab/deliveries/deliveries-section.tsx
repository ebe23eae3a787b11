import { Button, chakra, Grid, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  AUDIT_ACTIONS,
  addOutboxFault,
  addWebhookFault,
  clearOutboxFaults,
  clearWebhookFaults,
  forgeDelivery,
  type OutboxFault,
  readOutboxFaults,
  readWebhookFaults,
  type WebhookFault,
  type WRONG_SIGNATURES,
} from '@orchestrate/shared';
import { Webhook } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { SoftDisabledButton } from '#ui/feedback/soft-disabled-button.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { NumberField } from '#ui/form/number-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { Section } from '#ui/list/section.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { timesText } from '../faults/fault-text.ts';
import { useLiveRead } from '../lab-updates.tsx';
import { EmptyList, LineList } from '../line-list.tsx';
import { useLabForm } from '../use-control.ts';

/** Labels for the effects of a webhook fault on the next delivery. */
const EFFECTS: Record<WebhookFault['do'], string> = {
  drop: t`Drop the delivery`,
  delay: t`Delay the delivery`,
  duplicate: t`Send the delivery twice`,
  reorder: t`Send the delivery after the next one`,
  'mis-sign': t`Sign the delivery wrongly`,
};

type Signature = (typeof WRONG_SIGNATURES)[number];
const SIGNATURES: Record<Signature, string> = {
  'wrong-secret': t`Wrong secret`,
  altered: t`Body altered after signing`,
  old: t`Timestamp an hour old`,
  future: t`Timestamp an hour ahead`,
  missing: t`No signature`,
};

const REPLIES: Record<OutboxFault['smtp'], string> = {
  421: t`421, temporary`,
  451: t`451, temporary`,
  550: t`550, permanent`,
};

/** Returns the options of a list whose values have labels. */
const options = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

/** Options of the lists of event types. */
const eventOptions = AUDIT_ACTIONS.map((action) => <option key={action}>{action}</option>);

interface ControlFormProps {
  label: string;
  button: string;
  error: string | undefined;
  isPending: boolean;
  onSubmit: () => Promise<void>;
  children: ReactNode;
}

/** A form with fields side by side, and its error and button below. */
function ControlForm({ label, button, error, isPending, onSubmit, children }: ControlFormProps) {
  return (
    <chakra.form
      noValidate
      aria-label={label}
      display="flex"
      flexDirection="column"
      gap="4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void onSubmit();
      }}
    >
      <Grid
        gap="4"
        templateColumns={{ base: '1fr', xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(4, minmax(0, 1fr))' }}
        alignItems="start"
      >
        {children}
      </Grid>
      {error && <AlertLine>{error}</AlertLine>}
      <SoftDisabledButton type="submit" alignSelf="flex-start" isDisabled={isPending}>
        {button}
      </SoftDisabledButton>
    </chakra.form>
  );
}

/** Binds text fields to a state. */
function useFields<Names extends string>(initial: Record<Names, string>) {
  const [values, setValues] = useState(initial);
  const bind = (name: Names) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => setValues({ ...values, [name]: target.value }),
  });
  return { values, bind };
}

const plainText = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;

function WebhookFaultForm({ onAdded }: { onAdded: () => void }) {
  const { values, bind } = useFields({
    act: 'drop',
    event: '',
    org: '',
    ms: '',
    signature: 'wrong-secret',
    times: '1',
  });
  const { send, errors, isPending } = useLabForm(addWebhookFault, ['event', 'org', 'ms', 'signature', 'times']);
  const { act, event, org, ms, signature, times } = values;
  const add = async () => {
    const isAdded = await send({
      do: act,
      times: Number(times),
      ...(event && { event }),
      ...(org.trim() && { org: org.trim() }),
      ...(act === 'delay' && ms && { ms: Number(ms) }),
      ...(act === 'mis-sign' && { signature }),
    });
    if (isAdded) onAdded();
  };
  return (
    <ControlForm
      label={t`New webhook fault`}
      button={t`Add webhook fault`}
      error={errors.root}
      isPending={isPending}
      onSubmit={add}
    >
      <FormField label={t`Effect`}>
        <Select {...bind('act')}>{options(EFFECTS)}</Select>
      </FormField>
      {act === 'delay' && (
        <NumberField label={t`Delay`} unit={t`ms`} min={1} max={86_400_000} error={errors.ms} {...bind('ms')} />
      )}
      {act === 'mis-sign' && (
        <FormField label={t`Signature`} error={errors.signature}>
          <Select {...bind('signature')}>{options(SIGNATURES)}</Select>
        </FormField>
      )}
      <FormField label={t`Event`} error={errors.event}>
        <Select {...bind('event')}>
          <option value="">{t`any`}</option>
          {eventOptions}
        </Select>
      </FormField>
      <FormField label={t`Organisation`} error={errors.org}>
        <Input placeholder={t`any`} {...plainText} {...bind('org')} />
      </FormField>
      <NumberField label={t`Times to trigger`} min={1} max={1_000} error={errors.times} {...bind('times')} />
    </ControlForm>
  );
}

function OutboxFaultForm({ onAdded }: { onAdded: () => void }) {
  const { values, bind } = useFields({ smtp: '451', to: '', times: '1' });
  const { send, errors, isPending } = useLabForm(addOutboxFault, ['smtp', 'to', 'times']);
  const { smtp, to, times } = values;
  const add = async () => {
    const isAdded = await send({ smtp: Number(smtp), times: Number(times), ...(to.trim() && { to: to.trim() }) });
    if (isAdded) onAdded();
  };
  return (
    <ControlForm
      label={t`New email fault`}
      button={t`Add email fault`}
      error={errors.root}
      isPending={isPending}
      onSubmit={add}
    >
      <FormField label={t`Mail server’s reply`} error={errors.smtp}>
        <Select {...bind('smtp')}>{options(REPLIES)}</Select>
      </FormField>
      <FormField label={t`Recipient`} error={errors.to}>
        <Input placeholder={t`anyone`} {...plainText} {...bind('to')} />
      </FormField>
      <NumberField label={t`Times to trigger`} min={1} max={1_000} error={errors.times} {...bind('times')} />
    </ControlForm>
  );
}

/** Sends an event that never happened, and shows the receiver's response. */
function ForgeForm() {
  const { values, bind } = useFields<'webhookId' | 'type' | 'signature'>({
    webhookId: '',
    type: 'member.created',
    signature: '',
  });
  const [status, setStatus] = useState<string>();
  const { send, errors, isPending } = useLabForm(forgeDelivery, ['webhookId', 'type', 'signature']);
  const { webhookId, type, signature } = values;
  const forge = async () => {
    setStatus(undefined);
    const params = { webhookId: webhookId.trim() };
    const reply = await send({ type, ...(signature && { signature }) }, params);
    if (reply) setStatus(String(reply.delivery.responseStatus ?? reply.delivery.error));
  };
  return (
    <>
      <ControlForm
        label={t`Forged event`}
        button={t`Send forged event`}
        error={errors.root}
        isPending={isPending || webhookId.trim() === ''}
        onSubmit={forge}
      >
        <FormField label={t`Webhook ID`} error={errors.webhookId}>
          <Input {...plainText} {...bind('webhookId')} />
        </FormField>
        <FormField label={t`Event`} error={errors.type}>
          <Select {...bind('type')}>{eventOptions}</Select>
        </FormField>
        <FormField label={t`Signature`} error={errors.signature}>
          <Select {...bind('signature')}>
            <option value="">{t`Correct`}</option>
            {options(SIGNATURES)}
          </Select>
        </FormField>
      </ControlForm>
      {status !== undefined && (
        <chakra.p role="status" pt="4">
          {t`Response`}: <StatusBadge status={status} tone={status.startsWith('2') ? 'success' : 'danger'} />
        </chakra.p>
      )}
    </>
  );
}

function webhookFaultLine({ do: act, event, org, ms, signature }: WebhookFault) {
  const how = joinWithDots(EFFECTS[act], ms !== undefined && t`${ms} ms`, signature && SIGNATURES[signature]);
  return { what: joinWithDots(event ?? t`Any event`, org), how };
}

const outboxFaultLine = ({ smtp, to }: OutboxFault) => ({ what: to ?? t`Any recipient`, how: REPLIES[smtp] });

/** Faults of webhooks and emails, and forged events. */
export function DeliveriesSection() {
  const webhooks = useLiveRead(readWebhookFaults, {});
  const emails = useLiveRead(readOutboxFaults, {});
  const clearWebhooks = useWrite(clearWebhookFaults);
  const clearEmails = useWrite(clearOutboxFaults);
  const reload = () => void Promise.all([webhooks.refetch(), emails.refetch()]);
  const clear = async () => {
    await Promise.all([clearWebhooks.run({}), clearEmails.run({})]).catch(() => undefined);
    reload();
  };
  const lines = [
    ...(webhooks.data?.faults ?? []).map((fault) => ({ ...webhookFaultLine(fault), times: fault.times })),
    ...(emails.data?.faults ?? []).map((fault) => ({ ...outboxFaultLine(fault), times: fault.times })),
  ];
  const fired = [
    ...(webhooks.data?.fired ?? []).map(({ at, fault }) => ({ ...webhookFaultLine(fault), at })),
    ...(emails.data?.fired ?? []).map(({ at, fault }) => ({ ...outboxFaultLine(fault), at })),
  ].toSorted((a, b) => b.at.localeCompare(a.at));
  return (
    <>
      <PageHeader
        title={t`Deliveries`}
        description={t`Drop, delay, duplicate, reorder or wrongly sign deliveries to webhooks, forge events, and make the mail server refuse emails.`}
      />
      <Section title={t`Webhooks`}>
        <WebhookFaultForm onAdded={reload} />
      </Section>
      <Section title={t`Forged event`}>
        <ForgeForm />
      </Section>
      <Section title={t`Emails`}>
        <OutboxFaultForm onAdded={reload} />
      </Section>
      <Section
        title={t`Pending`}
        isFlush
        aside={
          lines.length + fired.length > 0 && (
            <Button variant="ghost" size="sm" onClick={() => void clear()}>
              {t`Remove all delivery faults`}
            </Button>
          )
        }
      >
        {lines.length > 0 ? (
          <LineList
            label={t`Pending delivery faults`}
            isCode
            lines={lines.map(({ what, how, times }) => ({ what, how: joinWithDots(how, timesText(times)) }))}
          />
        ) : (
          <EmptyList
            isRead={webhooks.data !== undefined && emails.data !== undefined}
            icon={Webhook}
            title={t`No pending delivery faults`}
            description={t`Webhooks and emails are delivered normally. Add a fault to change that.`}
          />
        )}
      </Section>
      {fired.length > 0 && (
        <Section title={t`Triggered`} isFlush>
          <LineList
            label={t`Triggered delivery faults`}
            isCode
            lines={fired.map(({ what, how, at }) => ({ what, how: joinWithDots(how, formatDateTimeSeconds(at)) }))}
          />
        </Section>
      )}
    </>
  );
}
