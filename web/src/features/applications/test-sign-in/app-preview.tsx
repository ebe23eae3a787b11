import { Box, Flex, Heading, Skeleton, Table, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  fullNameOf,
  LIMITS,
  type Member,
  type AppPreview as Preview,
  previewApp,
  previewAppDraft,
} from '@orchestrate/shared';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { MemberPicker } from '#features/members/shared/member-choice.tsx';
import { useRead } from '#lib/api/use-read.ts';
import { indentXml } from '#lib/format/text.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { useCan } from '#lib/session/session.ts';
import { useDebounced } from '#lib/time/timers.ts';
import { isDeepEqual } from '#ui/editing/three-way.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { RawText } from '#ui/text/raw-text.tsx';
import { samlUserFieldsOf } from '../editor/app-bodies.ts';
import type { AppForm } from '../editor/app-form.ts';
import { useOrgCode } from '../use-applications.ts';

interface Row {
  name: string;
  value: string;
  /** The scope that includes the claim, or the format of the name ID or attribute. */
  note: string;
}

/** Shows the data sent to an application, as a table and in raw form. */
function AppPreviewValues({ preview }: { preview: Preview }) {
  if (preview.protocol === 'saml')
    return (
      <Flex direction="column" gap="5">
        <ValueTable label={t`Attributes`} head={[t`Attribute`, t`Value`, t`Format`]} rows={attributeRows(preview)} />
        <Raw title={t`SAML response`} text={indentXml(preview.xml)} />
      </Flex>
    );
  return (
    <Flex direction="column" gap="5">
      <ValueTable label={t`Claims`} head={[t`Claim`, t`Value`, t`Scope`]} rows={claimRows(preview)} />
      <Raw title={t`ID token`} text={JSON.stringify(preview.idToken, null, 2)} />
      <Raw title={t`Userinfo`} text={JSON.stringify(preview.userinfo, null, 2)} />
      <Raw title={t`Access token`} text={JSON.stringify(preview.accessToken, null, 2)} />
    </Flex>
  );
}

type Of<Protocol extends Preview['protocol']> = Extract<Preview, { protocol: Protocol }>;

const attributeRows = ({ nameId, nameIdFormat, attributes }: Of<'saml'>): Row[] => [
  { name: t`Name ID`, value: nameId, note: nameIdFormat },
  ...attributes.map(({ name, value, format }) => ({ name, value, note: format })),
];

function claimRows({ idToken, scopes }: Of<'oidc'>): Row[] {
  const scopesOf = (claim: string) => Object.keys(scopes).filter((scope) => scopes[scope]?.includes(claim));
  return Object.entries(idToken).map(([name, value]) => ({
    name,
    value: [value].flat().join(', '),
    note: scopesOf(name).join(', ') || 'openid',
  }));
}

interface ValueTableProps {
  label: string;
  head: readonly string[];
  rows: readonly Row[];
}

function ValueTable({ label, head, rows }: ValueTableProps) {
  return (
    <Box borderWidth="1px" borderRadius="l2" overflow="hidden">
      <TableFrame label={label} headings={head} last={null} room={26}>
        {rows.map(({ name, value, note }) => (
          <Table.Row key={name}>
            <Table.Cell fontWeight="medium" whiteSpace="nowrap">
              {name}
            </Table.Cell>
            <Table.Cell overflowWrap="anywhere">{value}</Table.Cell>
            <Table.Cell color="fg.muted" overflowWrap="anywhere">
              {note}
            </Table.Cell>
          </Table.Row>
        ))}
      </TableFrame>
    </Box>
  );
}

function Raw({ title, text }: { title: string; text: string }) {
  return (
    <Flex direction="column" gap="2">
      <Heading as="h3" size="xs">
        {title}
      </Heading>
      <RawText label={title} text={text} />
    </Flex>
  );
}

type DisclosureFields = Pick<AppForm, 'oidc' | 'saml'>;

/** Returns the form fields that affect the data sent to the application. */
const draftOf = ({ oidc, saml }: DisclosureFields) =>
  oidc ? { claims: oidc.claims } : saml ? { saml: samlUserFieldsOf(saml) } : undefined;

/** Previews unsaved changes once typing has paused. Requests nothing if there are no changes. */
function useDraftPreview(appId: string, suid: string | undefined) {
  const orgCode = useOrgCode();
  const { control, formState } = useFormContext<AppForm>();
  const [oidc, saml] = useWatch({ control, name: ['oidc', 'saml'] });
  const draft = JSON.stringify(draftOf({ oidc, saml }));
  const settled = useDebounced(draft, LIMITS.searchDebounceMs);
  const saved = formState.defaultValues as DisclosureFields | undefined;
  const isChanged = saved !== undefined && !isDeepEqual(draftOf({ oidc, saml }), draftOf(saved));
  const body = isChanged && settled === draft ? { suid, ...JSON.parse(settled) } : null;
  const { data, refusal, isLoading } = useRead(previewAppDraft, body && { params: { orgCode, appId }, body });
  return { data: isChanged ? data : undefined, refusal, isChanged, isBusy: isChanged && (isLoading || body === null) };
}

/** Previews a member's data as it would be sent to the application, including unsaved changes. */
export default function AppPreview({ appId }: { appId: string }) {
  const orgCode = useOrgCode();
  const maySearch = useCan('SEARCH_USER');
  const [member, setMember] = useState<Member>();
  const input = orgCode ? { params: { orgCode, appId }, query: { suid: member?.suid } } : null;
  const saved = useRead(previewApp, input);
  const draft = useDraftPreview(appId, member?.suid);
  const { refusal } = saved;
  const data = draft.data ?? saved.data;
  return (
    <Flex direction="column" gap="5">
      {maySearch && <MemberPicker label={t`Choose another member`} onChoose={setMember} />}
      <Text color="fg.muted">
        {member ? (
          <Trans>
            If{' '}
            <Box as="strong" color="fg">
              {fullNameOf(member)}
            </Box>{' '}
            signed in now. Nothing here is signed, so it can't be used.
          </Trans>
        ) : (
          <Trans>
            If{' '}
            <Box as="strong" color="fg">
              you
            </Box>{' '}
            signed in now. Nothing here is signed, so it can't be used.
          </Trans>
        )}
      </Text>
      {draft.isChanged && !draft.refusal && (
        <AlertLine tone="info">{t`Includes your unsaved changes above.`}</AlertLine>
      )}
      {draft.refusal && (
        <AlertLine tone="warning">{t`Uses the saved settings, because your changes above are incomplete.`}</AlertLine>
      )}
      {data && !data.mayUse && (
        <AlertLine tone="info">
          {member
            ? t`They don't have access (see Access). With access, the application would receive:`
            : t`You don't have access (see Access). With access, the application would receive:`}
        </AlertLine>
      )}
      {data && (
        <Box aria-busy={draft.isBusy || undefined}>
          <AppPreviewValues preview={data.preview} />
        </Box>
      )}
      {!data && refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
      {!data && !refusal && <Skeleton h="48" borderRadius="l2" role="status" aria-label={t`Loading preview`} />}
    </Flex>
  );
}
