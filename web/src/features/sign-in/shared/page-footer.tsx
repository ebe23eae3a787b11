import { Button, chakra, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { CircleAlert, CircleHelp, ExternalLink, Globe, Play } from 'lucide-react';
import { hasOwnAuthenticator } from '#lib/address/authenticator-links.ts';
import { paths } from '#paths.ts';
import { changeLanguage, otherLanguages } from '#words/language.ts';

/** Help topics on the sign-in screen. */
export type HelpTopic = 'help' | 'how-it-works' | 'lost-device';

const linksFor = ({ mobileAppEnabled }: Pick<OrgSettings, 'mobileAppEnabled'>) =>
  [
    { topic: 'help', icon: CircleHelp, label: t`Need help?` },
    { topic: 'how-it-works', icon: Play, label: t`See how it works` },
    { topic: 'lost-device', icon: CircleAlert, label: mobileAppEnabled ? t`Lost your phone?` : t`Lost your computer?` },
  ] as const;

interface PageFooterProps {
  settings: Pick<OrgSettings, 'copyrightText' | 'mobileAppEnabled'>;
  onAsk?: (topic: HelpTopic) => void;
}

/** Footer of the sign-in screen with help, languages and the copyright notice. */
export function PageFooter({ settings, onAsk }: PageFooterProps) {
  const { copyrightText: copyright } = settings;
  return (
    <Flex as="footer" direction="column" align="center" gap="2">
      <Flex
        display={{ base: 'grid', xs: 'flex' }}
        gridTemplateColumns="auto auto"
        justify="center"
        justifyItems="start"
        columnGap="1"
      >
        {linksFor(settings).map(({ topic, icon: Icon, label }) => (
          <Button key={topic} variant="ghost" size="sm" aria-haspopup="dialog" onClick={() => onAsk?.(topic)}>
            <Icon aria-hidden />
            {label}
          </Button>
        ))}
        {otherLanguages().map(([tag, name]) => (
          <Button key={tag} variant="ghost" size="sm" color="fg.subtle" lang={tag} onClick={() => changeLanguage(tag)}>
            <Globe aria-hidden />
            {name}
          </Button>
        ))}
        {hasOwnAuthenticator() && (
          <Button asChild variant="ghost" size="sm" color="fg.subtle" gridColumn="span 2">
            <a href={paths.authenticator} target="_blank" rel="noreferrer">
              <ExternalLink aria-hidden />
              {t`Open the simulated authenticator`}
            </a>
          </Button>
        )}
      </Flex>
      {copyright && (
        <chakra.small textStyle="xs" color="fg.subtle" textAlign="center" overflowWrap="anywhere" maxW="full">
          {copyright}
        </chakra.small>
      )}
    </Flex>
  );
}
