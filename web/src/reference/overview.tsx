import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { Code } from './code.tsx';
import type { AsyncApi, OpenApi } from './documents.ts';
import type { Area } from './operations.ts';
import { referencePaths } from './operations.ts';
import { useLabPeople } from './person-field.tsx';
import { ContractSentence } from './worded.tsx';

interface OverviewProps {
  api: OpenApi;
  live: AsyncApi;
  areas: readonly Area[];
}

/** The reference's start page: general documentation, the list of areas, and links to the documents for tools. */
export function Overview({ api, live, areas }: OverviewProps) {
  return (
    <Flex direction="column" gap="6" maxW={{ lg: 'text' }}>
      <Box>
        <Heading as="h1" size="xl" tabIndex={-1} outline="0">
          {t`API reference`}
        </Heading>
        <Text color="fg.muted" mt="1">
          {api.info.summary}.
        </Text>
      </Box>
      <FirstCall areas={areas} />
      <Paragraphs text={api.info.description} />
      <Grid gap="3" templateColumns="repeat(auto-fill, minmax(min(18rem, 100%), 1fr))">
        {areas.map(({ name, description, operations }) => (
          <AreaCard
            key={name}
            to={referencePaths.area(name)}
            name={name}
            text={description.split('. ')[0] ?? ''}
            count={operations.length}
          />
        ))}
      </Grid>
      <Box>
        <Heading as="h2" size="md" mb="2">
          {t`Sockets`}
        </Heading>
        <Paragraphs text={live.info.description} />
      </Box>
      <Box>
        <Heading as="h2" size="md" mb="2">
          {t`For tools`}
        </Heading>
        <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1">
          <DocumentLink href="/openapi.json" text={t`OpenAPI 3.1, for clients in any language`} />
          <DocumentLink href="/docs/asyncapi.json" text={t`AsyncAPI 3.0, for the sockets`} />
        </chakra.ul>
      </Box>
    </Flex>
  );
}

const PERSON = 'super.admin@acme.test';

/** Shows a first call, as a command and as a link to its page, with a token from the lab if the lab is available. */
function FirstCall({ areas }: Pick<OverviewProps, 'areas'>) {
  const { origin } = window.location;
  const { people, isClosed } = useLabPeople();
  const email = people.find((each) => each.email === PERSON)?.email ?? people[0]?.email ?? PERSON;
  const token = `token=$(curl -s --json '{"email":"${email}"}' ${origin}/api/lab/sessions \\\n  | node -p 'JSON.parse(fs.readFileSync(0)).token')`;
  const call = `curl -H "authorization: Bearer ${isClosed ? '…' : '$token'}" ${origin}/api/profile`;
  const operation = areas.flatMap(({ operations }) => operations).find(({ path }) => path === '/profile');
  return (
    <Box>
      <Heading as="h2" size="md" mb="2">
        {t`Your first call`}
      </Heading>
      <Flex direction="column" gap="3">
        <Code label={t`the first call`} text={isClosed ? call : `${token}\n${call}`} />
        {operation && (
          <Text css={{ '& a': { textDecoration: 'underline', fontWeight: 'medium' } }}>
            <Trans>
              Or <Link to={referencePaths.operation(operation.id)}>send it from here</Link>, as any person of the lab.
            </Trans>
          </Text>
        )}
      </Flex>
    </Box>
  );
}

/** Text whose paragraphs are separated by empty lines. */
export const Paragraphs = ({ text }: { text: string }) => (
  <Flex direction="column" gap="3" maxW="4xl" lineHeight="tall">
    {text.split('\n\n').map((paragraph) => (
      <Text key={paragraph}>
        <ContractSentence text={paragraph.replaceAll('\n', ' ')} />
      </Text>
    ))}
  </Flex>
);

function AreaCard({ to, name, text, count }: { to: string; name: string; text: string; count: number }) {
  return (
    <Box position="relative" bg="bg.panel" borderWidth="1px" borderRadius="l3" p="4" _hover={{ bg: 'bg.subtle' }}>
      <Flex justify="space-between" gap="3">
        <chakra.span fontWeight="semibold" css={{ '& a::after': { content: '""', position: 'absolute', inset: '0' } }}>
          <Link to={to}>{name}</Link>
        </chakra.span>
        <Text textStyle="sm" color="fg.muted">
          {count}
        </Text>
      </Flex>
      <Text textStyle="sm" color="fg.muted" mt="1">
        <ContractSentence text={text.replace(/\.$/, '')} />
      </Text>
    </Box>
  );
}

const DocumentLink = ({ href, text }: { href: string; text: string }) => (
  <chakra.li>
    <chakra.a href={href} textStyle="code" textDecoration="underline">
      {href}
    </chakra.a>{' '}
    <Text as="span" color="fg.muted">
      {text}
    </Text>
  </chakra.li>
);
