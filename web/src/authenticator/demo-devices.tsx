import { chakra, Flex, Input, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { VirtualDevice } from '@orchestrate/shared';
import { useState } from 'react';
import { dotted } from '../lib/format/dotted.ts';
import { BrandScope } from '../ui/brand-scope.tsx';
import { OptionRow } from './option-row.tsx';
import { OrganisationTile } from './organisation-tile.tsx';
import { useBrandOf } from './use-brand-of.ts';

interface DemoDevicesProps {
  devices: readonly VirtualDevice[];
  onChoose: (device: VirtualDevice) => void;
}

/** More would be too long a list: search finds the rest. */
const SHOWN = 30;

const words = ({ fullName, primaryEmail, roleName, orgName, name }: VirtualDevice) =>
  `${fullName} ${primaryEmail} ${roleName} ${orgName} ${name}`.toLowerCase();

/** The seeded people with a device of their own, to be found by name, email, role or organisation. */
export function DemoDevices({ devices, onChoose }: DemoDevicesProps) {
  const [search, setSearch] = useState('');
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = devices.filter((device) => terms.every((term) => words(device).includes(term)));
  const rest = found.length - SHOWN;
  return (
    // As high as a few rows, so that the sheet does not jump while somebody types.
    <Flex direction="column" gap="3" minH="26rem">
      <Input
        type="search"
        size="lg"
        aria-label={t`Search demo devices`}
        placeholder={t`Name, email or role`}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <chakra.ul aria-label={t`Demo devices`} display="flex" flexDirection="column" gap="2" listStyleType="none">
        {found.slice(0, SHOWN).map((device) => (
          <DemoDevice key={device.zid} device={device} onChoose={() => onChoose(device)} />
        ))}
      </chakra.ul>
      <Text role="status" textStyle="sm" color="fg.muted" textAlign="center">
        {found.length === 0 ? t`No one has that name.` : rest > 0 ? t`${rest} more: search to find them.` : ''}
      </Text>
    </Flex>
  );
}

function DemoDevice({ device, onChoose }: { device: VirtualDevice; onChoose: () => void }) {
  const organisation = useBrandOf(device.orgCode);
  return (
    <BrandScope colour={organisation?.color} as="li">
      <OptionRow
        tile={<OrganisationTile name={device.orgName} />}
        title={device.fullName}
        text={device.primaryEmail}
        note={dotted(device.name, device.roleName)}
        onClick={onChoose}
      />
    </BrandScope>
  );
}
