import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ShieldCheck } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import { apiBaseOf } from '../lib/api/api-bases.ts';
import { keepReturnState } from '../lib/session/session.ts';

const Line = () => <chakra.span flex="1" h="1px" bg="border" />;

/** The link to the organisation's own identity server: a plain navigation, because that server answers with a page. */
export function SingleSignOn({ orgCode, label }: { orgCode: string; label: string }) {
  const { state } = useLocation();
  const address = `${apiBaseOf('Settings')}/oidc/login?${new URLSearchParams({ orgCode })}`;
  return (
    <Flex direction="column" gap="6">
      <Flex align="center" gap="3" color="fg.subtle" textStyle="xs">
        <Line />
        <Text>{t`or`}</Text>
        <Line />
      </Flex>
      <Button asChild variant="outline" size="xl" w="full" textStyle="md">
        <a href={address} onClick={() => keepReturnState(state)}>
          <ShieldCheck aria-hidden />
          <chakra.span truncate>{label}</chakra.span>
        </a>
      </Button>
    </Flex>
  );
}
