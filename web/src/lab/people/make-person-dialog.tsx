import { Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type AppType, makePerson } from '@orchestrate/shared';
import { useState } from 'react';
import { statusLabel } from '#features/members/shared/member-status.ts';
import { FormField } from '#ui/form/form-field.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { Select } from '#ui/form/select.tsx';
import { useLabForm } from '../use-control.ts';

const STATUSES = ['active', 'inactive', 'unregistered', 'unverified', 'invited'] as const;

const AS_THE_STATUS_SAYS = t`Depends on the status`;

/** Device choices for a new person. With the first choice, the devices depend on the person's status. */
const DEVICES: ReadonlyMap<string, readonly AppType[] | undefined> = new Map([
  [AS_THE_STATUS_SAYS, undefined],
  [t`Phone`, ['mobile']],
  [t`Computer`, ['desktop']],
  [t`Phone and computer`, ['mobile', 'desktop']],
  [t({ message: 'None', context: 'of devices' }), []],
]);

interface MakePersonDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Organisation code that is filled in initially. */
  orgCode: string;
  onMade: (suid: string) => void;
}

/** Creates a person with simulated devices. The portal generates values for empty fields. */
export function CreatePersonDialog({ isOpen, onClose, orgCode, onMade }: MakePersonDialogProps) {
  const [org, setOrg] = useState<string>();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('');
  const [status, setStatus] = useState<(typeof STATUSES)[number]>('active');
  const [given, setGiven] = useState(AS_THE_STATUS_SAYS);
  const [deviceName, setDeviceName] = useState('');
  const { send, errors, setErrors, isPending } = useLabForm(makePerson, ['org', 'email', 'role', 'name']);

  const make = async () => {
    const name = deviceName.trim();
    const devices = DEVICES.get(given)?.map((type) => ({ type, ...(name && { name }) }));
    const named = { ...(email && { email }), ...(role && { role }) };
    const body = { org: (org ?? orgCode).trim(), status, ...named, ...(devices && { devices }) };
    const made = await send(body);
    if (!made) return;
    onMade(made.suid);
    onClose();
  };
  const isDirty = [org, email, role, deviceName].some(Boolean) || status !== 'active' || given !== AS_THE_STATUS_SAYS;
  return (
    <FormModal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={() => {
        setOrg(undefined);
        setEmail('');
        setRole('');
        setStatus('active');
        setGiven(AS_THE_STATUS_SAYS);
        setDeviceName('');
        setErrors({});
      }}
      title={t`Create a person`}
      description={t`Empty fields are filled with generated values.`}
      verb={t`Create`}
      onSubmit={make}
      isDirty={isDirty}
      isPending={isPending}
      error={errors.root}
    >
      <FormField label={t`Organisation code`} isRequired error={errors.org}>
        <Input value={org ?? orgCode} autoCapitalize="none" onChange={({ target }) => setOrg(target.value)} />
      </FormField>
      <FormField label={t`Email`} error={errors.email}>
        <Input
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      </FormField>
      <FormField label={t`Role code`} help={t`USER if left empty`} error={errors.role}>
        <Input autoComplete="off" value={role} onChange={({ target }) => setRole(target.value)} />
      </FormField>
      <FormField label={t`Status`}>
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
        label={t`Simulated devices`}
        help={given === AS_THE_STATUS_SAYS ? t`A phone for registered people, no device for others` : undefined}
      >
        <Select value={given} onChange={({ target }) => setGiven(target.value)}>
          {[...DEVICES.keys()].map((label) => (
            <option key={label}>{label}</option>
          ))}
        </Select>
      </FormField>
      {(DEVICES.get(given)?.length ?? 0) > 0 && (
        <FormField label={t`Device name`} help={t`Generated if left empty`} error={errors.name}>
          <Input
            autoComplete="off"
            maxLength={60}
            value={deviceName}
            onChange={({ target }) => setDeviceName(target.value)}
          />
        </FormField>
      )}
    </FormModal>
  );
}
