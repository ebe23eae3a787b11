import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { RESULT_NAMES, type ResultName } from '@orchestrate/shared';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { TextArea } from '#ui/form/text-area.tsx';
import { Section } from '#ui/list/section.tsx';
import { Code } from './code.tsx';
import type { Parameter } from './documents.ts';
import type { Operation } from './operations.ts';
import { PersonField, useLabPeople } from './person-field.tsx';
import type { Schemas } from './schema-text.ts';
import { sendRequest, type TryResult } from './send-request.ts';
import type { useRequestDraft } from './use-request-draft.ts';
import { ValueField } from './value-field.tsx';
import { LAB_UNAVAILABLE, TryUnavailable } from './worded.tsx';

interface TryParametersProps {
  parameters: readonly Parameter[];
  schemas: Schemas;
  draft: ReturnType<typeof useRequestDraft>;
}

/** Fields for the path and query parameters. */
function TryParameters({ parameters, schemas, draft: { draft, change } }: TryParametersProps) {
  return parameters.map(({ name, in: where, required, schema }) => {
    if (where === 'header') return null;
    const part = where === 'path' ? 'params' : 'query';
    return (
      <ValueField
        key={`${where} ${name}`}
        name={name}
        schema={schema}
        schemas={schemas}
        isRequired={required}
        value={draft[part][name] ?? ''}
        onChange={(value) => change({ [part]: { ...draft[part], [name]: value } })}
      />
    );
  });
}

interface TryOperationProps {
  operation: Operation;
  schemas: Schemas;
  draft: ReturnType<typeof useRequestDraft>;
}

/** A form for sending the request as one of the lab's people, optionally with a forced refusal. */
export function TryOperation({ operation, schemas, draft }: TryOperationProps) {
  const { needs, body, parameters, results } = operation;
  const lab = useLabPeople();
  const [wanted, setWanted] = useState<ResultName | ''>('');
  const [tried, setTried] = useState<TryResult>();
  const [isSending, setIsSending] = useState(false);
  const isPossible = body === undefined || body.type === 'application/json';
  // Deduplicates by name, because a result can occur with several statuses.
  const refusals = new Map(
    results.filter(({ status, code }) => (code ?? 0) > 0 && !/^5/.test(status)).map(({ name, code }) => [name, code]),
  );
  if (!isPossible) return <TryUnavailable why={t`Files can't be sent from this page. Use the code above.`} />;
  if (lab.isClosed && needs !== 'nothing') return <TryUnavailable why={LAB_UNAVAILABLE} />;
  const send = async () => {
    setIsSending(true);
    setTried(
      await sendRequest(operation, draft.parts, { person: needs === 'accessToken' ? lab.person : undefined, wanted }),
    );
    setIsSending(false);
  };
  return (
    <Section title={t`Try it`}>
      <Flex
        as="form"
        direction="column"
        gap="4"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {needs === 'accessToken' && <PersonField {...lab} />}
        <TryParameters parameters={parameters} schemas={schemas} draft={draft} />
        {body && (
          <FormField label={t`Body`} error={draft.isValid ? undefined : t`Enter valid JSON`}>
            <TextArea
              rows={Math.min(12, Math.max(3, draft.draft.body.split('\n').length))}
              fontFamily="mono"
              spellCheck={false}
              value={draft.draft.body}
              onChange={({ target }) => draft.change({ body: target.value })}
            />
          </FormField>
        )}
        {!lab.isClosed && operation.area !== 'Lab' && (
          <FormField
            label={t`Response`}
            help={t`To test how your client handles a refusal, the lab can refuse the next call.`}
          >
            <Select
              value={wanted}
              onChange={({ target }) => setWanted(RESULT_NAMES.find((name) => name === target.value) ?? '')}
            >
              <option value="">{t`Normal response`}</option>
              {[...refusals].map(([name, code]) => (
                <option key={name} value={name}>{`${name} (${code})`}</option>
              ))}
            </Select>
          </FormField>
        )}
        <Button type="submit" loading={isSending} disabled={!draft.isValid} alignSelf="start">
          <Play aria-hidden />
          {t`Send`}
        </Button>
      </Flex>
      <Box role="status" mt={tried ? '5' : '0'}>
        {tried && <Answered tried={tried} />}
      </Box>
    </Section>
  );
}

function Answered({ tried }: { tried: TryResult }) {
  if ('problem' in tried) return <AlertLine>{tried.problem}</AlertLine>;
  const { status, resultName, resultCode, text, ms } = tried;
  const isGood = status < 400 && resultName === undefined;
  return (
    <Flex direction="column" gap="2">
      <Flex gap="2" align="center" wrap="wrap">
        <StatusBadge status={String(status)} tone={isGood ? 'success' : 'warning'} />
        <Text textStyle="code" fontSize="sm" overflowWrap="anywhere">
          {[resultName, resultCode === undefined ? undefined : t`resultCode ${resultCode}`].filter(Boolean).join(', ')}
        </Text>
        <Text textStyle="xs" color="fg.muted">
          {t`${ms} ms`}
        </Text>
      </Flex>
      <Code label={t`the response`} text={text} />
    </Flex>
  );
}
