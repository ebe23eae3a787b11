import { Button, chakra, Flex, Input } from '@chakra-ui/react';
import { makePerson } from '@orchestrate/shared';
import { useId, useState } from 'react';
import { useWrite } from '../../lib/api/use-endpoint.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { Modal } from '../../ui/modal.tsx';

interface MakePersonDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The organisation that is proposed. */
  orgCode: string;
  onMade: (suid: string) => void;
}

/** Somebody new with a phone; what is left empty is made up. */
export function MakePersonDialog({ isOpen, onClose, orgCode, onMade }: MakePersonDialogProps) {
  const formId = useId();
  const [org, setOrg] = useState<string>();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('');
  const { run, isPending, refusal, reset } = useWrite(makePerson);

  const make = async () => {
    const body = { org: (org ?? orgCode).trim(), ...(email && { email }), ...(role && { role }) };
    try {
      const { suid } = await run({ body });
      onMade(suid);
    } catch {
      return;
    }
    onClose();
  };
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={() => {
        setOrg(undefined);
        setEmail('');
        setRole('');
        reset();
      }}
      title="Make a person"
      description="With a simulated phone. What you leave empty is made up."
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} loading={isPending} loadingText="Make">
            Make
          </Button>
        </>
      }
    >
      <chakra.form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <Flex direction="column" gap="4">
          <FormField label="Organisation code" isRequired>
            <Input value={org ?? orgCode} autoCapitalize="none" onChange={({ target }) => setOrg(target.value)} />
          </FormField>
          <FormField label="E-mail">
            <Input
              type="email"
              autoComplete="off"
              autoCapitalize="none"
              value={email}
              onChange={({ target }) => setEmail(target.value)}
            />
          </FormField>
          <FormField label="Role code" help="USER where it is empty">
            <Input autoComplete="off" value={role} onChange={({ target }) => setRole(target.value)} />
          </FormField>
          {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
        </Flex>
      </chakra.form>
    </Modal>
  );
}
