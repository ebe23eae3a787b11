import { Button, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { type ReplyOf, readSetup, type setUp } from '@orchestrate/shared';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { useRead } from '../../lib/api/use-read.ts';
import { paths } from '../../paths.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { SecretField } from '../../ui/secret-field.tsx';
import { FirstAdministrator } from './setup-form.tsx';

/** The first-run page: the first administrator, by the code that the start has printed. */
export default function SetupScreen() {
  const { data, refusal } = useRead(readSetup, {});
  const [made, setMade] = useState<ReplyOf<typeof setUp>>();
  return (
    <chakra.main w="full" maxW="440px" mx="auto" px="5" pt="max({spacing.8}, 9dvh)" pb="6">
      <title>Set up · Orchestrate</title>
      {made ? (
        <Done made={made} />
      ) : refusal ? (
        <AlertLine>The portal cannot be reached. Try again in a moment.</AlertLine>
      ) : data?.isOpen ? (
        <Step title="Welcome" text="Nobody administers this portal yet. You will be the first.">
          <FirstAdministrator isEmpty={data.isEmpty} onDone={setMade} />
        </Step>
      ) : (
        data && (
          <Step title="Set up already" text="Every organisation of this portal has an administrator.">
            <Button asChild size="xl" variant="outline">
              <Link to={paths.home}>Go to the portal</Link>
            </Button>
          </Step>
        )
      )}
    </chakra.main>
  );
}

/** What the administrator's phone is registered with. */
function Done({ made: { orgCode, activationCode } }: { made: ReplyOf<typeof setUp> }) {
  return (
    <Step
      title="Now your phone"
      text="Type these into the authenticator, with your e-mail address. Then sign in: your phone approves."
    >
      <SecretField value={orgCode} isSecret={false} label="Organisation code" />
      <SecretField value={activationCode} isSecret={false} label="Activation code" />
      <Button asChild size="xl">
        <a
          href={`${paths.authenticator}?${new URLSearchParams({ activate: orgCode })}`}
          target="_blank"
          rel="noreferrer"
        >
          Open the authenticator
        </a>
      </Button>
      <Button asChild size="xl" variant="outline">
        <Link to={paths.signIn(orgCode)}>Sign in</Link>
      </Button>
    </Step>
  );
}

function Step({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <Flex direction="column" gap="6">
      <Flex direction="column" gap="1.5">
        <Heading as="h1" size="xl">
          {title}
        </Heading>
        <Text color="fg.muted" textWrap="pretty">
          {text}
        </Text>
      </Flex>
      {children}
    </Flex>
  );
}
