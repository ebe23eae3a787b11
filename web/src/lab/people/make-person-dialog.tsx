import { Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type AppType, makePerson } from '@orchestrate/shared';
import { useState } from 'react';
import { statusLabel } from '#features/members/shared/member-status.ts';
import { FormField } from '#ui/form/form-field.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { Select } from '#ui/form/select.tsx';
import { useControl } from '../use-control.ts';

const STATUSES = ['active', 'inactive', 'unregistered', 'unverified', 'invited'] as const;

const AS_THE_STATUS_SAYS = t`Depends on the status`;

/** Labels of the devices that a person may be given; the first leaves the choice to the portal. */
const DEVICES: ReadonlyMap<string, readonly AppType[] | undefined> = new Map([
  [AS_THE_STATUS_SAYS, undefined],
  [t`A phone`, ['mobile']],
  [t`A computer`, ['desktop']],
  [t`A phone and a computer`, ['mobile', 'desktop']],
  [t({ message: 'None', context: 'of devices' }), []],
]);

interface MakePersonDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The organisation that is proposed. */
  orgCode: string;
  onMade: (suid: string) => void;
}

/** Somebody new, with simulated devices; what is left empty is made up. */
export function MakePersonDialog({ isOpen, onClose, orgCode, onMade }: MakePersonDialogProps) {
  const [org, setOrg] = useState<string>();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('');
  const [status, setStatus] = useState<(typeof STATUSES)[number]>('active');
  const [given, setGiven] = useState(AS_THE_STATUS_SAYS);
  const [deviceName, setDeviceName] = useState('');
  const { send, mistakes, setMistakes, isPending } = useControl(makePerson, ['org', 'email', 'role', 'name']);

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
        setMistakes({});
      }}
      title={t`Make a person`}
      description={t`Empty fields are filled with generated values.`}
      verb={t`Make`}
      onSubmit={make}
      isDirty={isDirty}
      isPending={isPending}
      error={mistakes.root}
    >
      <FormField label={t`Organisation code`} isRequired error={mistakes.org}>
        <Input value={org ?? orgCode} autoCapitalize="none" onChange={({ target }) => setOrg(target.value)} />
      </FormField>
      <FormField label={t`Email`} error={mistakes.email}>
        <Input
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      </FormField>
      <FormField label={t`Role code`} help={t`USER if left empty`} error={mistakes.role}>
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
        help={given === AS_THE_STATUS_SAYS ? t`A phone for people who have registered, none for the others` : undefined}
      >
        <Select value={given} onChange={({ target }) => setGiven(target.value)}>
          {[...DEVICES.keys()].map((label) => (
            <option key={label}>{label}</option>
          ))}
        </Select>
      </FormField>
      {(DEVICES.get(given)?.length ?? 0) > 0 && (
        <FormField label={t`Name of the devices`} help={t`Made up if left empty`} error={mistakes.name}>
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
