import { chakra, Flex, Grid } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { denyReason, type PhonePolicy, phoneLie, setPolicy } from '@orchestrate/shared';
import { type ReactNode, useState } from 'react';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { SoftDisabledButton } from '#ui/feedback/soft-disabled-button.tsx';
import { Checkbox } from '#ui/form/checkbox.tsx';
import { FieldError, FormField } from '#ui/form/form-field.tsx';
import { NumberField } from '#ui/form/number-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { type ErrorsByField, useLabForm } from '../use-control.ts';
import { LIES, REASONS } from './words.ts';

const ANSWERS = { approve: t`approves`, deny: t`denies`, ignore: t`ignores` } as const;

const isOneOf = <T extends string>(values: readonly T[], value: string): value is T =>
  values.some((one) => one === value);
const answers = ['approve', 'deny', 'ignore'] as const;
const numbers = ['right', 'wrong'] as const;
const MATCH_FIELDS = ['email', 'org', 'zid'];

interface PolicyFormProps {
  match: PhonePolicy['match'];
  /** Existing policy with this match, if any. */
  present: PhonePolicy | undefined;
  /** Renders fields for editing the match, with their errors. */
  matchFields?: (errors: ErrorsByField) => ReactNode;
  onSet: () => void;
}

/** Form for a phone policy. */
export function PolicyForm({ match, present, matchFields, onSet }: PolicyFormProps) {
  const [answer, setAnswer] = useState<PhonePolicy['answer']>(present?.answer ?? 'approve');
  const [after, setAfter] = useState(String(present?.afterMs ?? 0));
  const [times, setTimes] = useState(present?.times === undefined ? '' : String(present.times));
  const [number, setNumber] = useState(present?.number ?? '');
  const [lie, setLie] = useState(present?.lie ?? '');
  const [reason, setReason] = useState(present?.reason ?? '');
  const [opens, setOpens] = useState(present?.opens ?? false);
  const fields = ['afterMs', 'times', 'opens', ...(matchFields ? MATCH_FIELDS : [])];
  const { send, errors, isPending } = useLabForm(setPolicy, fields);

  const save = async () => {
    const isSet = await send({
      match,
      answer,
      afterMs: Number(after),
      ...(times !== '' && { times: Number(times) }),
      ...(number !== '' && answer === 'approve' && { number }),
      ...(lie !== '' && answer !== 'ignore' && { lie }),
      ...(reason !== '' && answer === 'deny' && { reason }),
      ...(opens && { opens }),
    });
    if (isSet) onSet();
  };
  return (
    <chakra.form
      noValidate
      aria-label={t`Policy`}
      display="flex"
      flexDirection="column"
      gap="4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void save();
      }}
    >
      <Grid gap="4" templateColumns="repeat(auto-fill, minmax(min(11rem, 100%), 1fr))" alignItems="start">
        {matchFields?.(errors)}
        <FormField label={t`The phone`}>
          <Select value={answer} onChange={({ target }) => isOneOf(answers, target.value) && setAnswer(target.value)}>
            {answers.map((one) => (
              <option key={one} value={one}>
                {ANSWERS[one]}
              </option>
            ))}
          </Select>
        </FormField>
        <NumberField
          label={t({ message: 'After', context: 'how long a phone waits' })}
          unit={t`ms`}
          max={60_000}
          error={errors.afterMs}
          value={after}
          onChange={({ target }) => setAfter(target.value)}
        />
        <NumberField
          label={t`Times to apply`}
          placeholder={t`always`}
          min={1}
          max={1_000}
          error={errors.times}
          value={times}
          onChange={({ target }) => setTimes(target.value)}
        />
        {answer === 'approve' && (
          <FormField label={t`Chosen number`}>
            <Select
              value={number}
              onChange={({ target }) => setNumber(isOneOf(numbers, target.value) ? target.value : '')}
            >
              <option value="">{t`default`}</option>
              <option value="right">{t`correct`}</option>
              <option value="wrong">{t`wrong`}</option>
            </Select>
          </FormField>
        )}
        {answer === 'deny' && (
          <FormField label={t`Reason`}>
            <Select
              value={reason}
              onChange={({ target }) => setReason(isOneOf(denyReason.options, target.value) ? target.value : '')}
            >
              <option value="">{t`none`}</option>
              {denyReason.options.map((one) => (
                <option key={one} value={one}>
                  {REASONS[one]}
                </option>
              ))}
            </Select>
          </FormField>
        )}
        {answer !== 'ignore' && (
          <FormField label={t`Answer`}>
            <Select
              value={lie}
              onChange={({ target }) => setLie(isOneOf(phoneLie.options, target.value) ? target.value : '')}
            >
              <option value="">{t`valid`}</option>
              {phoneLie.options.map((one) => (
                <option key={one} value={one}>
                  {LIES[one]}
                </option>
              ))}
            </Select>
          </FormField>
        )}
      </Grid>
      <Flex direction="column" gap="1">
        <Checkbox label={t`Also open codes automatically`} isChecked={opens} onChange={setOpens} />
        {errors.opens && <FieldError>{errors.opens}</FieldError>}
      </Flex>
      {errors.root && <AlertLine>{errors.root}</AlertLine>}
      <Flex>
        <SoftDisabledButton type="submit" isDisabled={isPending}>
          {present ? t`Change policy` : t`Set policy`}
        </SoftDisabledButton>
      </Flex>
    </chakra.form>
  );
}
