import { Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { DeviceState } from '@orchestrate/shared/authenticator';
import { AddOptions } from './add-options.tsx';
import { OptionRow } from './option-row.tsx';
import { OrganisationTile } from './organisation-tile.tsx';
import type { OpenSheet } from './phone-sheet.ts';

interface ChooseAccountProps {
  orgCode: string;
  /** Those of this organisation. */
  accounts: readonly DeviceState[];
  onChoose: (account: DeviceState) => void;
  onOpen: OpenSheet;
}

/** Chooses the account that answers what was scanned; without accounts, offers the ways to add one. */
export function ChooseAccount({ orgCode, accounts, onChoose, onOpen }: ChooseAccountProps) {
  if (accounts.length === 0) {
    return (
      <Flex direction="column" gap="4">
        <Text color="fg.muted">{t`Add one now, and it will answer the code you opened.`}</Text>
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
