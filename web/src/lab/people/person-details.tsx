import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { clearPolicies, makeSession, type PhonePolicy } from '@orchestrate/shared';
import { Download, LogIn } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { statusBadge } from '#features/members/shared/member-status.ts';
import { saveFile } from '#lib/api/files.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { startSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { SoftDisabledButton } from '#ui/feedback/soft-disabled-button.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { DeviceIcon } from '#ui/text/device-icon.tsx';
import { PolicyForm } from '../phones/policy-form.tsx';
import { matchText, policyText } from '../phones/policy-text.ts';
import { removalQueryFor } from '../phones/words.ts';
import { policiesFor, type SimulatedPerson } from './simulated-people.ts';

interface PersonDetailsProps {
  person: SimulatedPerson;
  policies: readonly PhonePolicy[];
  onPolicies: () => void;
}

/** Details of a person with their phones and policies. */
export function PersonDetails({ person, policies, onPolicies }: PersonDetailsProps) {
  const { fullName, email, orgCode, orgName, roleName, status, devices, deviceCount } = person;
  const match = { email, org: orgCode };
  const applying = policiesFor(person, policies);
  const own = applying.find((policy) => policy.match.email === email && isSame(policy.match, match));
  const removing = useWrite(clearPolicies);
  const [removalError, setRemovalError] = useState<string>();
  const remove = async (policy: PhonePolicy) => {
    setRemovalError(undefined);
    await removing.run({ query: removalQueryFor(policy) }).catch((failure) => setRemovalError(resultText(failure)));
    onPolicies();
  };
  return (
    <Flex direction="column" gap="6">
      <Flex gap="4" wrap="wrap" justify="space-between" align="flex-start">
        <Box minW="0">
          <Flex gap="3" align="center" wrap="wrap">
            <Heading as="h2" size="md">
              {fullName}
            </Heading>
            {status !== 'active' && <StatusBadge {...statusBadge(status)} />}
          </Flex>
          <Flex align="center" gap="1">
            <Text color="fg.muted" overflowWrap="anywhere">
              {email}
            </Text>
            <CopyButton text={email} label={t`Copy email address`} size="xs" />
          </Flex>
          <Text textStyle="sm" color="fg.muted">
            {joinWithDots(roleName, `${orgName} (${orgCode})`)}
          </Text>
        </Box>
        {devices.length > 0 && <SignInHere email={email} orgCode={orgCode} />}
      </Flex>
      {devices.length === 0 ? (
        <Text color="fg.muted">
          {deviceCount > 0
            ? t`This person has no active simulated device, so you can't act as them from here.`
            : t`No device yet. This person can register one with their activation code.`}
        </Text>
      ) : (
        <>
          <Part title={t`Simulated devices`}>
            <chakra.ul
              aria-label={t`Simulated devices`}
              listStyleType="none"
              display="flex"
              flexDirection="column"
              gap="2"
            >
              {devices.map(({ zid, name, type }) => (
                <chakra.li key={zid} display="flex" alignItems="center" gap="3">
                  <DeviceIcon type={type} />
                  <Box minW="0" flex="1">
                    <Text>{name}</Text>
                    <Text textStyle="code" fontSize="xs" color="fg.muted" overflowWrap="anywhere">
                      {zid}
                    </Text>
                  </Box>
                  <CopyButton text={zid} label={t`Copy zid of ${name}`} size="xs" />
                </chakra.li>
              ))}
            </chakra.ul>
          </Part>
          <Part title={t`Active policies`}>
            {applying.length > 0 ? (
              <chakra.ul
                aria-label={t`Active policies`}
                listStyleType="none"
                display="flex"
                flexDirection="column"
                gap="2"
              >
                {applying.map((policy) => (
                  <chakra.li key={JSON.stringify(policy.match)} display="flex" alignItems="center" gap="3">
                    <Box minW="0" flex="1">
                      <Text>{policyText(policy)}</Text>
                      <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
                        {t`For ${matchText(policy)}`}
                      </Text>
                    </Box>
                    <SoftDisabledButton
                      variant="outline"
                      size="sm"
                      isDisabled={removing.isPending}
                      aria-label={t`Remove policy for ${matchText(policy)}`}
                      onClick={() => void remove(policy)}
                    >
                      {t`Remove`}
                    </SoftDisabledButton>
                  </chakra.li>
                ))}
              </chakra.ul>
            ) : (
              <Text color="fg.muted">{t`No policies. Requests wait for an answer.`}</Text>
            )}
            {removalError && <AlertLine>{removalError}</AlertLine>}
          </Part>
          <Part title={t`Policy for this person`}>
            <PolicyForm key={`${email} ${shapeOf(own)}`} match={match} present={own} onSet={onPolicies} />
          </Part>
        </>
      )}
    </Flex>
  );
}

const isSame = (a: PhonePolicy['match'], b: PhonePolicy['match']): boolean =>
  a.email === b.email && a.zid === b.zid && a.org === b.org && a.kind === b.kind;

/**
 * Serialises a policy without its remaining number of uses. The number decreases with each use, which must not reset
 * the form.
 */
const shapeOf = (policy: PhonePolicy | undefined): string => JSON.stringify({ ...policy, times: undefined });

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Flex direction="column" gap="3">
      <Heading as="h3" size="sm">
        {title}
      </Heading>
      {children}
    </Flex>
  );
}

/** Buttons to sign in as the person, which replaces this browser's session, or to download the session. */
function SignInHere({ email, orgCode }: { email: string; orgCode: string }) {
  const navigate = useNavigate();
  const { run, isPending, refusal } = useWrite(makeSession);
  const signIn = async () => {
    try {
      startSession(await run({ body: { email, org: orgCode } }));
    } catch {
      return;
    }
    await navigate(paths.dashboard);
  };
  /** Downloads the session for test browsers, e.g. as Playwright's storage state. */
  const keep = async () => {
    try {
      const { storageState } = await run({ body: { email, org: orgCode } });
      saveFile('storage-state.json', 'application/json', JSON.stringify(storageState, null, 2));
    } catch {
      // The card displays the error in `refusal`.
    }
  };
  return (
    <Flex direction={{ base: 'row', sm: 'column' }} wrap="wrap" gap="2" align={{ sm: 'flex-end' }}>
      <SoftDisabledButton variant="outline" isDisabled={isPending} onClick={() => void signIn()}>
        <LogIn aria-hidden />
        {t`Sign in here`}
      </SoftDisabledButton>
      <SoftDisabledButton variant="outline" isDisabled={isPending} onClick={() => void keep()}>
        <Download aria-hidden />
        {t`Download storage state`}
      </SoftDisabledButton>
      {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
    </Flex>
  );
}
