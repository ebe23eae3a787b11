import { chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { DeviceState } from '@orchestrate/shared/authenticator';
import { Check } from 'lucide-react';
import { useId } from 'react';
import { dotted } from '../lib/format/dotted.ts';
import { BrandScope } from '../ui/brand-scope.tsx';
import { OrganisationTile } from './organisation-tile.tsx';
import { useBrandOf } from './use-brand-of.ts';

interface AccountChoiceProps {
  accounts: readonly DeviceState[];
  /** The zid of the chosen one. */
  value: string | undefined;
  onChange: (zid: string) => void;
}

/** Which account answers: real radio buttons, drawn as rows. */
export function AccountChoice({ accounts, value, onChange }: AccountChoiceProps) {
  const group = useId();
  return (
    <Flex role="radiogroup" aria-label={t`Account`} direction="column" gap="2" maxH="52" overflowY="auto" p="0.5">
      {accounts.map((account) => (
        <Choice
          key={account.zid}
          account={account}
          group={group}
          isChosen={account.zid === value}
          onChoose={() => onChange(account.zid)}
        />
      ))}
    </Flex>
  );
}

interface ChoiceProps {
  account: DeviceState;
  group: string;
  isChosen: boolean;
  onChoose: () => void;
}

function Choice({ account, group, isChosen, onChoose }: ChoiceProps) {
  const organisation = useBrandOf(account.orgCode);
  return (
    <BrandScope colour={organisation?.color}>
      <chakra.label
        position="relative"
        display="flex"
        alignItems="center"
        gap="3"
        minH="14"
        px="3"
        borderRadius="l3"
        borderWidth="1px"
        borderColor={isChosen ? 'brand.line' : 'border'}
        bg={isChosen ? 'brand.subtle' : 'bg.panel'}
        css={{ '&:has(:focus-visible)': { outline: '2px solid {colors.brand.line}', outlineOffset: '1px' } }}
      >
        <chakra.input
          type="radio"
          name={group}
          checked={isChosen}
          onChange={onChoose}
          position="absolute"
          inset="0"
          opacity="0"
          cursor="pointer"
        />
        <OrganisationTile name={account.orgName} />
        <Flex direction="column" minW="0" flex="1">
          <Text fontWeight="semibold" overflowWrap="anywhere">
            {account.orgName}
          </Text>
          <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
            {dotted(account.email, account.name)}
          </Text>
        </Flex>
        {isChosen && <Check size={18} aria-hidden />}
      </chakra.label>
    </BrandScope>
  );
}
