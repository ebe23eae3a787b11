import { type ReplyOf, testOidcConfiguration } from '@orchestrate/shared';
import { useState } from 'react';
import { ApiRefusal } from '../../lib/api-refusal.ts';
import { resultText } from '../../lib/result-text.ts';
import { useWrite } from '../../lib/use-endpoint.ts';

type Outcome =
  | { kind: 'found'; found: ReplyOf<typeof testOidcConfiguration> }
  | { kind: 'failed'; reason: string; requestId: string | undefined };

/** What the provider at an address says about itself. An outcome is forgotten as soon as the address is another. */
export function useOidcTest(address: string) {
  const { run: send, isPending } = useWrite(testOidcConfiguration);
  const [tested, setTested] = useState<{ address: string; outcome: Outcome }>();

  /** Answers with what belongs to the address field, where the address itself is refused. */
  const run = async (): Promise<string | undefined> => {
    setTested(undefined);
    try {
      const found = await send({ body: { configurationUrl: address } });
      setTested({ address, outcome: { kind: 'found', found } });
      return undefined;
    } catch (failure) {
      const isOfField = failure instanceof ApiRefusal && failure.issues.length > 0;
      if (isOfField) return failure.issues[0]?.message;
      const requestId = failure instanceof ApiRefusal ? failure.requestId : undefined;
      setTested({ address, outcome: { kind: 'failed', reason: resultText(failure), requestId } });
      return undefined;
    }
  };
  return { run, isPending, outcome: tested?.address === address ? tested.outcome : undefined };
}
