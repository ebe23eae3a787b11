import { Button, chakra, Flex, Input, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { createClientSecret, DAY, text } from '@orchestrate/shared';
import { toDate } from 'date-fns';
import { type FormEvent, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { useWrite } from '../../../lib/api/use-endpoint.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { portalNow } from '../../../lib/time/portal-time.ts';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { FormField } from '../../../ui/form-field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { SecretField } from '../../../ui/secret-field.tsx';
import { Select } from '../../../ui/select.tsx';
import { useOrgCode } from '../use-applications.ts';

/** After how many days a secret expires; '' for never. */
const LIFETIMES = [
  { days: '', label: 'Never' },
  { days: '30', label: '30 days' },
  { days: '90', label: '90 days' },
  { days: '180', label: '180 days' },
  { days: '365', label: '1 year' },
] as const;

const secretForm = z.object({ name: text(100), days: z.enum(['', '30', '90', '180', '365']) });
type SecretForm = z.output<typeof secretForm>;

interface AddSecretDialogProps {
  appId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Makes another client secret, and then shows it so that it can be copied to where it is used. */
export function AddSecretDialog({ appId, isOpen, onClose }: AddSecretDialogProps) {
  const formId = useId();
  const orgCode = useOrgCode();
  const [made, setMade] = useState<string>();
  const { run, isPending, refusal, reset } = useWrite(createClientSecret, { invalidates: ['Applications'] });
  const form = useForm<SecretForm>({
    resolver: zodResolver(secretForm),
    mode: 'onTouched',
    defaultValues: { name: '', days: '90' },
  });

  const submit = form.handleSubmit(async ({ name, days }) => {
    const expiresAt = days === '' ? null : toDate(portalNow() + Number(days) * DAY).toISOString();
    try {
      const { secret } = await run({ params: { orgCode, appId }, body: { name, expiresAt } });
      setMade(secret.client_secret);
    } catch {
      // The refusal is shown above the buttons.
    }
  });
  const forget = () => {
    form.reset();
    reset();
    setMade(undefined);
  };

  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={forget}
      title={made === undefined ? 'Add client secret' : 'Client secret added'}
      footer={
        made === undefined ? (
          <>
            <Button variant="outline" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" form={formId} loading={isPending} loadingText="Add secret">
              Add secret
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>Done</Button>
        )
      }
    >
      {made === undefined ? (
        <chakra.form
          id={formId}
          noValidate
          onSubmit={(event: FormEvent) => {
            // React events bubble from a dialog into the form that the dialog was opened from.
            event.stopPropagation();
            void submit(event);
          }}
          display="flex"
          flexDirection="column"
          gap="5"
        >
          <FormField
            label="Name"
            isRequired
            help="Where the secret is used, so that you can recognise it later."
            error={form.formState.errors.name?.message}
          >
            <Input {...form.register('name')} maxLength={100} autoComplete="off" placeholder="Production server" />
          </FormField>
          <FormField label="Expires after">
            <Select {...form.register('days')}>
              {LIFETIMES.map(({ days, label }) => (
                <option key={days} value={days}>
                  {label}
                </option>
              ))}
            </Select>
          </FormField>
          {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
        </chakra.form>
      ) : (
        <Flex direction="column" gap="4">
          <Text color="fg.muted">The other secrets stay valid until they are revoked or expire.</Text>
          <SecretField label="New client secret" value={made} />
        </Flex>
      )}
    </Modal>
  );
}
