import { Box, Button, Center, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type DenyReason, denyReason, pendingChallenge, readJson } from '@orchestrate/shared';
import { type DeviceState, describeBrowser } from '@orchestrate/shared/authenticator';
import { Check, type LucideIcon, ShieldAlert, X } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { DotSeparated } from '#ui/text/dot-separated.tsx';
import { RelativeTime } from '#ui/text/relative-time.tsx';
import { translateShared } from '#words/words.ts';
import { authenticator } from './phone/this-phone.ts';
import type { Request } from './requests/inbox.ts';

const KEY = 'orchestrate.authenticator-history';
/** Number of answered requests that the phone remembers. */
const KEPT = 20;
/** Number of answered requests listed before expanding. */
const SHOWN = 4;

const answeredRequest = pendingChallenge
  .pick({ kind: true, action: true, appName: true, orgName: true, requester: true })
  .extend({
    /** Time of the answer by the portal's clock. */
    at: z.string(),
    /** Device of the account that answered. */
    zid: z.string(),
    answer: z.enum(['approve', ...denyReason.options]),
  });
type AnsweredRequest = z.output<typeof answeredRequest>;

const listeners = new Set<() => void>();
let cached: { text: string | null; requests: AnsweredRequest[] } = { text: null, requests: [] };

function read(): AnsweredRequest[] {
  const text = readStored(KEY);
  if (text !== cached.text) cached = { text, requests: z.array(answeredRequest).safeParse(readJson(text)).data ?? [] };
  return cached.requests;
}

function write(requests: readonly AnsweredRequest[]): void {
  writeStored(KEY, requests.length > 0 ? JSON.stringify(requests) : null);
  for (const listener of listeners) listener();
}

/** Remembers the answer to a request on this phone. The numbers and IDs of the request are not stored. */
export function rememberAnswer({ challenge, account }: Request, answer: 'approve' | DenyReason): void {
  const { kind, action, appName, orgName, requester } = challenge;
  const at = new Date(authenticator.portalNow()).toISOString();
  write([{ kind, action, appName, orgName, requester, at, zid: account.zid, answer }, ...read()].slice(0, KEPT));
}

/** Forgets the answers of an account that is removed from the phone. */
export const forgetAnswersOf = (zid: string): void => write(read().filter((request) => request.zid !== zid));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Lists the requests that were answered on this phone, latest first. */
export function AnsweredRequests({ accounts }: { accounts: readonly DeviceState[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const all = useSyncExternalStore(subscribe, read);
  const requests = all.filter(({ zid }) => accounts.some((account) => account.zid === zid));
  const rest = requests.length - SHOWN;
  return (
    <Box as="section" aria-labelledby="answered" pt="5">
      <Flex align="center" justify="space-between" px="2" minH="8">
        <Heading as="h2" id="answered" textStyle="sm" fontWeight="semibold" color="fg.muted">
          {t`Recent requests`}
        </Heading>
        {requests.length > 0 && (
          <Button variant="ghost" size="xs" onClick={() => write([])}>
            {t`Clear list`}
          </Button>
        )}
      </Flex>
      {requests.length === 0 ? (
        <Text px="2" pt="1" color="fg.muted">
          {t`Requests that you approve or deny on this phone appear here.`}
        </Text>
      ) : (
        <chakra.ul listStyleType="none">
          {requests.slice(0, isOpen ? undefined : SHOWN).map((request) => (
            <Row key={`${request.at} ${request.zid}`} request={request} isNamed={accounts.length > 1} />
          ))}
        </chakra.ul>
      )}
      {rest > 0 && !isOpen && (
        <Button variant="ghost" size="sm" w="full" onClick={() => setIsOpen(true)}>
          {t`Show ${rest} more`}
        </Button>
      )}
    </Box>
  );
}

const outcomes: Record<AnsweredRequest['answer'], { icon: LucideIcon; tone: string; text: string }> = {
  approve: { icon: Check, tone: 'success', text: t`Approved` },
  cancel: { icon: X, tone: 'neutral', text: t`Denied` },
  'not-me': { icon: ShieldAlert, tone: 'danger', text: t`Denied and reported` },
};

function subjectOf({ kind, action, appName, orgName, requester }: AnsweredRequest): string {
  if (kind === 'verbal') return requester.fullName ? t`Call with ${requester.fullName}` : t`Call`;
  if (action === 'confirm-device') return t`New device`;
  if (kind === 'approval') return t`Change at ${orgName}`;
  return t`Sign-in to ${appName ?? orgName}`;
}

function Row({ request, isNamed }: { request: AnsweredRequest; isNamed: boolean }) {
  const { answer, kind, requester, orgName, at } = request;
  const { icon: Icon, tone, text } = outcomes[answer];
  const subject = subjectOf(request);
  const details = [
    text,
    isNamed && !subject.includes(orgName) ? orgName : '',
    kind === 'verbal' ? '' : translateShared(describeBrowser(requester.userAgent)),
  ].filter(Boolean);
  return (
    <Flex as="li" align="center" gap="3" px="2" py="2.5" borderBottomWidth="1px" _last={{ borderBottomWidth: '0' }}>
      <Center
        boxSize="8"
        flexShrink="0"
        borderRadius="full"
        colorPalette={tone}
        bg="colorPalette.subtle"
        color="colorPalette.fg"
      >
        <Icon size={16} aria-hidden />
      </Center>
      <Box flex="1" minW="0">
        <Text fontWeight="medium" overflowWrap="anywhere">
          {subject}
        </Text>
        <DotSeparated textStyle="sm" parts={details} />
      </Box>
      <Text as="span" textStyle="sm" color="fg.muted" flexShrink="0">
        <RelativeTime at={at} clock={() => authenticator.portalNow()} />
      </Text>
    </Flex>
  );
}
