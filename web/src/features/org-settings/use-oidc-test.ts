import { type PortalOidc, type ReplyOf, testOidcConfiguration } from '@orchestrate/shared';
import { useState } from 'react';
import { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { resultText } from '../../lib/notices/result-text.ts';

type Outcome = { kind: 'found'; found: ReplyOf<typeof testOidcConfiguration> } | { kind: 'failed'; reason: string };

type Tried = Pick<PortalOidc, 'configurationUrl' | 'clientId' | 'clientSecret'>;

/** Tests the provider with these settings. A result is dropped as soon as one of them changes. */
export function useOidcTest({ configurationUrl, clientId, clientSecret }: Tried) {
  const { run: send, isPending } = useWrite(testOidcConfiguration);
  const [tested, setTested] = useState<{ key: string; outcome: Outcome }>();
  const body = {
    configurationUrl: configurationUrl.trim(),
    clientId: clientId.trim(),
    clientSecret: clientSecret.trim(),
  };
  const key = JSON.stringify(body);

  const run = async () => {
    setTested(undefined);
    try {
      setTested({ key, outcome: { kind: 'found', found: await send({ body }) } });
    } catch (failure) {
      const reason = failure instanceof ApiRefusal ? failure.issues[0]?.message : undefined;
      setTested({ key, outcome: { kind: 'failed', reason: reason ?? resultText(failure) } });
    }
  };
  const outcome = tested?.key === key ? tested.outcome : undefined;
  const hasFailed =
    outcome?.kind === 'failed' || outcome?.found.checks.some(({ result }) => result === 'refused') === true;
  return { run, isPending, outcome, hasFailed };
}
