import { Button, chakra, Flex, Input } from '@chakra-ui/react';
import { type AppType, makePerson } from '@orchestrate/shared';
import { useId, useState } from 'react';
import { useWrite } from '../../lib/api/use-endpoint.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { statusLabel } from '../../members/member-status.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Select } from '../../ui/select.tsx';

const STATUSES = ['active', 'inactive', 'unregistered', 'unverified', 'invited'] as const;

/** Labels of the devices that a person may be given; the first leaves the choice to the portal. */
const DEVICES: Readonly<Record<string, readonly AppType[] | undefined>> = {
  'As the status says': undefined,
  'A phone': ['mobile'],
  'A computer': ['desktop'],
  'A phone and a computer': ['mobile', 'desktop'],
  None: [],
};

interface MakePersonDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The organisation that is proposed. */
  orgCode: string;
  onMade: (suid: string) => void;
}

/** Somebody new, with simulated devices; what is left empty is made up. */
export function MakePersonDialog({ isOpen, onClose, orgCode, onMade }: MakePersonDialogProps) {
  const formId = useId();
  const [org, setOrg] = useState<string>();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('');
  const [status, setStatus] = useState<(typeof STATUSES)[number]>('active');
  const [given, setGiven] = useState('As the status says');
  const [deviceName, setDeviceName] = useState('');
  const { run, isPending, refusal, reset } = useWrite(makePerson);

  const make = async () => {
    const name = deviceName.trim();
    const devices = DEVICES[given]?.map((type) => ({ type, ...(name && { name }) }));
    const named = { ...(email && { email }), ...(role && { role }) };
    const body = { org: (org ?? orgCode).trim(), status, ...named, ...(devices && { devices }) };
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
        setStatus('active');
        setGiven('As the status says');
        setDeviceName('');
        reset();
      }}
      title="Make a person"
      description="What you leave empty is made up."
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
          <FormField label="Status">
            <Select
              value={status}
              onChange={({ target }) => setStatus(STATUSES.find((one) => one === target.value) ?? 'active')}
            >
              {STATUSES.map((one) => (
                <option key={one} value={one}>
                  {statusLabel(one)}
                </option>
              ))}
            </Select>
          </FormField>
          <FormField
            label="Simulated devices"
            help={
              given === 'As the status says' ? 'A phone for those who have registered, none for the others' : undefined
            }
          >
            <Select value={given} onChange={({ target }) => setGiven(target.value)}>
              {Object.keys(DEVICES).map((label) => (
                <option key={label}>{label}</option>
              ))}
            </Select>
          </FormField>
          {(DEVICES[given]?.length ?? 0) > 0 && (
            <FormField label="Name of the devices" help="Made up where it is empty">
              <Input
                autoComplete="off"
                maxLength={60}
                value={deviceName}
                onChange={({ target }) => setDeviceName(target.value)}
              />
            </FormField>
          )}
          {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
        </Flex>
      </chakra.form>
    </Modal>
  );
}
