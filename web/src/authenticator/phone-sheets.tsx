import { Button, Center, chakra, Flex, Input, Spinner, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { VirtualDevice } from '@orchestrate/shared';
import type { DeviceState } from '@orchestrate/shared/authenticator';
import { useState } from 'react';
import { joinWithDots } from '#lib/format/text.ts';
import { BrandScope } from '#ui/text/brand-scope.tsx';
import { AccountDetails } from './account-details.tsx';
import { ActivateForm } from './add/activate-form.tsx';
import { AddOptions } from './add/add-options.tsx';
import { OptionRow } from './add/option-row.tsx';
import { PairForm } from './add/pair-form.tsx';
import { PairingWait } from './add/pairing-wait.tsx';
import { ScanCode } from './add/scan-code.tsx';
import { TypeCode } from './add/type-code.tsx';
import { OrganisationTile } from './organisation-tile.tsx';
import { useBrand } from './phone/this-phone.ts';
import { useDemoDevices } from './phone/use-demo-devices.ts';
import type { Phone } from './phone/use-phone.ts';
import type { OpenSheet, PhoneSheet } from './phone-sheet.ts';
import { Outcome } from './requests/outcome.tsx';
import { Sheet } from './sheet.tsx';

interface DemoDevicesProps {
  devices: readonly VirtualDevice[];
  onChoose: (device: VirtualDevice) => void;
}

/** Maximum number of devices listed. The others can be found by searching. */
const SHOWN = 30;

const words = ({ fullName, primaryEmail, roleName, orgName, name }: VirtualDevice) =>
  `${fullName} ${primaryEmail} ${roleName} ${orgName} ${name}`.toLowerCase();

/** Lists the seeded devices, searchable by the user's name, email, role or organisation. */
function DemoDevices({ devices, onChoose }: DemoDevicesProps) {
  const [search, setSearch] = useState('');
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = devices.filter((device) => terms.every((term) => words(device).includes(term)));
  const rest = found.length - SHOWN;
  return (
    // Minimum height, to keep the sheet from jumping while the user types.
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
        {found.length === 0
          ? t`No devices match. Try another name, email or role.`
          : rest > 0
            ? t`${rest} more. Search to find them.`
            : ''}
      </Text>
    </Flex>
  );
}

function DemoDevice({ device, onChoose }: { device: VirtualDevice; onChoose: () => void }) {
  const organisation = useBrand(device.orgCode);
  return (
    <BrandScope colour={organisation?.color} as="li">
      <OptionRow
        tile={<OrganisationTile name={device.orgName} />}
        title={device.fullName}
        text={device.primaryEmail}
        note={joinWithDots(device.name, device.roleName)}
        onClick={onChoose}
      />
    </BrandScope>
  );
}

interface ChooseAccountProps {
  orgCode: string;
  /** Accounts of the scanned code's organisation. */
  accounts: readonly DeviceState[];
  onChoose: (account: DeviceState) => void;
  onOpen: OpenSheet;
}

/** Asks which account to use for a scanned code. Offers to add an account if there is none. */
function ChooseAccount({ orgCode, accounts, onChoose, onOpen }: ChooseAccountProps) {
  if (accounts.length === 0) {
    return (
      <Flex direction="column" gap="4">
        <Text color="fg.muted">{t`Add an account to continue with the code you scanned.`}</Text>
        <AddOptions onOpen={onOpen} orgCode={orgCode} />
      </Flex>
    );
  }
  return (
    <Flex direction="column" gap="2.5">
      {accounts.map((account) => (
        <OptionRow
          key={account.zid}
          tile={<OrganisationTile name={account.orgName} />}
          title={account.email ?? account.orgName}
          text={account.name}
          onClick={() => onChoose(account)}
        />
      ))}
    </Flex>
  );
}

const titles: Record<PhoneSheet['name'], string> = {
  add: t`Add an account`,
  activate: t`Activate this phone`,
  pair: t`Add this phone`,
  pairing: t`Add this phone`,
  demo: t`Use a demo device`,
  scan: t`Scan a code`,
  type: t`Type the code`,
  opening: t`Opening the request`,
  choose: t`Which account do you want to use?`,
  account: '',
  outcome: '',
};

const descriptions: Partial<Record<PhoneSheet['name'], string>> = {
  activate: t`Enter the code your organisation emailed you.`,
  demo: t`This phone gets the device's key from the portal’s lab and can then act as that user.`,
  scan: t`Scan the QR code displayed in your browser.`,
  type: t`Enter the eight characters displayed in your browser or read out to you on a call.`,
};

/** Renders the open sheet. */
export function PhoneSheets({ phone }: { phone: Phone }) {
  const { sheet, isOpen, close } = phone;
  const orgCode = sheet && orgCodeOf(sheet, phone);
  const organisation = useBrand(orgCode ?? '');
  if (!sheet) return null;

  const name = sheet.name === 'account' ? sheet.account.orgName : organisation?.name;
  const isDone = sheet.name === 'outcome';
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      onGone={phone.markGone}
      title={isDone ? sheet.outcome.title : titleOf(sheet, phone, name)}
      isTitleHidden={isDone}
      description={descriptionOf(sheet) ?? (orgCode ? name : undefined)}
      tile={name && <OrganisationTile name={name} />}
      footer={
        isDone && (
          <Button size="xl" flex="1" variant="outline" onClick={close}>
            {t`Done`}
          </Button>
        )
      }
    >
      <SheetContent sheet={sheet} phone={phone} />
    </Sheet>
  );
}

