import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { getPublicFaq, type OrgSettings } from '@orchestrate/shared';
import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { OrganisationPage } from '#features/sign-in/shared/organisation-page.tsx';
import { useRead } from '#lib/api/use-read.ts';
import { useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { BrandMark } from '#ui/text/brand-mark.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { FaqContent } from './faq-content.tsx';

/** Shows an organisation's FAQ at its public URL, even to visitors who aren't signed in. */
export default function FaqPage() {
  const { orgId = '' } = useParams();
  return (
    <OrganisationPage orgId={orgId} notLoaded={t`The FAQ couldn't be loaded`}>
      {(settings) => <PublicFaq settings={settings} />}
    </OrganisationPage>
  );
}

function PublicFaq({ settings: { orgCode, name, logo } }: { settings: OrgSettings }) {
  const { data, refusal, refetch } = useRead(getPublicFaq, { query: { code: orgCode } });
  const isSignedIn = useSession() !== null;
  return (
    <Flex direction="column" flex="1" minW="0">
      <title>{t`${name} FAQ · Orchestrate`}</title>
      <Box as="header" bg="bg.panel" borderBottomWidth="1px">
        <Flex align="center" justify="space-between" gap="4" w="full" maxW="text" mx="auto" px="5" minH="header" py="2">
          <Flex align="center" gap="3" minW="0">
            <BrandMark name={name} logo={logo} />
            <Text fontWeight="semibold" truncate>
              {name}
            </Text>
          </Flex>
          <Button asChild variant="outline" size="sm">
            <Link to={isSignedIn ? paths.dashboard : paths.signIn(orgCode)}>
              <ArrowLeft aria-hidden />
              {isSignedIn ? t`Dashboard` : t`Sign in`}
            </Link>
          </Button>
        </Flex>
      </Box>
      <chakra.main w="full" maxW="text" mx="auto" px={{ base: '4', xs: '5' }} py={{ base: '6', sm: '10' }}>
        <Flex direction="column" gap="6">
          <PageHeader title={t`Frequently asked questions`} description={t`Answers for everyone at ${name}.`} />
          <FaqContent data={data} refusal={refusal} onRetry={() => void refetch()} />
        </Flex>
      </chakra.main>
    </Flex>
  );
}
