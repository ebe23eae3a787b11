import { Box, Flex, Heading, Table } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { AppPreview } from '@orchestrate/shared';
import { indentXml } from '../../../lib/format/indent-xml.ts';
import { RawText } from '../../../ui/raw-text.tsx';
import { TableFrame } from '../../../ui/table-frame.tsx';

interface Row {
  name: string;
  value: string;
  /** The scope that includes a claim, or the format of a name id or an attribute. */
  note: string;
}

/** What an application receives: as a table, and in its raw form. */
export function AppPreviewValues({ preview }: { preview: AppPreview }) {
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
    </Flex>
  );
}

type Of<Protocol extends AppPreview['protocol']> = Extract<AppPreview, { protocol: Protocol }>;

const attributeRows = ({ nameId, nameIdFormat, attributes }: Of<'saml'>): Row[] => [
  { name: t`Name id`, value: nameId, note: nameIdFormat },
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
      <TableFrame label={label} headings={head} last={null}>
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
