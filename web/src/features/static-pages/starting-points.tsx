import { Box, Button, Center, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { getOrgSettings, readPeople } from '@orchestrate/shared';
import { BookOpenText, Check, ChevronRight, Copy, FlaskConical, type LucideIcon, Play, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useRead } from '#lib/api/use-read.ts';
import { useCopy } from '#lib/browser/use-copy.ts';
import { paths } from '#paths.ts';
import { BrandMark } from '#ui/text/brand-mark.tsx';
import { BrandScope } from '#ui/text/brand-scope.tsx';
import { IconTile } from '#ui/text/icon-tile.tsx';

const FIRST_TEST = `import { startPortal } from 'orchestrate/testing';
import { expect, test } from 'vitest';

test('signs a person in', async () => {
  await using portal = await startPortal();
  const { email } = await portal.person({ org: 'acme' });
  const { token } = await portal.session({ email });
  expect(token).not.toBe('');
});
`;

const FIRST_PERSON = 'super.admin@acme.test';

/** Places to start on a local portal with an open lab: the phone, the organisations, and the tools for developers. */
export default function StartingPoints() {
  const { data } = useRead(readPeople, { query: { status: 'active' } });
  if (!data || data.people.length === 0) return null;
  const organisations = [...Map.groupBy(data.people, ({ orgCode }) => orgCode)];
  const first = data.people.find(({ email }) => email === FIRST_PERSON) ?? data.people[0];
  const isWhole = data.total === data.people.length;
  return (
    <Box as="section" aria-labelledby="starting-points" w="full" minW="0">
      <Heading id="starting-points" as="h2" size="lg" mb="4">
        {t`Choose where to start`}
      </Heading>
      <Grid
        as="ol"
        listStyleType="none"
        templateColumns={{ base: '1fr', xs: 'repeat(3, minmax(0, 1fr))' }}
        bg="bg.panel"
        borderWidth="1px"
        borderRadius="l3"
        overflow="hidden"
      >
        <Step number={1} title={t`Open the phone`} text={t`It approves sign-ins in this browser.`}>
          <Button asChild variant="outline" size="sm">
            <a href={paths.authenticator}>
              <Smartphone aria-hidden />
              {t`Open the authenticator`}
            </a>
          </Button>
        </Step>
        {first && (
          <Step number={2} title={t`Sign in to ${first.orgName}`} text={t`As ${first.email}`}>
            <Button asChild size="sm">
              <Link to={paths.signIn(first.orgCode)}>{t`Sign in`}</Link>
            </Button>
          </Step>
        )}
        <Step number={3} title={t`Write the first test`} text={t`Nine lines, no browser, no container.`}>
          <CopyTest />
        </Step>
      </Grid>

      <GroupHeading>{t`Organisations`}</GroupHeading>
      <Grid as="ul" listStyleType="none" gap="3" templateColumns={{ base: '1fr', xs: '1fr 1fr' }}>
        {organisations.map(([code, people]) => (
          <Card
            key={code}
            to={paths.signIn(code)}
            image={<OrganisationMark orgCode={code} name={people[0]?.orgName ?? code} />}
            title={people[0]?.orgName ?? code}
            text={isWhole ? `${code} · ${plural(people.length, { one: '# member', other: '# members' })}` : code}
          />
        ))}
      </Grid>

      <GroupHeading>{t`For developers`}</GroupHeading>
      <Grid as="ul" listStyleType="none" gap="3" templateColumns={{ base: '1fr', xs: 'repeat(3, minmax(0, 1fr))' }}>
        <ToolCard to="/demo" icon={Play} title={t`Demo`} text={t`Six scenes in your colour`} />
        <ToolCard to="/lab" icon={FlaskConical} title={t`Lab`} text={t`Emails, time and faults`} />
        <ToolCard to={paths.docs} icon={BookOpenText} title={t`API reference`} text={t`Try every endpoint`} />
      </Grid>
    </Box>
  );
}

/** An organisation's logo, or its initial in its colour. */
function OrganisationMark({ orgCode, name }: { orgCode: string; name: string }) {
  const { data } = useRead(getOrgSettings, { query: { code: orgCode } });
  return (
    <BrandScope colour={data?.color} flexShrink="0">
      <BrandMark name={name} logo={data?.logo} size="lg" />
    </BrandScope>
  );
}

interface StepProps {
  number: number;
  title: string;
  text: string;
  children: ReactNode;
}

function Step({ number, title, text, children }: StepProps) {
  return (
    <Flex
      as="li"
      direction="column"
      align="start"
      gap="2"
      p="5"
      borderTopWidth={{ base: number === 1 ? '0' : '1px', xs: '0' }}
      borderStartWidth={{ base: '0', xs: number === 1 ? '0' : '1px' }}
    >
      <Center
        aria-hidden
        boxSize="6"
        borderRadius="full"
        bg="brand.subtle"
        color="brand.fg"
        textStyle="xs"
        fontWeight="semibold"
      >
        {number}
      </Center>
      <Heading as="h3" size="sm">
        {title}
      </Heading>
      <Text flex="1" mb="1" textStyle="sm" color="fg.muted" overflowWrap="anywhere">
        {text}
      </Text>
      {children}
    </Flex>
  );
}

function CopyTest() {
  const { isCopied, copy } = useCopy(FIRST_TEST);
  const Icon = isCopied ? Check : Copy;
  return (
    <Button variant="outline" size="sm" onClick={() => void copy()}>
      <Icon aria-hidden />
      {isCopied ? t`Copied to clipboard` : t`Copy the test`}
    </Button>
  );
}

const GroupHeading = ({ children }: { children: string }) => (
  <Heading as="h3" textStyle="sm" fontWeight="medium" color="fg.muted" mt="8" mb="3">
    {children}
  </Heading>
);

interface CardProps {
  to: string;
  image: ReactNode;
  title: string;
  text: string;
}

function Card({ to, image, title, text }: CardProps) {
  return (
    <Flex
      as="li"
      position="relative"
      align="center"
      gap="3"
      p="4"
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="l3"
      _hover={{ bg: 'bg.subtle' }}
    >
      {image}
      <Box flex="1" minW="0">
        <chakra.span fontWeight="semibold" css={{ '& a::after': { content: '""', position: 'absolute', inset: '0' } }}>
          <Link to={to}>{title}</Link>
        </chakra.span>
        <Text textStyle="sm" color="fg.muted">
          {text}
        </Text>
      </Box>
      <chakra.span color="fg.subtle">
        <ChevronRight size={16} aria-hidden />
      </chakra.span>
    </Flex>
  );
}

function ToolCard({ icon: Icon, ...card }: Omit<CardProps, 'image'> & { icon: LucideIcon }) {
  return (
    <Card
      {...card}
      image={
        <IconTile>
          <Icon size={18} strokeWidth={1.75} aria-hidden />
        </IconTile>
      }
    />
  );
}
