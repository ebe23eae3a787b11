import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import { type DeviceState, PortalRefusal } from '@orchestrate/shared/authenticator';
import { Check } from 'lucide-react';
import { useId, useState } from 'react';
import { joinWithDots } from '#lib/format/text.ts';
import { OneTimeCodeInput } from '#ui/form/one-time-code-input.tsx';
import { BrandScope } from '#ui/text/brand-scope.tsx';
import { OrganisationTile } from '../organisation-tile.tsx';
import { useBrand } from '../phone/this-phone.ts';
import { refusalText } from '../requests/refusal-text.ts';

interface AccountChoiceProps {
  accounts: readonly DeviceState[];
  /** `zid` of the selected account. */
  value: string | undefined;
  onChange: (zid: string) => void;
}

/** A choice of the account to respond with: native radio buttons, styled as rows. */
function AccountChoice({ accounts, value, onChange }: AccountChoiceProps) {
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
  const organisation = useBrand(account.orgCode);
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
            {joinWithDots(account.email, account.name)}
          </Text>
        </Flex>
        {isChosen && <Check size={18} aria-hidden />}
      </chakra.label>
    </BrandScope>
  );
}

interface TypeCodeProps {
  accounts: readonly DeviceState[];
  /** Opens the request with this code. Rejects if there is no such request. */
  onOpenCode: (account: DeviceState, code: string) => Promise<void>;
  /** Called if the code adds a device instead of opening a request. */
  onAddDevice: (code: string) => void;
}

// The portal doesn't reveal whether a code is wrong, used or expired, so this message covers all three cases.
const NOT_VALID = t`This code is wrong or has expired. Check it, or request a new one.`;

/** A form for the eight characters that a browser displays, or that the help desk reads out. */
export function TypeCode({ accounts, onOpenCode, onAddDevice }: TypeCodeProps) {
  const [zid, setZid] = useState(accounts[0]?.zid);
  const [code, setCode] = useState('');
  const [isOpening, setIsOpening] = useState(false);
  const [problem, setProblem] = useState<string>();
  const account = accounts.find((candidate) => candidate.zid === zid) ?? accounts[0];
  const isComplete = code.length === LIMITS.typedCodeLength;

  const open = async (typed: string) => {
    if (!account || isOpening) return;
    setIsOpening(true);
    try {
      await onOpenCode(account, typed);
    } catch (failure) {
      const isUnknown = failure instanceof PortalRefusal && failure.resultName === 'EXPIRED';
      setProblem(isUnknown ? NOT_VALID : refusalText(failure).text);
    }
    setIsOpening(false);
  };

  return (
    <Flex direction="column" gap="5">
      {accounts.length > 1 && <AccountChoice accounts={accounts} value={account?.zid} onChange={setZid} />}
      <OneTimeCodeInput
        label={t`Code`}
        kind="letters-and-digits"
        length={LIMITS.typedCodeLength}
        groupSize={4}
        value={code}
        error={problem}
        onChange={(typed) => {
          setCode(typed);
          setProblem(undefined);
        }}
        onSubmit={(typed) => void open(typed)}
        submitsWhenFull
        hasAutoFocus
      />
      <Button size="xl" loading={isOpening} disabled={!isComplete} onClick={() => void open(code)}>
        {t`Continue`}
      </Button>
      {problem && isComplete && (
        <Button variant="ghost" alignSelf="center" onClick={() => onAddDevice(code)}>
          {t`Add this phone with the code instead`}
        </Button>
      )}
    </Flex>
  );
}
