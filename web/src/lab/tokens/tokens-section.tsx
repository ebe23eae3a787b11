import { Box, chakra, Flex, Input, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { inspectToken, type ReplyOf } from '@orchestrate/shared';
import { type FormEvent, useState } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { indentXml } from '#lib/format/text.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { SoftDisabledButton } from '#ui/feedback/soft-disabled-button.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { CheckRow } from '#ui/form/checkbox.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { TextArea } from '#ui/form/text-area.tsx';
import { Section } from '#ui/list/section.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { RawText } from '#ui/text/raw-text.tsx';

type Found = ReplyOf<typeof inspectToken>;

/** Section that decodes and verifies a token or SAML response. */
export function TokensSection() {
  const [token, setToken] = useState('');
  const [nonce, setNonce] = useState('');
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState<string>();
  const { run, isPending } = useWrite(inspectToken);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending || token.trim() === '') return;
    setProblem(undefined);
    setFound(undefined);
    try {
      setFound(await run({ body: { token, nonce: nonce.trim() || undefined } }));
    } catch (failure) {
      const issue = failure instanceof ApiRefusal && failure.issues[0]?.message;
      setProblem(issue || resultText(failure));
    }
  };
  return (
    <>
      <PageHeader
        title={t`Tokens`}
        description={t`Decode a token or SAML response and check whether a strict client would accept it.`}
      />
      <Section title={t`Inspect a token`}>
        <chakra.form display="flex" flexDirection="column" gap="4" onSubmit={(event) => void submit(event)} noValidate>
          <FormField
            label={t`Token or SAML response`}
            help={t`An access token, an ID token, or a SAML response as XML, in base64 or deflated`}
            error={problem}
          >
            <TextArea
              rows={6}
              fontFamily="mono"
              value={token}
              onChange={({ target }) => setToken(target.value)}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
            />
          </FormField>
          <Flex gap="3" wrap="wrap" align="flex-end">
            <Box flex="1 1 16rem">
              <FormField label={t`Expected nonce (optional)`}>
                <Input value={nonce} onChange={({ target }) => setNonce(target.value)} autoComplete="off" />
              </FormField>
            </Box>
            <SoftDisabledButton type="submit" isDisabled={isPending || token.trim() === ''}>
              {t`Inspect`}
            </SoftDisabledButton>
          </Flex>
        </chakra.form>
      </Section>
      {found && <Findings found={found} />}
    </>
  );
}

function Findings({ found: { isValid, verdict, checks, documents } }: { found: Found }) {
  return (
    <>
      <Section
        title={t`Checks`}
        isFlush
        aside={<StatusBadge status={isValid ? t`Valid` : t`Not valid`} tone={isValid ? 'success' : 'danger'} />}
      >
        <Text px="5" py="4" role="status">
          {verdict}
        </Text>
        <Box as="ol" listStyleType="none" aria-label={t`Checks`}>
          {checks.map((check) => (
            <CheckRow key={check.name} check={check} />
          ))}
        </Box>
      </Section>
      {documents.map(({ name, language, text }) => (
        <Section key={name} title={name}>
          <RawText label={name} text={language === 'xml' ? indentXml(text) : text} />
        </Section>
      ))}
    </>
  );
}
