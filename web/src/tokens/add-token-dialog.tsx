import { Button, chakra, Flex, Input, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { TOKEN_LIFETIME_DAYS, type TokenForm, tokenForm } from '@orchestrate/shared';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { useWrite } from '../lib/api/use-endpoint.ts';
import { resultText } from '../lib/notices/result-text.ts';
import { AlertLine } from '../ui/alert-line.tsx';
import { FormField } from '../ui/form-field.tsx';
import { Modal } from '../ui/modal.tsx';
import { SecretField } from '../ui/secret-field.tsx';
import { Select } from '../ui/select.tsx';

export interface Making extends Pick<ReturnType<typeof useWrite>, 'isPending' | 'refusal' | 'reset'> {
  run: (input: { body: TokenForm }) => Promise<{ secret: string }>;
}

interface AddTokenDialogProps {
  making: Making;
  /** What the name is for. */
  help: string;
  placeholder: string;
  isOpen: boolean;
  onClose: () => void;
  onMade: () => void;
}

/** Makes a token, and shows it this once, so that it can be copied to where it is used. */
export function AddTokenDialog({ making, help, placeholder, isOpen, onClose, onMade }: AddTokenDialogProps) {
  const formId = useId();
  const [made, setMade] = useState<string>();
  const { run, isPending, refusal, reset } = making;
  const form = useForm({
    resolver: zodResolver(tokenForm),
    mode: 'onTouched',
    defaultValues: { name: '', lifetimeDays: 365 },
  });

  const submit = form.handleSubmit(async (body) => {
    try {
      const { secret } = await run({ body });
      setMade(secret);
      onMade();
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
      title={made === undefined ? 'Add token' : 'Token added'}
      footer={
        made === undefined ? (
          <>
            <Button variant="outline" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" form={formId} loading={isPending} loadingText="Add token">
              Add token
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
          onSubmit={(event) => void submit(event)}
          display="flex"
          flexDirection="column"
          gap="5"
        >
          <FormField label="Name" isRequired help={help} error={form.formState.errors.name?.message}>
            <Input {...form.register('name')} maxLength={100} autoComplete="off" placeholder={placeholder} />
          </FormField>
          <FormField
            label="Expires after"
            help="Make the next token before this one expires: several are valid at once."
          >
            <Select {...form.register('lifetimeDays', { valueAsNumber: true })}>
              {TOKEN_LIFETIME_DAYS.map((days) => (
                <option key={days} value={days}>
                  {days} days
                </option>
              ))}
            </Select>
          </FormField>
          {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
        </chakra.form>
      ) : (
        <Flex direction="column" gap="4">
          <Text color="fg.muted">Copy it now: it is not shown again. The other tokens stay valid.</Text>
          <SecretField label="Token" value={made} />
        </Flex>
      )}
    </Modal>
  );
}
