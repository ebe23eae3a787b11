import { type ReplyOf, testOidcConfiguration } from '@orchestrate/shared';
import { useState } from 'react';
import { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { useWrite } from '../../lib/api/use-endpoint.ts';
import { resultText } from '../../lib/notices/result-text.ts';

type Outcome = { kind: 'found'; found: ReplyOf<typeof testOidcConfiguration> } | { kind: 'failed'; reason: string };

/** Tests the provider at an address. A result is dropped as soon as the address changes. */
export function useOidcTest(address: string) {
  const { run: send, isPending } = useWrite(testOidcConfiguration);
  const [tested, setTested] = useState<{ address: string; outcome: Outcome }>();

  const run = async () => {
    setTested(undefined);
    try {
      const found = await send({ body: { configurationUrl: address } });
      setTested({ address, outcome: { kind: 'found', found } });
    } catch (failure) {
      const reason = failure instanceof ApiRefusal ? failure.issues[0]?.message : undefined;
      setTested({ address, outcome: { kind: 'failed', reason: reason ?? resultText(failure) } });
    }
  };
  return { run, isPending, outcome: tested?.address === address ? tested.outcome : undefined };
}
