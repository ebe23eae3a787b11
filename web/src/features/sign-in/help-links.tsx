import { Button, chakra, Flex } from '@chakra-ui/react';
import { CircleHelp, ExternalLink, Play, Smartphone } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { hasOwnAuthenticator } from '../../lib/qr-link.ts';
import { paths } from '../../paths.ts';

const HelpDialog = lazy(() => import('./help-dialog.tsx'));
const LostPhoneDialog = lazy(() => import('./lost-phone-dialog.tsx'));
const HowItWorksDialog = lazy(() => import('./how-it-works-dialog.tsx'));

const dialogs = { help: HelpDialog, 'how-it-works': HowItWorksDialog, 'lost-phone': LostPhoneDialog };
type Topic = keyof typeof dialogs;

const links = [
  { topic: 'help', icon: CircleHelp, label: 'Need help?' },
  { topic: 'how-it-works', icon: Play, label: 'Watch how it works' },
  { topic: 'lost-phone', icon: Smartphone, label: 'Lost your phone?' },
] as const satisfies { topic: Topic; icon: unknown; label: string }[];

/** Help below the sign-in. The dialogs are loaded when somebody asks for them. */
export function HelpLinks({ organisation, copyright }: { organisation: string; copyright: string }) {
  const [topic, setTopic] = useState<Topic>();
  const Dialog = topic && dialogs[topic];
  return (
    <Flex as="footer" direction="column" align="center" gap="2">
      <Flex justify="center" flexWrap="wrap" columnGap="1">
        {links.map(({ topic: asked, icon: Icon, label }) => (
          <Button key={asked} variant="ghost" size="sm" aria-haspopup="dialog" onClick={() => setTopic(asked)}>
            <Icon aria-hidden />
            {label}
          </Button>
        ))}
      </Flex>
      {hasOwnAuthenticator() && (
        <Button asChild variant="ghost" size="sm" color="fg.subtle">
          <a href={paths.authenticator} target="_blank" rel="noreferrer">
            <ExternalLink aria-hidden />
            Open the simulated authenticator
          </a>
        </Button>
      )}
      {copyright && (
        <chakra.small hideFrom="sm" textStyle="xs" color="fg.subtle" textAlign="center">
          {copyright}
        </chakra.small>
      )}
      {Dialog && (
        <Suspense>
          <Dialog organisation={organisation} onClose={() => setTopic(undefined)} />
        </Suspense>
      )}
    </Flex>
  );
}
