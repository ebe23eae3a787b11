import { chakra, Flex, Input, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { setClock } from '@orchestrate/shared';
import { Play, Snowflake } from 'lucide-react';
import { useState } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { SoftDisabledButton } from '#ui/feedback/soft-disabled-button.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { Section } from '#ui/list/section.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { isoFromField } from '../../lib/format/dates.ts';
import { useLabClock } from './use-lab-clock.ts';

const STEPS = [
  { label: t`+ 1 minute`, advance: '1m' },
  { label: t`+ 10 minutes`, advance: '10m' },
  { label: t`+ 1 hour`, advance: '1h' },
  { label: t`+ 1 day`, advance: '1d' },
  { label: t`+ 30 days`, advance: '30d' },
];

const modes = {
  real: t`Follows the machine’s time.`,
  offset: t`Running ahead of the machine’s time.`,
  frozen: t`Frozen.`,
};

type Change = { advance: string } | { freezeAt: string } | { mode: 'real' | 'frozen' } | { tokens: 'lab' | 'machine' };

/**
 * Controls the portal's clock. When the clock is advanced, the portal runs everything that becomes due before it
 * responds.
 */
export function ClockSection() {
  const { clock, present, refetch } = useLabClock();
  const { run, isPending } = useWrite(setClock);
  const [span, setSpan] = useState('');
  const [moment, setMoment] = useState('');
  const [problem, setProblem] = useState<{ field: string; text: string }>();

  const set = async (body: Change) => {
    setProblem(undefined);
    try {
      await run({ body });
      return true;
    } catch (failure) {
      const issue = failure instanceof ApiRefusal ? failure.issues[0] : undefined;
      setProblem({ field: issue?.path ?? '', text: issue?.message ?? resultText(failure) });
      return false;
    } finally {
      await refetch();
    }
  };
  const errorOf = (field: string) => (problem?.field === field ? problem.text : undefined);
  return (
    <>
      <PageHeader
        title={t`Clock`}
        description={t`The time for the whole portal. When you advance it, everything that becomes due happens immediately.`}
      />
      <Section>
        <Flex gap="4" wrap="wrap" align="center" justify="space-between">
          <Flex direction="column" gap="0.5">
            <Text textStyle="code" fontSize={{ base: 'xl', xs: '2xl' }} fontWeight="semibold" letterSpacing="tight">
              {present === undefined ? '…' : formatDateTimeSeconds(present)}
            </Text>
            <Text color="fg.muted" role="status">
              {clock ? modes[clock.mode] : t`Loading the time…`}
            </Text>
          </Flex>
          <Flex gap="2" wrap="wrap">
            <SoftDisabledButton
              variant="outline"
              isDisabled={isPending || clock?.mode === 'frozen'}
              onClick={() => void set({ mode: 'frozen' })}
            >
              <Snowflake aria-hidden />
              {t`Freeze`}
            </SoftDisabledButton>
            <SoftDisabledButton
              variant="outline"
              isDisabled={isPending || clock?.mode === 'real'}
              onClick={() => void set({ mode: 'real' })}
            >
              <Play aria-hidden />
              {t`Real time`}
            </SoftDisabledButton>
          </Flex>
        </Flex>
      </Section>
      <Section title={t`Advance the clock`}>
        <Flex direction="column" gap="5">
          <Flex gap="2" wrap="wrap">
            {STEPS.map(({ label, advance }) => (
              <SoftDisabledButton
                key={label}
                variant="outline"
                isDisabled={isPending}
                onClick={() => void set({ advance })}
              >
                {label}
              </SoftDisabledButton>
            ))}
          </Flex>
          <OneFieldForm
            verb={t`Advance`}
            isReady={!isPending && span.trim() !== ''}
            onSubmit={async () => {
              if (await set({ advance: span.trim() })) setSpan('');
            }}
          >
            <FormField
              label={t`Custom amount`}
              help={t`For example 90s, 10m, 24h, 7d or 1h 30m`}
              error={errorOf('advance')}
            >
              <Input
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                value={span}
                onChange={({ target }) => setSpan(target.value)}
              />
            </FormField>
          </OneFieldForm>
        </Flex>
      </Section>
      <Section title={t`Freeze the clock`}>
        <OneFieldForm
          verb={t`Freeze at this time`}
          isReady={!isPending && moment !== ''}
          onSubmit={() => set({ freezeAt: isoFromField(moment) })}
        >
          <FormField label={t`Date and time`} help={t`In this browser’s time zone`} error={errorOf('freezeAt')}>
            <Input type="datetime-local" step={1} value={moment} onChange={({ target }) => setMoment(target.value)} />
          </FormField>
        </OneFieldForm>
      </Section>
      <Section title={t`Time in tokens and messages`}>
        <FormField
          label={t`Time in tokens and messages`}
          help={t`Applies to OIDC tokens, SAML messages and webhooks. Programs with a correct clock expect machine time.`}
        >
          <Select
            value={clock?.tokens ?? 'machine'}
            disabled={!clock}
            onChange={({ target }) => void set({ tokens: target.value === 'lab' ? 'lab' : 'machine' })}
          >
            <option value="machine">{t`Machine time`}</option>
            <option value="lab">{t`Portal time`}</option>
          </Select>
        </FormField>
      </Section>
      {problem && !['advance', 'freezeAt'].includes(problem.field) && <AlertLine>{problem.text}</AlertLine>}
    </>
  );
}

interface OneFieldFormProps {
  verb: string;
  isReady: boolean;
  onSubmit: () => Promise<unknown>;
  children: React.ReactNode;
}

/** A form with one field and its button on the same line. */
function OneFieldForm({ verb, isReady, onSubmit, children }: OneFieldFormProps) {
  return (
    <chakra.form
      noValidate
      display="flex"
      flexWrap="wrap"
      gap="3"
      alignItems="flex-start"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void onSubmit();
      }}
    >
      <chakra.div flex="1 1 14rem" maxW="sm">
        {children}
      </chakra.div>
      <SoftDisabledButton type="submit" variant="outline" mt={{ base: '0', xs: '6.5' }} isDisabled={!isReady}>
        {verb}
      </SoftDisabledButton>
    </chakra.form>
  );
}
