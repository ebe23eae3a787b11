import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { forgetBrowser, forgetBrowsers, listBrowsers, type RememberedBrowser } from '@orchestrate/shared';
import { describeBrowser } from '@orchestrate/shared/authenticator';
import { Globe } from 'lucide-react';
import { useRead } from '../../lib/api/use-read.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { formatDateTime } from '../../lib/format/dates.ts';
import { toastRefusal } from '../../lib/notices/toast-refusal.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { setRemembered } from '../../lib/session/remembered.ts';
import { DottedLine } from '../../ui/dotted-line.tsx';
import { IconTile } from '../../ui/icon-tile.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { said } from '../../words/said.ts';

/** The browsers in which the signed-in person needs no device for a while; nothing where there are none. */
export function RememberedBrowsers() {
  const { data } = useRead(listBrowsers, {});
  if (!data || data.browsers.length === 0) return null;
  return (
    <Section title={t`Remembered browsers`} isFlush aside={data.browsers.length > 1 && <ForgetAll />}>
      <Flex as="ul" listStyleType="none" direction="column">
        {data.browsers.map((browser) => (
          <Browser key={browser.id} browser={browser} />
        ))}
      </Flex>
    </Section>
  );
}

function ForgetAll() {
  const { run, isPending } = useWrite(forgetBrowsers, { invalidates: ['Remembered Browsers'] });
  const forget = async () => {
    try {
      await run({});
      setRemembered(false);
      toast.success(t`All browsers were forgotten`);
    } catch (failure) {
      toastRefusal(failure);
    }
  };
  return (
    <Button variant="outline" size="sm" loading={isPending} loadingText={t`Forget all`} onClick={() => void forget()}>
      {t`Forget all`}
    </Button>
  );
}

function Browser({ browser: { id, userAgent, ip, lastUsedAt, expiresAt, isThis } }: { browser: RememberedBrowser }) {
  const { run, isPending } = useWrite(forgetBrowser, { invalidates: ['Remembered Browsers'] });
  const name = said(describeBrowser(userAgent));
  const forget = async () => {
    try {
      await run({ body: { id } });
      if (isThis) setRemembered(false);
    } catch (failure) {
      toastRefusal(failure);
    }
  };
  return (
    <Flex as="li" align="center" gap="3" px="5" py="3" borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
      <IconTile>
        <Globe size={16} strokeWidth={1.75} aria-hidden />
      </IconTile>
      <Flex direction="column" flex="1" minW="0">
        <Flex align="center" wrap="wrap" columnGap="2" minW="0">
          <Text fontWeight="medium" overflowWrap="anywhere">
            {name}
          </Text>
          {isThis && <StatusBadge status={t`This browser`} tone="info" />}
        </Flex>
        <DottedLine
          textStyle="xs"
          parts={[ip, t`last used ${formatDateTime(lastUsedAt)}`, t`until ${formatDateTime(expiresAt)}`]}
        />
      </Flex>
      <Button
        variant="outline"
        size="sm"
        aria-label={t`Forget ${name}`}
        loading={isPending}
        loadingText={t`Forget`}
        onClick={() => void forget()}
      >
        {t`Forget`}
      </Button>
    </Flex>
  );
}
