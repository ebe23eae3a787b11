import { Flex, Input, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { displayText } from '@orchestrate/shared';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import type { useWrite } from '#lib/api/use-write.ts';
import { capitalize } from '#lib/format/text.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { useTypedDraft } from '../editing/use-typed-draft.tsx';
import { FormField } from '../form/form-field.tsx';
import { FormModal } from '../form/form-modal.tsx';
import { SecretField } from '../form/secret-field.tsx';
import { Select } from '../form/select.tsx';

/** Lifetime in days, or null if the credential never expires. */
type Lifetime = number | null;

interface AddCredentialDialogProps<Days extends Lifetime> {
  /** Noun for the credential, e.g. 'client secret'. */
  noun: string;
  /** Name under which the input is stored as a draft. */
  draftName: string;
  verb: string;
  /** Help below the name field. */
  nameHelp: string;
  placeholder: string;
  lifetimes: readonly Days[];
  usualLifetime: Days;
  lifetimeHelp?: string;
  /** Note next to the created secret. */
  note: string;
  making: Pick<ReturnType<typeof useWrite>, 'isPending' | 'refusal' | 'reset'>;
  /** Creates the credential and returns its secret. Throws the refusal. */
  onMake: (name: string, lifetime: Days) => Promise<string>;
  isOpen: boolean;
  onClose: () => void;
}

const fields = z.object({ name: displayText(100), lifetime: z.string() });

const keyOf = (days: Lifetime) => String(days);
const lifetimeLabel = (days: Lifetime) => (days === null ? t`Never` : days === 365 ? t`1 year` : t`${days} days`);

/** A dialog that creates a token or client secret and shows it once, for copying. */
export function AddCredentialDialog<Days extends Lifetime>(props: AddCredentialDialogProps<Days>) {
  const { noun, lifetimes, making, onMake } = props;
  const [made, setMade] = useState<string>();
  const form = useForm({
    resolver: zodResolver(fields),
    mode: 'onTouched',
    defaultValues: { name: '', lifetime: keyOf(props.usualLifetime) },
  });
  const restored = useTypedDraft({ form, name: props.draftName, isOpen: props.isOpen });

  const submit = form.handleSubmit(async ({ name, lifetime }) => {
    const chosen = lifetimes.find((days) => keyOf(days) === lifetime) ?? props.usualLifetime;
    try {
      setMade(await onMake(name, chosen));
    } catch {
      // The dialog shows the refusal above the buttons.
    }
  });
  const forget = () => {
    form.reset();
    making.reset();
    setMade(undefined);
  };

  return (
    <FormModal
      isOpen={props.isOpen}
      onClose={props.onClose}
      onExitComplete={forget}
      title={made === undefined ? t`Add ${noun}` : t`${capitalize(noun)} added`}
      verb={props.verb}
      onSubmit={submit}
      isDirty={form.formState.isDirty}
      isPending={making.isPending}
      error={making.refusal && resultText(making.refusal)}
      done={
        made !== undefined && (
          <Flex direction="column" gap="4">
            <Text color="fg.muted">{props.note}</Text>
            <SecretField label={capitalize(noun)} value={made} />
          </Flex>
        )
      }
    >
      {restored}
      <FormField label={t`Name`} isRequired help={props.nameHelp} error={form.formState.errors.name?.message}>
        <Input {...form.register('name')} maxLength={100} autoComplete="off" placeholder={props.placeholder} />
      </FormField>
      <FormField label={t`Expires after`} help={props.lifetimeHelp}>
        <Select {...form.register('lifetime')}>
          {lifetimes.map((days) => (
            <option key={keyOf(days)} value={keyOf(days)}>
              {lifetimeLabel(days)}
            </option>
          ))}
        </Select>
      </FormField>
    </FormModal>
  );
}
