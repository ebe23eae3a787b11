import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { ProviderCheck } from '@orchestrate/shared';
import { CircleCheck, CircleQuestionMark, CircleX } from 'lucide-react';
import { AlertLine } from '../../ui/alert-line.tsx';
import { said } from '../../words/said.ts';
import type { useOidcTest } from './use-oidc-test.ts';

/** What the test of a provider found, or why it found nothing. */
export function OidcTestResult({ test: { outcome } }: { test: Pick<ReturnType<typeof useOidcTest>, 'outcome'> }) {
  if (!outcome) return null;
  if (outcome.kind === 'failed') return <AlertLine>{outcome.reason}</AlertLine>;
  const { found } = outcome;
  const facts = [
    [t`Issuer`, found.issuer],
    [t`Authorization endpoint`, found.authorizationEndpoint],
    [t`Token endpoint`, found.tokenEndpoint],
    [t`Keys`, found.jwksUri],
    [t`Userinfo endpoint`, found.userinfoEndpoint ?? t`Not offered`],
    [t`Scopes`, found.scopesSupported.join(', ') || t`Not stated`],
    ['PKCE', found.codeChallengeMethodsSupported.join(', ') || t`Not stated`],
  ];
  return (
    <Flex direction="column" gap="3">
      <Box role="status" aria-label={t`Test`} borderWidth="1px" borderRadius="l2" overflow="hidden">
        <Flex align="center" gap="2" px="4" py="2.5" bg="success.subtle" color="success.fg">
          <CircleCheck size={16} aria-hidden />
          <Text fontWeight="medium">{t`The provider answered`}</Text>
        </Flex>
        <chakra.dl display="grid" gridTemplateColumns="max-content minmax(0, 1fr)" columnGap="6" rowGap="2" p="4">
          {facts.map(([name, value]) => (
            <Box key={name} display="contents">
              <chakra.dt textStyle="sm" color="fg.muted">
                {name}
              </chakra.dt>
              <chakra.dd textStyle="code" fontSize="sm" overflowWrap="anywhere">
                {value}
              </chakra.dd>
            </Box>
          ))}
        </chakra.dl>
        {found.checks.length > 0 && (
          <Flex as="ul" direction="column" gap="2" px="4" pb="4" listStyleType="none">
            {found.checks.map(({ subject, result, detail }) => (
              <Check key={subject} result={result} detail={detail} />
            ))}
          </Flex>
        )}
      </Box>
      {found.warnings.map((warning) => (
        <AlertLine key={warning} tone="warning">
          {said(warning)}
        </AlertLine>
      ))}
    </Flex>
  );
}

const SIGNS = {
  accepted: { Sign: CircleCheck, color: 'success.fg', name: t`Accepted` },
  refused: { Sign: CircleX, color: 'fg.error', name: t`Refused` },
  unknown: { Sign: CircleQuestionMark, color: 'fg.muted', name: t`Not known` },
} as const;

function Check({ result, detail }: Omit<ProviderCheck, 'subject'>) {
  const { Sign, color, name } = SIGNS[result];
  return (
    <Flex as="li" gap="2.5">
      <Box pt="0.5" flexShrink="0" color={color}>
        <Sign size={16} role="img" aria-label={name} />
      </Box>
      <Text textStyle="sm" overflowWrap="anywhere">
        {said(detail)}
      </Text>
    </Flex>
  );
}
