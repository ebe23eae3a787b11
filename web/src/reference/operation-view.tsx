import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { labToken } from '#lib/session/browser-state.ts';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { Section } from '#ui/list/section.tsx';
import { TabList } from '#ui/list/tab-list.tsx';
import { Code } from './code.tsx';
import { codeSample, LANGUAGES, type Language } from './code-samples.ts';
import type { JsonSchema } from './documents.ts';
import { FieldList, ParameterList } from './field-list.tsx';
import { MethodMark } from './method-mark.tsx';
import type { Operation } from './operations.ts';
import { referencePaths } from './operations.ts';
import type { Schemas } from './schema-text.ts';
import { TryOperation } from './try-operation.tsx';
import { useRequestDraft } from './use-request-draft.ts';
import { ContractSentence } from './worded.tsx';

const cell = { px: '5', py: '2', textAlign: 'start', verticalAlign: 'baseline' } as const;

/** An operation's possible results, by HTTP status. */
function ResultTable({ operation: { results } }: { operation: Operation }) {
  return (
    <Section title={t`Results`} isFlush>
      <Box overflowX="auto" tabIndex={0} role="group" aria-label={t`Results`} outline="0" focusVisibleRing="inside">
        <chakra.table w="full" textStyle="sm" css={{ '& tbody tr': { borderTopWidth: '1px' } }}>
          <thead>
            <tr>
              {['HTTP', t`Code`, t`Name and meaning`].map((name) => (
                <chakra.th key={name} scope="col" {...cell} fontWeight="medium" color="fg.muted" textStyle="xs">
                  {name}
                </chakra.th>
              ))}
            </tr>
          </thead>
          <tbody>
            {results.map(({ status, code, name, sentence }) => (
              <tr key={`${status} ${name}`}>
                <chakra.td {...cell} textStyle="code">
                  {status}
                </chakra.td>
                <chakra.td {...cell} textStyle="code">
                  {code ?? '–'}
                </chakra.td>
                <chakra.td {...cell} w="full">
                  {name && (
                    <Text as="span" display="block" textStyle="code" fontSize="xs" overflowWrap="anywhere">
                      {name}
                    </Text>
                  )}
                  <Text as="span" color="fg.muted">
                    {sentence}
                  </Text>
                </chakra.td>
              </tr>
            ))}
          </tbody>
        </chakra.table>
      </Box>
    </Section>
  );
}

interface OperationViewProps {
  operation: Operation;
  schemas: Schemas;
}

/** An operation's documentation: access, request, response, code samples, and a form for trying it. */
export function OperationView({ operation, schemas }: OperationViewProps) {
  const { method, path, summary, who, parameters, body } = operation;
  const draft = useRequestDraft(operation);
  const isAnswered = operation.results.some(({ status, code }) => status === '200' && code === 0);
  const success = isAnswered ? operation.responses[200] : undefined;
  const content = success?.content ?? {};
  const [type, reply] = Object.entries(content)[0] ?? [];
  return (
    <Grid gap="6" alignItems="start" templateColumns="repeat(auto-fit, minmax(min(26rem, 100%), 1fr))">
      <Flex direction="column" gap="5" minW="0">
        <Box>
          <Heading as="h1" size="lg" lineHeight="short">
            <ContractSentence text={summary} />
          </Heading>
          <Flex align="center" gap="2" mt="2">
            <MethodMark method={method} />
            <chakra.code textStyle="code" overflowWrap="anywhere" minW="0">{`/api${path}`}</chakra.code>
            <CopyButton text={`/api${path}`} label={t`Copy path`} size="xs" />
          </Flex>
          <Text mt="3">
            <chakra.span color="fg.muted">{t`Access:`} </chakra.span>
            <ContractSentence text={who} />
          </Text>
        </Box>
        {parameters.length > 0 && (
          <Section title={t`Parameters`} isFlush>
            <ParameterList parameters={parameters} schemas={schemas} />
          </Section>
        )}
        {body && (
          <Section title={body.type === 'application/json' ? t`Body` : t`Body: ${body.type}`} isFlush>
            <FieldList schema={body.schema} schemas={schemas} />
          </Section>
        )}
        <Section title={t`Response`} isFlush>
          {type === 'application/json' && reply ? (
            <FieldList schema={successOf(reply.schema)} schemas={schemas} />
          ) : (
            <Text p="5">
              <Trans>
                A document of type <ContractSentence text={typesOf(content)} />.
              </Trans>
            </Text>
          )}
        </Section>
        <ResultTable operation={operation} />
      </Flex>
      <Flex direction="column" gap="5" minW="0">
        <Samples operation={operation} draft={draft} />
        <TryOperation key={operation.id} operation={operation} schemas={schemas} draft={draft} />
        <Examples operation={operation} />
      </Flex>
    </Grid>
  );
}

const typesOf = (content: object): string =>
  Object.keys(content)
    .map((type) => `\`${type}\``)
    .join(', ');

/** Returns the schema of the success response, which is in a union if refusals have the same status. */
const successOf = (schema: JsonSchema) =>
  schema.oneOf?.find(({ oneOf, $ref }) => !oneOf && !$ref?.includes('/Refusal')) ?? schema;

function Samples({ operation, draft }: { operation: Operation; draft: ReturnType<typeof useRequestDraft> }) {
  const [language, setLanguage] = useState<Language>('curl');
  const text = codeSample(language, operation, {
    ...draft.parts,
    origin: window.location.origin,
    hasLabToken: labToken() !== undefined,
  });
  return (
    <Section title={t`In your code`}>
      <TabList label={t`Language`} tabs={LANGUAGES} value={language} onChange={setLanguage}>
        <Code label={t`the call in ${language}`} text={text} />
      </TabList>
      {operation.needs === 'accessToken' && (
        <Text textStyle="xs" color="fg.muted" mt="3" css={{ '& a': { textDecoration: 'underline' } }}>
          <Trans>
            Use the token that a sign-in returns. In tests,{' '}
            <Link to={referencePaths.operation('makeSession')}>POST /api/lab/sessions</Link> signs any user in.
          </Trans>
        </Text>
      )}
    </Section>
  );
}

/** Recorded example responses: the success and the refusals. */
function Examples({ operation }: { operation: Operation }) {
  const examples = Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.entries(content?.['application/json']?.examples ?? {}).map(([name, { value }]) => ({ status, name, value })),
  );
  if (examples.length === 0) return null;
  return (
    <Section title={t`Recorded responses`}>
      <Flex direction="column" gap="4">
        {examples.map(({ status, name, value }) => (
          <Box key={`${status} ${name}`}>
            <Text textStyle="sm" color="fg.muted" mb="1">
              {status} {name}
            </Text>
            <Code label={t`Response ${name}`} text={JSON.stringify(value, null, 2)} />
          </Box>
        ))}
      </Flex>
    </Section>
  );
}