const descriptionOf = (sheet: PhoneSheet) =>
  sheet.name === 'account' ? sheet.account.email : descriptions[sheet.name];

function titleOf(sheet: PhoneSheet, { accounts }: Phone, organisation = t`this organisation`): string {
  if (sheet.name === 'account') return sheet.account.orgName;
  if (sheet.name !== 'choose' || accounts.some(({ orgCode }) => orgCode === sheet.scanned.orgCode)) {
    return titles[sheet.name];
  }
  return t`No account for ${organisation} on this phone`;
}

function orgCodeOf(sheet: PhoneSheet, { pairing }: Phone): string | undefined {
  if (sheet.name === 'pairing') return pairing?.orgCode;
  if (sheet.name === 'choose') return sheet.scanned.orgCode;
  return sheet.name === 'pair' && sheet.aid ? sheet.orgCode : undefined;
}

function SheetContent({ sheet, phone }: { sheet: PhoneSheet; phone: Phone }) {
  const demo = useDemoDevices() ?? [];
  const { accounts, open } = phone;
  /** The organisation the user most likely wants. */
  const likely = accounts[0]?.orgCode ?? '';
  switch (sheet.name) {
    case 'add':
      return <AddOptions onOpen={open} />;
    case 'activate':
      return <ActivateForm orgCode={sheet.orgCode ?? likely} onActivated={phone.welcome} />;
    case 'pair':
      return (
        <PairForm
          orgCode={sheet.orgCode ?? likely}
          aid={sheet.aid ?? ''}
          isScanned={Boolean(sheet.orgCode && sheet.aid)}
          onPaired={phone.waitFor}
        />
      );
    case 'pairing':
      return (
        phone.pairing && (
          <PairingWait pairing={phone.pairing} onPaired={phone.finishPairing} onFailed={phone.failPairing} />
        )
      );
    case 'demo':
      return (
        <DemoDevices
          devices={demo.filter(({ orgCode }) => !sheet.orgCode || orgCode === sheet.orgCode)}
          onChoose={phone.borrow}
        />
      );
    case 'scan':
      return <ScanCode onScanned={(scanned) => void phone.openScanned(scanned)} />;
    case 'type':
      return (
        <TypeCode accounts={accounts} onOpenCode={phone.openCode} onAddDevice={(aid) => open({ name: 'pair', aid })} />
      );
    case 'opening':
      return (
        <Center h="40" role="status" aria-label={t`Opening the request`}>
          <Spinner size="lg" color="brand.line" />
        </Center>
      );
    case 'choose':
      return (
        <ChooseAccount
          orgCode={sheet.scanned.orgCode}
          accounts={accounts.filter(({ orgCode }) => orgCode === sheet.scanned.orgCode)}
          onChoose={(account) => void phone.answerWith(account, sheet.scanned)}
          onOpen={open}
        />
      );
    case 'account':
      return (
        <AccountDetails
          account={sheet.account}
          connection={phone.inbox.get(sheet.account.zid)?.connection}
          onRemove={() => phone.remove(sheet.account.zid)}
        />
      );
    case 'outcome':
      return <Outcome {...sheet.outcome} />;
  }
}
